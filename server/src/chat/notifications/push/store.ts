// The rows that record which events were searched and who was notified of what.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** The position of the search in the event log; undefined while another worker searches. */
export async function lockCursor(tx: Db): Promise<number | undefined> {
  const { rows } = await sql<{ position: bigint }>`
    SELECT position FROM push_cursor FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0] && Number(rows[0].position);
}

export async function moveCursor(tx: Db, position: number): Promise<void> {
  await sql`UPDATE push_cursor SET position = ${position}`.execute(tx);
}

/** Those of `userIds` who were not notified of the message yet. */
export async function listUnnotified(
  db: Db,
  messageId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM unnest(${[...userIds]}::int[]) AS id
     WHERE NOT EXISTS (SELECT FROM push_notified n
                        WHERE n.user_id = id AND n.message_id = ${messageId})
     ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function insertNotified(
  db: Db,
  userId: number,
  messageId: number,
  at: Date,
): Promise<void> {
  await sql`INSERT INTO push_notified (user_id, message_id, at)
            VALUES (${userId}, ${messageId}, ${at}) ON CONFLICT DO NOTHING`.execute(db);
}

/** How many went. */
export async function deleteOldNotified(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM push_notified WHERE at < now() - interval '30 days'`.execute(db);
  return Number(numAffectedRows);
}

/** Deletes the records of these notifications and returns them by person; undefined stands for all. */
export async function takeNotified(
  tx: Db,
  userId: number | undefined,
  messageIds: readonly number[] | undefined,
): Promise<ReadonlyMap<number, number[]>> {
  const ofUser = userId === undefined ? sql`true` : sql`user_id = ${userId}`;
  const ofMessages =
    messageIds === undefined ? sql`true` : sql`message_id = ANY (${[...messageIds]}::bigint[])`;
  const { rows } = await sql<{ userId: number; messageId: bigint }>`
    DELETE FROM push_notified WHERE ${ofUser} AND ${ofMessages}
    RETURNING user_id, message_id`.execute(tx);
  const taken = new Map<number, number[]>();
  for (const row of rows) {
    const own = taken.get(row.userId) ?? [];
    own.push(Number(row.messageId));
    taken.set(row.userId, own);
  }
  return taken;
}
