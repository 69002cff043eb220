// Conversations of people who write to each other directly.
import type { Db } from '../../../platform/db/pool.ts';
import { findConversation, insertConversation } from './store.ts';

/** Everybody in it, ascending, each once. */
export const peopleOf = (ids: Iterable<number>): number[] =>
  [...new Set(ids)].sort((a, b) => a - b);

/** The conversation of exactly these people, if they have written before. */
export const findDirectConversation = (
  db: Db,
  people: readonly number[],
): Promise<number | undefined> => findConversation(db, people);

/** The same, opened if there is none. */
export async function openDirectConversation(tx: Db, people: readonly number[]): Promise<number> {
  for (;;) {
    const id = (await findConversation(tx, people)) ?? (await insertConversation(tx, people));
    // Otherwise somebody else opened it meanwhile, and it is found in the next turn.
    if (id !== undefined) return id;
  }
}
