// Routes for the providers that open one's own account. They are for browsers: a provider's answer comes to one.
import { Type } from 'typebox';
import { accessProvider, listLinkedProviders } from '../../../accounts/oidc/access.ts';
import { removeIdentity, startLink } from '../../../accounts/oidc/actions.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { badRequest } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';

export const getIdentities = chatRoute({
  name: 'get-identities',
  method: 'GET',
  path: '/identities',
  allow: 'guest',
  bots: false,
  grows: 'person',
  summary: 'The providers that can open your account, and whether they do.',
  params: Type.Object({}),
  returns: Type.Object({
    identities: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The provider.' }),
        name: Type.String(),
        is_linked: Type.Boolean(),
        linked_at: Type.Union([Type.Integer(), Type.Null()]),
        last_used_at: Type.Union([Type.Integer(), Type.Null()]),
      }),
    ),
  }),
  handle: async (ctx, actor) => ({
    identities: (await listLinkedProviders(ctx, actor.id)).map(
      ({ provider, linkedAt, lastUsedAt }) => ({
        id: provider.id,
        name: provider.name,
        is_linked: linkedAt !== undefined,
        linked_at: linkedAt === undefined ? null : unixSeconds(linkedAt),
        last_used_at: lastUsedAt === undefined ? null : unixSeconds(lastUsedAt),
      }),
    ),
  }),
});

export const postIdentity = chatRoute({
  name: 'link-identity',
  method: 'POST',
  path: '/identities/{id}',
  allow: 'guest',
  bots: false,
  stepUp: 'fresh',
  pool: 'signIn',
  // The link exists when the browser comes back from the provider, and is noted then.
  audit: { none: 'nothing' },
  summary: 'Begins to link a provider to your account; open the address in the same browser.',
  params: Type.Object({}),
  returns: Type.Object({ url: Type.String({ description: 'Where the provider asks you.' }) }),
  handle: async (ctx, actor, { id }, { sessionId }) => {
    const provider = accessProvider(ctx, id);
    if (sessionId === undefined) throw badRequest('Only a browser can link a provider.');
    const url = await startLink(ctx, provider, {
      origin: ctx.publicUrl(),
      user: actor,
      sessionId,
      next: undefined,
    });
    return { url };
  },
});

export const deleteIdentity = chatRoute({
  name: 'unlink-identity',
  method: 'DELETE',
  path: '/identities/{id}',
  allow: 'guest',
  bots: false,
  stepUp: 'fresh',
  audit: ['identity remove'],
  summary: 'A provider no longer opens your account. Another way in has to stay.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { id }) => {
    await removeIdentity(ctx, actor, accessProvider(ctx, id));
    return {};
  },
});
