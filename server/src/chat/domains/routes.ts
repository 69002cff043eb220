import { Type } from 'typebox';
import { chatRoute } from '../http/route.ts';
import { listDomains } from './access.ts';
import { addDomain, changeDomain, removeDomain } from './actions.ts';
import { Domain } from './events.ts';

export const getDomains = chatRoute({
  name: 'get-realm-domains',
  method: 'GET',
  path: '/realm/domains',
  allow: 'guest',
  summary: 'The domains of those who may join, where the organization restricts them.',
  params: Type.Object({}),
  returns: Type.Object({ domains: Type.Array(Domain) }),
  handle: async (ctx) => ({ domains: await listDomains(ctx.db) }),
});

export const postDomain = chatRoute({
  name: 'add-realm-domain',
  method: 'POST',
  path: '/realm/domains',
  allow: 'owner',
  summary: 'Lets people of a domain join.',
  params: Type.Object({ domain: Type.String(), allow_subdomains: Type.Boolean() }),
  returns: Type.Object({
    new_domain: Type.Tuple([Type.Integer(), Type.String()], {
      description: 'Its number and its name.',
    }),
  }),
  handle: async (ctx, _actor, { domain, allow_subdomains }) => ({
    new_domain: await addDomain(ctx, domain, allow_subdomains),
  }),
});

export const patchDomain = chatRoute({
  name: 'update-realm-domain',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  allow: 'owner',
  summary: 'Says whether people of subdomains may join too.',
  params: Type.Object({ allow_subdomains: Type.Boolean() }),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { domain, allow_subdomains }) => {
    await changeDomain(ctx, domain, allow_subdomains);
    return {};
  },
});

export const deleteDomain = chatRoute({
  name: 'remove-realm-domain',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  allow: 'owner',
  summary: 'Lets nobody of this domain join any more. With the last one the restriction ends.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { domain }) => {
    await removeDomain(ctx, domain);
    return {};
  },
});
