import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { listLinkifiers } from './access.ts';
import { createLinkifier, editLinkifier, removeLinkifier, reorderLinkifiers } from './actions.ts';
import { Linkifier } from './events.ts';

const text = (description: string) => Type.String({ maxLength: 1000, description });

const fields = Type.Object({
  pattern: text('A regular expression, as RE2 understands it.'),
  url_template: text('A URL template after RFC 6570; its variables are the named groups.'),
  example_input: Type.Optional(text('A text that the pattern matches; empty: none.')),
  reverse_template: Type.Optional(text('How an address becomes a text again; empty: none.')),
  alternative_url_templates: Type.Optional(
    Type.Array(text('A URL template after RFC 6570.'), { maxItems: 20 }),
  ),
});

export const getLinkifiers = chatRoute({
  name: 'get-linkifiers',
  method: 'GET',
  path: '/realm/linkifiers',
  allow: 'guest',
  grows: 'organization',
  summary: 'The organization’s linkifiers, in the order in which they are tried.',
  params: Type.Object({}),
  returns: Type.Object({ linkifiers: Type.Array(Linkifier) }),
  handle: async (ctx) => ({ linkifiers: await listLinkifiers(ctx.db) }),
});

export const patchLinkifiers = chatRoute({
  name: 'reorder-linkifiers',
  method: 'PATCH',
  path: '/realm/linkifiers',
  allow: 'administrator',
  audit: ['linkifier order'],
  summary: 'Puts the linkifiers into another order.',
  params: Type.Object({
    ordered_linkifier_ids: Type.Array(Type.Integer(), { maxItems: 10_000 }),
  }),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { ordered_linkifier_ids }) => {
    await reorderLinkifiers(ctx, ordered_linkifier_ids);
    return {};
  },
});

export const postLinkifier = chatRoute({
  name: 'create-linkifier',
  method: 'POST',
  path: '/realm/filters',
  allow: 'administrator',
  audit: ['linkifier create'],
  summary: 'Makes a linkifier; it is tried last.',
  params: fields,
  returns: Type.Object({ id: Type.Integer() }),
  handle: async (ctx, _actor, given) => ({ id: await createLinkifier(ctx, given) }),
});

export const patchLinkifier = chatRoute({
  name: 'update-linkifier',
  method: 'PATCH',
  path: '/realm/filters/{filter_id:int}',
  allow: 'administrator',
  audit: ['linkifier change'],
  summary: 'Changes a linkifier.',
  params: fields,
  returns: Type.Object({}),
  handle: async (ctx, _actor, { filter_id, ...given }) => {
    await editLinkifier(ctx, filter_id, given);
    return {};
  },
});

export const deleteLinkifier = chatRoute({
  name: 'delete-linkifier',
  method: 'DELETE',
  path: '/realm/filters/{filter_id:int}',
  allow: 'administrator',
  audit: ['linkifier remove'],
  summary: 'Takes a linkifier away. Links that were made stay.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { filter_id }) => {
    await removeLinkifier(ctx, filter_id);
    return {};
  },
});
