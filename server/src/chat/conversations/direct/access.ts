// Finds and opens conversations of direct messages.
import type { Db } from '../../../platform/db/pool.ts';
import { findConversation, insertConversation } from './store.ts';

/** The participants, ascending and without duplicates. */
export const peopleOf = (ids: Iterable<number>): number[] =>
  [...new Set(ids)].sort((a, b) => a - b);

/** The conversation of exactly these people, if there is one. */
export const findDirectConversation = (
  db: Db,
  people: readonly number[],
): Promise<number | undefined> => findConversation(db, people);

/** Like `findDirectConversation`, but opens one if there is none. */
export async function openDirectConversation(tx: Db, people: readonly number[]): Promise<number> {
  for (;;) {
    const id = (await findConversation(tx, people)) ?? (await insertConversation(tx, people));
    // If undefined, somebody else has just opened it, and the next turn finds it.
    if (id !== undefined) return id;
  }
}
