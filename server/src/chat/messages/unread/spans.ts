// Where unread messages can be, as fragments of SQL for the queries of this folder.
import { sql, type RawBuilder } from 'kysely';

/** The homes from which the person can have received something. */
export const homesFor = (userId: number) => sql`
  homes AS (
    SELECT c.conversation_id AS home_id, s.received
      FROM subscriptions s JOIN channels c ON c.id = s.channel_id
     WHERE s.user_id = ${userId}
    UNION ALL
    SELECT id, '{[1,)}'::int8multirange FROM conversations
     WHERE kind = 'direct' AND people @> ARRAY[${userId}]::int[]
  )`;

/**
 * The ranges of homes in which something can be unread: after each watermark, and the blocks before it that have a
 * bitmap. Queries scan these ranges and not all messages ever sent.
 */
export const spansOf = (userId: number, homeIds: RawBuilder<boolean>) => sql`
  WITH ${homesFor(userId)}, spans AS (
    SELECT h.home_id, h.received,
           greatest(coalesce(w.read_through, 0) + 1, lower(h.received)) AS first,
           upper(h.received) - 1 AS last
      FROM homes h LEFT JOIN read_marks w ON w.user_id = ${userId} AND w.home_id = h.home_id
     WHERE NOT isempty(h.received) AND ${homeIds}
    UNION ALL
    SELECT h.home_id, h.received, b.block::bigint * 8192,
           least((b.block::bigint + 1) * 8192 - 1, w.read_through)
      FROM read_blocks b
      JOIN homes h ON h.home_id = b.home_id
      JOIN read_marks w ON w.user_id = b.user_id AND w.home_id = b.home_id
     WHERE b.user_id = ${userId} AND b.block::bigint * 8192 <= w.read_through AND ${homeIds}
  )`;

/** Unread messages `m` within a range `p`. */
export const unreadIn = (userId: number) => sql`
  messages m
  LEFT JOIN read_blocks b ON b.user_id = ${userId} AND b.home_id = m.home_id
                         AND b.block = (m.seq / 8192)::int
 WHERE m.home_id = p.home_id AND m.seq BETWEEN p.first AND coalesce(p.last, 9223372036854775807)
   AND p.received @> m.seq
   AND (b.bits IS NULL OR get_bit(b.bits, m.seq % 8192) = 0)`;

/** Ids that the database returned as one text: parsing tens of thousands of rows would block the process. */
export const idsIn = (list: string): number[] => JSON.parse(`[${list}]`) as number[];
