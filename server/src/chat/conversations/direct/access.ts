// Finds and opens conversations of direct messages.
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { tellMet } from '../../rights/sight/actions.ts';
import { findConversation, insertConversation } from './store.ts';

/** The participants, ascending and without duplicates. */
export const peopleOf = (ids: Iterable<number>): number[] =>
  [...new Set(ids)].sort((a, b) => a - b);

/** The conversation of exactly these people, if there is one. */
export const findDirectConversation = (
  db: Db,
  people: readonly number[],
): Promise<number | undefined> => findConversation(db, people);

/** Like `findDirectConversation`, but opens one if there is none: then these people know each other. */
export async function openDirectConversation(tx: Tx, people: readonly number[]): Promise<number> {
  for (;;) {
    const found = await findConversation(tx, people);
    if (found !== undefined) return found;
    const opened = await insertConversation(tx, people);
    // If undefined, somebody else has just opened it, and the next turn finds it.
    if (opened === undefined) continue;
    await tellMet(tx, opened, people);
    return opened;
  }
}
