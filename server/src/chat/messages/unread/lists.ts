// Queries for unread messages: single messages, ids, and homes.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { JOIN_TITLE, keyOf, NAME } from '../../conversations/topics/names.ts';
import { MENTION_BITS } from '../message/flags.ts';
import { isTopicMuted } from '../message/rows.ts';
import { homesFor, idsIn, spansOf, unreadIn } from './spans.ts';

interface UnreadMessage {
  readonly id: number;
  readonly homeId: number;
  readonly seq: number;
  readonly conversationId: number;
  /** Null for a direct message. */
  readonly channelId: number | null;
  /** Null for a channel message. */
  readonly people: readonly number[] | null;
  readonly topic: string;
  readonly senderId: number;
  readonly isMentioned: boolean;
  readonly isMuted: boolean;
}

/** The homes whose messages can be in these conversations now. */
function homesOf(conversationIds: readonly number[] | undefined): RawBuilder<boolean> {
  if (conversationIds === undefined) return sql<boolean>`true`;
  const wanted = sql`${[...conversationIds]}::int[]`;
  return sql<boolean>`(h.home_id = ANY (${wanted}) OR h.home_id IN (
    SELECT home_id FROM messages
     WHERE conversation_id = ANY (${wanted}) AND conversation_id <> home_id))`;
}

/** Every unread message in these conversations has its number in one of these ranges of its home. */
export const selectUnreadSpans = (
  userId: number,
  conversationIds: readonly number[] | undefined,
): RawBuilder<unknown> => sql`
  ${spansOf(userId, homesOf(conversationIds))} SELECT home_id, first, last FROM spans`;

/** The same for read messages: before each watermark, and the blocks after it that have a bitmap. */
export const selectReadSpans = (
  userId: number,
  conversationIds: readonly number[] | undefined,
): RawBuilder<unknown> => sql`
  WITH ${homesFor(userId)}
  SELECT h.home_id, 1::bigint AS first, w.read_through AS last
    FROM homes h JOIN read_marks w ON w.user_id = ${userId} AND w.home_id = h.home_id
   WHERE w.read_through > 0 AND ${homesOf(conversationIds)}
  UNION ALL
  SELECT h.home_id, greatest(b.block::bigint * 8192, w.read_through + 1),
         (b.block::bigint + 1) * 8192 - 1
    FROM read_blocks b
    JOIN homes h ON h.home_id = b.home_id
    JOIN read_marks w ON w.user_id = b.user_id AND w.home_id = b.home_id
   WHERE b.user_id = ${userId} AND (b.block::bigint + 1) * 8192 - 1 > w.read_through
     AND ${homesOf(conversationIds)}`;

/**
 * Messages that the person has received, may still see and has not read: the newest `limit`, ascending. The cost
 * grows with the unread messages, not with all messages ever sent.
 */
export async function listUnread(
  db: Db,
  userId: number,
  limit: number,
  conversationIds?: readonly number[],
): Promise<UnreadMessage[]> {
  const within =
    conversationIds === undefined
      ? sql`true`
      : sql`m.conversation_id = ANY (${[...conversationIds]}::int[])`;
  const { rows } = await sql<Omit<UnreadMessage, 'id' | 'seq'> & { id: bigint; seq: bigint }>`
    ${spansOf(userId, homesOf(conversationIds))}, found AS (
      SELECT newest.id FROM spans p
       CROSS JOIN LATERAL (SELECT m.id FROM ${unreadIn(userId)} AND ${within}
                            ORDER BY m.seq DESC LIMIT ${limit}) AS newest
       ORDER BY newest.id DESC LIMIT ${limit}
    )
    SELECT m.id, m.home_id, m.seq, m.conversation_id, c.id AS channel_id, d.people, ${NAME} AS topic, m.sender_id,
           coalesce(f.flags & ${sql.lit(MENTION_BITS)}, 0) <> 0 OR m.mentions_everyone AS is_mentioned,
           c.id IS NOT NULL AND ${isTopicMuted(sql`s.is_muted`)} AS is_muted
      FROM messages m
      LEFT JOIN channels c ON c.conversation_id = m.conversation_id
      LEFT JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = ${userId}
      LEFT JOIN conversations d ON d.id = m.conversation_id AND d.kind = 'direct'
      LEFT JOIN message_flags f ON f.user_id = ${userId} AND f.message_id = m.id
      LEFT JOIN user_topics t ON t.user_id = ${userId} AND t.channel_id = c.id
                             AND lower(t.topic) = lower(m.topic)
      ${JOIN_TITLE}
     WHERE m.id IN (SELECT id FROM found)
       AND (c.id IS NULL
        OR (s.is_active AND (c.history_public_to_subscribers OR s.received @> m.place_seq)))
     ORDER BY m.id`.execute(db);
  return rows.map((row) => ({ ...row, id: Number(row.id), seq: Number(row.seq) }));
}

export interface UnreadFilter {
  readonly conversationId?: number;
  readonly topic?: string;
  readonly senderId?: number;
}

/**
 * The ids of what `listUnread` finds, newest first. The database returns them as one text: parsing tens of thousands
 * of rows would block the process.
 */
export async function listUnreadIds(
  db: Db,
  userId: number,
  limit: number,
  { conversationId, topic, senderId }: UnreadFilter,
): Promise<number[]> {
  const within = sql.join(
    [
      conversationId === undefined ? sql`true` : sql`m.conversation_id = ${conversationId}`,
      topic === undefined || conversationId === undefined
        ? sql`true`
        : sql`lower(m.topic) = ${keyOf(conversationId, topic)}`,
    ],
    sql` AND `,
  );
  const homes = homesOf(conversationId === undefined ? undefined : [conversationId]);
  // One sender's messages are searched only among the newest; a search among all could take too long.
  const isWanted = senderId === undefined ? sql`true` : sql`m.sender_id = ${senderId}`;
  const { rows } = await sql<{ ids: string | null }>`
    ${spansOf(userId, homes)}, found AS (
      SELECT newest.id FROM spans p
       CROSS JOIN LATERAL (SELECT m.id FROM ${unreadIn(userId)} AND ${within}
                            ORDER BY m.seq DESC LIMIT ${limit}) AS newest
       ORDER BY newest.id DESC LIMIT ${limit}
    )
    SELECT string_agg(m.id::text, ',' ORDER BY m.id DESC) AS ids
      FROM messages m
      LEFT JOIN channels c ON c.conversation_id = m.conversation_id
      LEFT JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = ${userId}
     WHERE m.id IN (SELECT id FROM found) AND ${isWanted}
       AND (c.id IS NULL
        OR (s.is_active AND (c.history_public_to_subscribers OR s.received @> m.place_seq)))`.execute(
    db,
  );
  return idsIn(rows[0]?.ids ?? '');
}

/** A lower bound for the ids of unread messages; undefined when nothing is unread. */
export async function findFirstUnread(
  db: Db,
  userId: number,
  conversationIds?: readonly number[],
): Promise<number | undefined> {
  const { rows } = await sql<{ id: bigint | null }>`
    ${spansOf(userId, homesOf(conversationIds))}
    SELECT min(oldest.id) AS id FROM spans p
     CROSS JOIN LATERAL (SELECT m.id FROM ${unreadIn(userId)}
                          ORDER BY m.seq LIMIT 1) AS oldest`.execute(db);
  const id = rows[0]?.id ?? null;
  return id === null ? undefined : Number(id);
}

/**
 * Homes in which something may be unread: after the watermark, or before it in a block with a bitmap. The cost grows
 * with the person's conversations, not with the unread messages in them.
 */
export async function listUnreadHomes(db: Db, userId: number): Promise<number[]> {
  const { rows } = await sql<{ homeId: number }>`
    SELECT h.home_id
      FROM (SELECT c.conversation_id AS home_id, s.received
              FROM subscriptions s JOIN channels c ON c.id = s.channel_id
             WHERE s.user_id = ${userId}
            UNION ALL
            SELECT id, '{[1,)}'::int8multirange FROM conversations
             WHERE kind = 'direct' AND people @> ARRAY[${userId}]::int[]) h
      JOIN conversation_counters n ON n.conversation_id = h.home_id
      LEFT JOIN read_marks w ON w.user_id = ${userId} AND w.home_id = h.home_id
     WHERE h.received && int8range(coalesce(w.read_through, 0) + 1,
                                   greatest(n.seq, w.read_through) + 1)
        OR EXISTS (SELECT FROM read_blocks b WHERE b.user_id = ${userId} AND b.home_id = h.home_id)
     ORDER BY h.home_id`.execute(db);
  return rows.map(({ homeId }) => homeId);
}
