// Drafts in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import type { Db } from '../../../platform/db/pool.ts';
import { type Draft, type DraftRemoved, type DraftsAdded, type DraftUpdated } from './events.ts';
import { listLatestDrafts } from './store.ts';

const INITIAL_MAX = 1000;

export const readDrafts = (db: Db, userId: number): Promise<Draft[]> =>
  listLatestDrafts(db, userId, INITIAL_MAX);

type DraftsEvent =
  Static<typeof DraftsAdded> | Static<typeof DraftUpdated> | Static<typeof DraftRemoved>;

/** Latest first, as far as whole seconds tell. */
export function applyDraftsEvent(drafts: readonly Draft[], event: DraftsEvent): Draft[] {
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
