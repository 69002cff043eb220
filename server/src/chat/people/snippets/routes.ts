import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { LIMITS } from '../../limits.ts';
import { editSnippet, removeSnippet, saveSnippet } from './actions.ts';
import { Snippet } from './events.ts';
import { listSnippets } from './state.ts';

const title = Type.String({ 'x-strip': true, minLength: 1, maxLength: 60 });
const content = Type.String({
  'x-strip': true,
  minLength: 1,
  maxLength: LIMITS.max_message_length,
});

export const getSnippets = chatRoute({
  name: 'get-saved-snippets',
  method: 'GET',
  path: '/saved_snippets',
  allow: 'guest',
  grows: 'person',
  summary: 'Your saved texts, the oldest first.',
  params: Type.Object({}),
  returns: Type.Object({ saved_snippets: Type.Array(Snippet) }),
  handle: async (ctx, actor) => ({ saved_snippets: await listSnippets(ctx.db, actor.id) }),
});

export const postSnippet = chatRoute({
  name: 'create-saved-snippet',
  method: 'POST',
  path: '/saved_snippets',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Saves a text to be sent again.',
  params: Type.Object({ title, content }),
  returns: Type.Object({ saved_snippet_id: Type.Integer() }),
  handle: async (ctx, actor, given) => ({
    saved_snippet_id: await saveSnippet(ctx, actor, given),
  }),
});

export const patchSnippet = chatRoute({
  name: 'edit-saved-snippet',
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id:int}',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Changes a saved text.',
  params: Type.Object({ title: Type.Optional(title), content: Type.Optional(content) }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { saved_snippet_id, ...given }) => {
    await editSnippet(ctx, actor, saved_snippet_id, given);
    return {};
  },
});

export const deleteSnippet = chatRoute({
  name: 'delete-saved-snippet',
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id:int}',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Deletes a saved text.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { saved_snippet_id }) => {
    await removeSnippet(ctx, actor, saved_snippet_id);
    return {};
  },
});
