// Reads and writes the table of submessages.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';

export async function insertSubmessage(
  tx: Tx,
  submessage: {
    readonly messageId: number;
    readonly senderId: number;
    readonly msgType: string;
    readonly content: string;
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('submessages')
    .values({ ...submessage, messageId: BigInt(submessage.messageId) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The number of submessages in all and of one person, and the bytes of all. */
export async function measureSubmessages(
  db: Db,
  messageId: number,
  senderId: number,
): Promise<{ readonly count: number; readonly own: number; readonly bytes: number }> {
  const { rows } = await sql<{ count: number; own: number; bytes: number }>`
    SELECT count(*)::int AS count, count(*) FILTER (WHERE sender_id = ${senderId})::int AS own,
           coalesce(sum(octet_length(content)), 0)::int AS bytes
      FROM submessages WHERE message_id = ${messageId}`.execute(db);
  return rows[0] ?? { count: 0, own: 0, bytes: 0 };
}

export async function deleteSubmessages(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .deleteFrom('submessages')
    .where('id', 'in', [...ids])
    .execute();
}
