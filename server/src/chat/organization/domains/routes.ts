import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { addDomain, changeDomain, removeDomain } from './actions.ts';
import { Domain } from './events.ts';
import { listDomains } from './store.ts';

const allowSubdomains = Type.Boolean({ description: 'Whether addresses of its subdomains count.' });

export const getDomains = chatRoute({
  name: 'get-realm-domains',
  method: 'GET',
  path: '/realm/domains',
  allow: 'guest',
  grows: 'organization',
  summary: 'The domains whose addresses are let in, where the organization restricts them.',
  params: Type.Object({}),
  returns: Type.Object({ domains: Type.Array(Domain) }),
  handle: async (ctx) => ({ domains: await listDomains(ctx.db) }),
});

export const postDomain = chatRoute({
  name: 'add-realm-domain',
  method: 'POST',
  path: '/realm/domains',
  allow: 'owner',
  audit: ['domain add'],
  summary: 'Lets in addresses of a domain.',
  params: Type.Object({
    domain: Type.String({ 'x-strip': true }),
    allow_subdomains: allowSubdomains,
  }),
  returns: Type.Object({}),
  handle: async (ctx, _actor, given) => {
    await addDomain(ctx, given);
    return {};
  },
});

export const patchDomain = chatRoute({
  name: 'update-realm-domain',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  allow: 'owner',
  audit: ['domain change'],
  summary: 'Says whether subdomains of a domain count.',
  params: Type.Object({ allow_subdomains: allowSubdomains }),
  returns: Type.Object({}),
  handle: async (ctx, _actor, given) => {
    await changeDomain(ctx, given);
    return {};
  },
});

export const deleteDomain = chatRoute({
  name: 'remove-realm-domain',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  allow: 'owner',
  audit: ['domain remove'],
  summary: 'No longer lets in addresses of a domain.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { domain }) => {
    await removeDomain(ctx, domain);
    return {};
  },
});
