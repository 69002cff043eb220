// Drafts in a client's initial state, and how events change that state.
import type { Static } from 'typebox';
import type { RegisterPart } from '../../register-part.ts';
import { DraftRemoved, DraftsAdded, DraftUpdated, type Draft } from './events.ts';
import { listLatestDrafts } from './store.ts';

const INITIAL_MAX = 1000;

type DraftsEvent =
  Static<typeof DraftsAdded> | Static<typeof DraftUpdated> | Static<typeof DraftRemoved>;

/** Latest first, compared in whole seconds. */
function applyDraftsEvent(drafts: readonly Draft[], event: DraftsEvent): Draft[] {
  switch (event.op) {
    case 'add':
      return latestFirst([...event.drafts, ...drafts]);
    case 'update':
      return latestFirst(
        drafts.map((draft) => (draft.id === event.draft.id ? event.draft : draft)),
      );
    default:
      return drafts.filter(({ id }) => id !== event.draft_id);
  }
}

const latestFirst = (drafts: readonly Draft[]): Draft[] =>
  drafts.toSorted((a, b) => b.timestamp - a.timestamp || b.id - a.id);

/** Somebody who stops synchronising has no drafts on the server any more. */
const followSetting = (
  _state: unknown,
  { property, value }: { readonly property: string; readonly value: unknown },
) => (property === 'enable_drafts_synchronization' && value === false ? { drafts: [] } : {});

export const draftsPart = {
  load: {
    drafts: async ({ db, user }) => ({ drafts: await listLatestDrafts(db, user.id, INITIAL_MAX) }),
  },
  events: [DraftsAdded, DraftUpdated, DraftRemoved],
  applyInTests: {
    drafts: (state: { readonly drafts: readonly Draft[] }, event: DraftsEvent) => ({
      drafts: applyDraftsEvent(state.drafts, event),
    }),
  },
  followInTests: { user_settings: followSetting },
} satisfies RegisterPart;
