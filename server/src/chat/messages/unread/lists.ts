// Queries for unread messages: single messages, ids, groups, and homes.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { MENTION_BITS } from '../message/flags.ts';
import { isTopicMuted } from '../message/rows.ts';

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

/**
 * The ranges of homes in which something can be unread: after each watermark, and the blocks before it that have a
 * bitmap. Queries scan these ranges and not all messages ever sent.
 */
const spansOf = (userId: number, homeIds: RawBuilder<boolean>) => sql`
  WITH homes AS (
    SELECT c.conversation_id AS home_id, s.received
      FROM subscriptions s JOIN channels c ON c.id = s.channel_id
     WHERE s.user_id = ${userId}
    UNION ALL
    SELECT id, '{[1,)}'::int8multirange FROM conversations
     WHERE kind = 'direct' AND people @> ARRAY[${userId}]::int[]
  ), spans AS (
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
const unreadIn = (userId: number) => sql`
  messages m
  LEFT JOIN read_blocks b ON b.user_id = ${userId} AND b.home_id = m.home_id
                         AND b.block = (m.seq / 8192)::int
 WHERE m.home_id = p.home_id AND m.seq >= p.first AND (p.last IS NULL OR m.seq <= p.last)
   AND p.received @> m.seq
   AND (b.bits IS NULL OR get_bit(b.bits, m.seq % 8192) = 0)`;

/** The homes whose messages can be in these conversations now. */
function homesOf(conversationIds: readonly number[] | undefined): RawBuilder<boolean> {
  if (conversationIds === undefined) return sql<boolean>`true`;
  const wanted = sql`${[...conversationIds]}::int[]`;
  return sql<boolean>`(h.home_id = ANY (${wanted}) OR h.home_id IN (
    SELECT home_id FROM messages
     WHERE conversation_id = ANY (${wanted}) AND conversation_id <> home_id))`;
}

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
    SELECT m.id, m.home_id, m.seq, m.conversation_id, c.id AS channel_id, d.people, m.topic, m.sender_id,
           coalesce(f.flags & ${sql.lit(MENTION_BITS)}, 0) <> 0 OR m.mentions_everyone AS is_mentioned,
           c.id IS NOT NULL AND ${isTopicMuted(sql`s.is_muted`)} AS is_muted
      FROM messages m
      LEFT JOIN channels c ON c.conversation_id = m.conversation_id
      LEFT JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = ${userId}
      LEFT JOIN conversations d ON d.id = m.conversation_id AND d.kind = 'direct'
      LEFT JOIN message_flags f ON f.user_id = ${userId} AND f.message_id = m.id
      LEFT JOIN user_topics t ON t.user_id = ${userId} AND t.channel_id = c.id
                             AND lower(t.topic) = lower(m.topic)
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
      topic === undefined ? sql`true` : sql`lower(m.topic) = lower(${topic})`,
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

/** Unread messages of one topic, or of one direct conversation. */
export interface UnreadGroup {
  /** Null for a direct conversation. */
  readonly channelId: number | null;
  /** Null for a channel. */
  readonly people: readonly number[] | null;
  readonly topic: string;
  readonly isMuted: boolean;
  /** Ascending. */
  readonly ids: readonly number[];
  readonly mentionedIds: readonly number[];
}

/**
 * What `listUnread` finds without conditions, in groups: a few hundred rows with lists of ids instead of tens of
 * thousands of messages. Facts about a channel or a topic are looked up once per group.
 */
export async function listUnreadGroups(
  db: Db,
  userId: number,
  limit: number,
): Promise<{ readonly groups: UnreadGroup[]; readonly isWhole: boolean }> {
  const { rows } = await sql<
    Omit<UnreadGroup, 'ids' | 'mentionedIds'> & {
      readonly ids: string;
      readonly mentionedIds: string | null;
      readonly found: number;
    }
  >`
    ${spansOf(userId, homesOf(undefined))}, found AS MATERIALIZED (
      SELECT newest.id FROM spans p
       CROSS JOIN LATERAL (SELECT m.id FROM ${unreadIn(userId)}
                            ORDER BY m.seq DESC LIMIT ${limit}) AS newest
       ORDER BY newest.id DESC LIMIT ${limit}
    ), standing AS MATERIALIZED (
      SELECT c.conversation_id, c.id AS channel_id, NULL::int[] AS people, s.is_muted,
             CASE WHEN NOT c.history_public_to_subscribers THEN s.received END AS received
        FROM subscriptions s JOIN channels c ON c.id = s.channel_id
       WHERE s.user_id = ${userId} AND s.is_active
      UNION ALL
      SELECT id, NULL, people, false, NULL FROM conversations
       WHERE kind = 'direct' AND people @> ARRAY[${userId}]::int[]
    ), called AS MATERIALIZED (
      SELECT message_id FROM message_flags WHERE user_id = ${userId} AND flags & ${sql.lit(MENTION_BITS)} <> 0
    ), grouped AS (
      SELECT m.conversation_id, m.topic, string_agg(m.id::text, ',' ORDER BY m.id) AS ids,
             string_agg(m.id::text, ',' ORDER BY m.id)
               FILTER (WHERE m.mentions_everyone OR a.message_id IS NOT NULL) AS mentioned_ids
        FROM found
        JOIN messages m ON m.id = found.id
        JOIN standing g ON g.conversation_id = m.conversation_id
        LEFT JOIN called a ON a.message_id = m.id
       WHERE g.received IS NULL OR g.received @> m.place_seq
       GROUP BY m.conversation_id, m.topic
    )
    SELECT g.channel_id, g.people, u.topic, u.ids, u.mentioned_ids,
           (SELECT count(*)::int FROM found) AS found,
           g.channel_id IS NOT NULL AND ${isTopicMuted(sql`g.is_muted`)} AS is_muted
      FROM grouped u
      JOIN standing g ON g.conversation_id = u.conversation_id
      LEFT JOIN user_topics t ON t.user_id = ${userId} AND t.channel_id = g.channel_id
                             AND lower(t.topic) = lower(u.topic)`.execute(db);
  return {
    groups: rows.map(({ found: _found, ...row }) => ({
      ...row,
      ids: idsIn(row.ids),
      mentionedIds: idsIn(row.mentionedIds ?? ''),
    })),
    isWhole: (rows[0]?.found ?? 0) < limit,
  };
}

const idsIn = (list: string): number[] => JSON.parse(`[${list}]`) as number[];

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
