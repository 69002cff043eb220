// Reads and writes the table of muted people.
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import type { MutedUser } from './events.ts';

/** In the order of muting. */
export async function listMuted(db: Db, userId: number): Promise<MutedUser[]> {
  const rows = await db
    .selectFrom('mutedUsers')
    .select(['mutedId', 'mutedAt'])
    .where('userId', '=', userId)
    .orderBy('mutedAt')
    .orderBy('mutedId')
    .execute();
  return rows.map(({ mutedId, mutedAt }) => ({
    id: mutedId,
    timestamp: unixSeconds(mutedAt),
  }));
}

/** False when the person was muted already. */
export async function insertMute(
  tx: Tx,
  userId: number,
  mutedId: number,
  mutedAt: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('mutedUsers')
    .values({ userId, mutedId, mutedAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('mutedId')
    .executeTakeFirst();
  return row !== undefined;
}

/** False when there was nothing to delete. */
export async function deleteMute(tx: Tx, userId: number, mutedId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('mutedUsers')
    .where('userId', '=', userId)
    .where('mutedId', '=', mutedId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function listMuters(db: Db, mutedId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('mutedUsers')
    .select('userId')
    .where('mutedId', '=', mutedId)
    .orderBy('userId')
    .execute();
  return rows.map(({ userId }) => userId);
}
