// The rows of the storage of bots.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';

/** The values under these names, or all of them. */
export async function readStorage(
  db: Db,
  userId: number,
  keys: readonly string[] | undefined,
): Promise<Record<string, string>> {
  let query = db.selectFrom('botStorage').select(['key', 'value']).where('userId', '=', userId);
  if (keys !== undefined) query = query.where('key', '=', sql<string>`ANY (${[...keys]}::text[])`);
  const rows = await query.orderBy('key').execute();
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** Lets only one request of a bot write at a time, so that the limit holds for all of them together. */
export async function lockStorage(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.bot-storage'), ${userId})`.execute(tx);
}

export async function writeStorage(
  tx: Tx,
  userId: number,
  entries: readonly (readonly [string, string])[],
): Promise<void> {
  await sql`
    INSERT INTO bot_storage (user_id, key, value)
    SELECT ${userId}, key, value
      FROM unnest(${entries.map(([key]) => key)}::text[], ${entries.map(([, value]) => value)}::text[])
        AS given (key, value)
    ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value`.execute(tx);
}

/** How many characters are stored now. */
export async function measureStorage(tx: Tx, userId: number): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    SELECT coalesce(sum(length(key) + length(value)), 0)::int AS size
      FROM bot_storage WHERE user_id = ${userId}`.execute(tx);
  return rows[0]?.size ?? 0;
}

/** Returns how many were deleted; without names, deletes all. */
export async function eraseStorage(
  tx: Tx,
  userId: number,
  keys: readonly string[] | undefined,
): Promise<number> {
  let query = tx.deleteFrom('botStorage').where('userId', '=', userId);
  if (keys !== undefined) query = query.where('key', '=', sql<string>`ANY (${[...keys]}::text[])`);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
