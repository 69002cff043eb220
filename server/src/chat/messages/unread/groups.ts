// Unread messages in groups, for register: a few hundred rows with lists of ids instead of tens of thousands of messages.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { MENTION_BITS } from '../message/flags.ts';
import { isTopicMuted } from '../message/rows.ts';
import { idsIn, spansOf, unreadIn } from './spans.ts';

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

export interface UnreadGroups {
  readonly groups: UnreadGroup[];
  readonly isWhole: boolean;
}

/**
 * What `listUnread` finds without conditions, in groups. First only the part of each range is read in which the newest
 * `limit` must be, if nothing there is read. If something is, that part has too few, and all ranges are read.
 */
export async function listUnreadGroups(
  db: Db,
  userId: number,
  limit: number,
): Promise<UnreadGroups> {
  const near = await findGroups(db, userId, limit, nearest(userId, limit));
  // Without a row nobody says whether the ranges were cut.
  const isShort = near.found < limit && (near.isCut || near.found === 0);
  const { found, groups } = isShort
    ? await findGroups(db, userId, limit, anywhere(userId, limit))
    : near;
  return { groups, isWhole: found < limit };
}

interface GroupRow {
  readonly channelId: number | null;
  readonly people: readonly number[] | null;
  readonly topic: string;
  readonly isMuted: boolean;
  readonly isSeen: boolean;
  readonly isCut: boolean;
  readonly ids: string;
  readonly mentionedIds: string | null;
}

/** `source` defines `parts`, unread messages in groups, of which several may be the same, and `cut`: whether there are more. */
async function findGroups(
  db: Db,
  userId: number,
  limit: number,
  source: RawBuilder<unknown>,
): Promise<{ readonly groups: UnreadGroup[]; readonly found: number; readonly isCut: boolean }> {
  // Facts about a channel or a topic are looked up once per group.
  const { rows } = await sql<GroupRow>`
    ${spansOf(userId, sql<boolean>`true`)}, standing AS MATERIALIZED (
      SELECT c.conversation_id, c.id AS channel_id, NULL::int[] AS people, s.is_muted,
             CASE WHEN NOT c.history_public_to_subscribers THEN s.received END AS received
        FROM subscriptions s JOIN channels c ON c.id = s.channel_id
       WHERE s.user_id = ${userId} AND s.is_active
      UNION ALL
      SELECT id, NULL, people, false, NULL FROM conversations
       WHERE kind = 'direct' AND people @> ARRAY[${userId}]::int[]
    ), called AS MATERIALIZED (
      SELECT message_id FROM message_flags WHERE user_id = ${userId} AND flags & ${sql.lit(MENTION_BITS)} <> 0
    ), ${source}, grouped AS MATERIALIZED (
      SELECT conversation_id, topic, is_seen, string_agg(ids, ',') AS ids,
             string_agg(mentioned_ids, ',') AS mentioned_ids
        FROM parts GROUP BY 1, 2, 3
    )
    SELECT g.channel_id, g.people, u.topic, u.ids, u.mentioned_ids, u.is_seen,
           (SELECT is_cut FROM cut) AS is_cut,
           g.channel_id IS NOT NULL AND ${isTopicMuted(sql`g.is_muted`)} AS is_muted
      FROM grouped u
      LEFT JOIN standing g ON g.conversation_id = u.conversation_id
      LEFT JOIN user_topics t ON t.user_id = ${userId} AND t.channel_id = g.channel_id
                             AND lower(t.topic) = lower(u.topic)`.execute(db);
  const lists = rows.map((row) => ascending(row.ids));
  const found = lists.reduce((sum, { length }) => sum + length, 0);
  const from = found > limit ? (ascending(lists.flat())[found - limit] ?? 0) : 0;
  const groups = rows.flatMap(({ channelId, people, topic, isMuted, isSeen, mentionedIds }, n) => {
    const ids = (lists[n] ?? []).filter((id) => id >= from);
    if (!isSeen || ids.length === 0) return [];
    const mentioned = ascending(mentionedIds ?? '').filter((id) => id >= from);
    return { channelId, people, topic, isMuted, ids, mentionedIds: mentioned };
  });
  return { groups, found, isCut: rows[0]?.isCut ?? false };
}

const ascending = (ids: string | number[]): number[] =>
  (typeof ids === 'string' ? idsIn(ids) : ids).sort((a, b) => a - b);

/** Groups of the messages `found`. */
const partsOf = (found: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  SELECT m.conversation_id, m.topic,
         g.conversation_id IS NOT NULL AND (g.received IS NULL OR g.received @> m.place_seq) AS is_seen,
         string_agg(m.id::text, ',') AS ids,
         string_agg(m.id::text, ',')
           FILTER (WHERE m.mentions_everyone OR a.message_id IS NOT NULL) AS mentioned_ids
    FROM (${found}) m
    LEFT JOIN standing g ON g.conversation_id = m.conversation_id
    LEFT JOIN called a ON a.message_id = m.id
   GROUP BY 1, 2, 3`;

const COLUMNS = sql`m.id, m.conversation_id, m.topic, m.place_seq, m.mentions_everyone`;

/** The newest `limit`, wherever they are. The cost grows with the length of all ranges. */
const anywhere = (userId: number, limit: number): RawBuilder<unknown> => sql`
  newest AS MATERIALIZED (
    SELECT newest.id FROM spans p
     CROSS JOIN LATERAL (SELECT m.id FROM ${unreadIn(userId)}
                          ORDER BY m.seq DESC LIMIT ${limit}) AS newest
     ORDER BY newest.id DESC LIMIT ${limit}
  ), parts AS (
    ${partsOf(sql`SELECT ${COLUMNS} FROM newest JOIN messages m ON m.id = newest.id`)}
  ), cut AS (SELECT false AS is_cut)`;

/** Into about this many steps all ranges together are divided; each costs one look at the index. */
const STEPS = 2048;
const STEPS_A_SPAN = 4;

/**
 * The unread messages in the newest part of each range. In a conversation ids grow with numbers, so a look at the index at
 * every step tells how many messages are newer than which id. The ranges are cut below the id that has `limit` above it.
 * What a range still has below that id is left out: another range may have something newer there that was cut.
 * Each range is grouped by itself: sorting all messages by the text of their topic would be the largest cost.
 */
const nearest = (userId: number, limit: number): RawBuilder<unknown> => sql`
  lengths AS MATERIALIZED (
    SELECT p.*, least(p.last, k.seq) AS top, count(*) OVER () AS spans,
           sum(least(p.last, k.seq) - p.first + 1) OVER () AS total
      FROM spans p JOIN conversation_counters k ON k.conversation_id = p.home_id
     WHERE least(p.last, k.seq) >= p.first
  ), looks AS MATERIALIZED (
    SELECT l.home_id, l.first, l.step, x.seq,
           (SELECT m.id FROM messages m WHERE m.home_id = l.home_id AND m.seq <= x.seq
             ORDER BY m.seq DESC LIMIT 1) AS id
      FROM (SELECT *, greatest(1, (top - first + 1) / greatest(${sql.lit(STEPS_A_SPAN)}, ${sql.lit(STEPS)} / spans)) AS step
              FROM lengths WHERE total > ${limit}) AS l
     CROSS JOIN LATERAL generate_series(l.top - l.step, l.first, -l.step) AS x (seq)
  ), bound AS MATERIALIZED (
    SELECT max(id) AS id
      FROM (SELECT id, sum(step) OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) AS above
              FROM looks WHERE id IS NOT NULL) AS counted
     WHERE above >= ${limit}
  ), cut AS (
    SELECT id IS NOT NULL AS is_cut FROM bound
  ), starts AS MATERIALIZED (
    SELECT l.home_id, l.received, l.last, greatest(l.first, older.seq + 1) AS first
      FROM lengths l
      LEFT JOIN (SELECT k.home_id, k.first, max(k.seq) AS seq FROM looks k JOIN bound ON k.id <= bound.id
                  GROUP BY k.home_id, k.first) AS older
        ON older.home_id = l.home_id AND older.first = l.first
  ), parts AS (
    SELECT part.* FROM starts p
     CROSS JOIN LATERAL (${partsOf(sql`SELECT ${COLUMNS} FROM ${unreadIn(userId)}
                                        AND m.id > coalesce((SELECT id FROM bound), 0)
                                        ORDER BY m.seq DESC LIMIT ${limit}`)}) AS part
  )`;
