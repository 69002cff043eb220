// Read receipts: who has read a message and shares that.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { MessageRow } from '../message/rows.ts';

/** Nobody reads more names than this. */
const READERS_MAX = 100_000;

/**
 * Active people who received the message and have read it. Its sender, and people who switched receipts off, are
 * left out.
 */
export async function listReaders(
  db: Db,
  { id, senderId }: Pick<MessageRow, 'id' | 'senderId'>,
): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    SELECT u.id AS user_id
      FROM messages m
      JOIN conversations d ON d.id = m.conversation_id
      LEFT JOIN channels c ON c.conversation_id = m.conversation_id
      LEFT JOIN channels hc ON hc.conversation_id = m.home_id
      JOIN read_marks w ON w.home_id = m.home_id
      JOIN users u ON u.id = w.user_id
      LEFT JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = u.id
      LEFT JOIN subscriptions hs ON hs.channel_id = hc.id AND hs.user_id = u.id
      LEFT JOIN read_blocks b ON b.user_id = u.id AND b.home_id = m.home_id
                             AND b.block = (m.seq / 8192)::int
     WHERE m.id = ${id} AND u.is_active AND u.id <> ${senderId}
       AND coalesce((u.settings ->> 'send_read_receipts')::boolean, true)
       AND CASE WHEN c.id IS NULL THEN u.id = ANY (d.people)
                ELSE coalesce(hs.received @> m.seq, false) AND coalesce(s.is_active, false) END
       AND CASE WHEN b.bits IS NULL THEN m.seq <= w.read_through
                ELSE get_bit(b.bits, m.seq % 8192) = 1 END
     ORDER BY u.id LIMIT ${READERS_MAX}`.execute(db);
  return rows.map(({ userId }) => userId);
}
