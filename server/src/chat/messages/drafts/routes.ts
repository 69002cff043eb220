import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { createDrafts, editDraft, listOwnDrafts, removeDraft } from './actions.ts';
import { Draft, DraftInput } from './events.ts';

const BATCH_MAX = 1000;

export const getDrafts = chatRoute({
  name: 'get-drafts',
  method: 'GET',
  path: '/drafts',
  allow: 'guest',
  grows: 'person',
  summary: 'Your drafts, the one edited longest ago first.',
  params: Type.Object({}),
  returns: Type.Object({ count: Type.Integer(), drafts: Type.Array(Draft) }),
  handle: async (ctx, actor) => {
    const drafts = await listOwnDrafts(ctx, actor);
    return { count: drafts.length, drafts };
  },
});

export const postDrafts = chatRoute({
  name: 'create-drafts',
  method: 'POST',
  path: '/drafts',
  allow: 'guest',
  audit: { none: 'own content' },
  grows: 'request',
  summary: 'Creates drafts, all of them or none.',
  params: Type.Object({
    drafts: Type.Optional(Type.Array(DraftInput, { maxItems: BATCH_MAX })),
  }),
  returns: Type.Object({ ids: Type.Array(Type.Integer(), { description: 'In request order.' }) }),
  handle: async (ctx, actor, { drafts = [] }) => ({ ids: await createDrafts(ctx, actor, drafts) }),
});

export const patchDraft = chatRoute({
  name: 'edit-draft',
  method: 'PATCH',
  path: '/drafts/{draft_id:int}',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Replaces a draft.',
  params: Type.Object({ draft: DraftInput }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { draft_id, draft }) => {
    await editDraft(ctx, actor, draft_id, draft);
    return {};
  },
});

export const deleteDraft = chatRoute({
  name: 'delete-draft',
  method: 'DELETE',
  path: '/drafts/{draft_id:int}',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Deletes a draft.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { draft_id }) => {
    await removeDraft(ctx, actor, draft_id);
    return {};
  },
});
