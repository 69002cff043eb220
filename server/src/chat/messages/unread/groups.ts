// Unread messages in groups, for register. The database returns a row with lists for each conversation, instead of tens of
// thousands of messages. The index messages_unread has all that is wanted of a message, so no message itself is read.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { listNames, placeOf } from '../../conversations/topics/names.ts';
import { VISIBILITY } from '../../conversations/topics/automatic-rules.ts';
import { MENTION_BITS } from '../message/flags.ts';
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
  const near = await findUnread(db, userId, nearest(limit));
  const isShort = near.isCut && countOf(near) < limit;
  const found = isShort ? await findUnread(db, userId, anywhere(userId, limit)) : near;
  const groups = await withNames(db, groupsOf(found, limit));
  return { groups, isWhole: countOf(found) < limit };
}

/** Messages have the keys of their topics. Where a topic was renamed, its name is the same for all spellings. */
async function withNames(db: Db, groups: UnreadGroup[]): Promise<UnreadGroup[]> {
  const ofChannels = groups.filter(({ channelId }) => channelId !== null);
  const names = await listNames(
    db,
    ofChannels.map(({ channelId, topic }) => ({ channelId: channelId ?? 0, topic })),
  );
  if (names.size === 0) return groups;
  const named = groups.map((group) => ({
    ...group,
    topic: names.get(placeOf(group.channelId, group.topic)) ?? group.topic,
  }));
  const together = Map.groupBy(named, ({ channelId, people, topic }) =>
    JSON.stringify([channelId, people, topic]),
  );
  return [...together.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const all = [first, ...others];
    const idsOf = (lists: readonly (readonly number[])[]) => lists.flat().sort((a, b) => a - b);
    return {
      ...first,
      ids: idsOf(all.map(({ ids }) => ids)),
      mentionedIds: idsOf(all.map(({ mentionedIds }) => mentionedIds)),
    };
  });
}

/** Unread messages of one range, or of one conversation that they have come to from elsewhere. */
interface Part {
  readonly channelId: number | null;
  readonly people: readonly number[] | null;
  /** Null where the person is not any more. */
  readonly isChannelMuted: boolean | null;
  readonly ids: readonly number[];
  /** The topic of each of `ids`. */
  readonly topics: readonly string[];
  /** Those of `ids` that came to where they are while the person was not there. */
  readonly hidden: readonly number[];
  readonly toEveryone: readonly number[];
}

type Policy = readonly [channelId: number, topic: string, visibilityPolicy: number];

interface FoundUnread {
  readonly parts: readonly Part[];
  /** Messages that mention the person. */
  readonly called: readonly number[];
  readonly policies: readonly Policy[];
  /** Whether older messages were left out. */
  readonly isCut: boolean;
}

const countOf = ({ parts }: FoundUnread): number =>
  parts.reduce((sum, { ids }) => sum + ids.length, 0);

interface FactsRow {
  readonly isCut: boolean;
  readonly called: string | null;
  readonly policies: readonly Policy[] | null;
}

/** Long lists are texts, and null if they are empty: the driver and the query builder would go through each entry. */
interface PartRow extends Pick<Part, 'channelId' | 'people' | 'isChannelMuted'> {
  readonly ids: string | null;
  readonly topics: string | null;
  readonly hidden: string | null;
  readonly toEveryone: string | null;
}

/**
 * `source` defines `starts`, the ranges that are read, and `bound`: the id above which, null for all. The facts that are
 * not of a part stand in the last row.
 */
async function findUnread(
  db: Db,
  userId: number,
  source: RawBuilder<unknown>,
): Promise<FoundUnread> {
  const { rows } = await sql<PartRow & FactsRow>`
    ${spansOf(userId, sql<boolean>`true`)}, standing AS MATERIALIZED (
      SELECT c.conversation_id, c.id AS channel_id, NULL::int[] AS people, s.is_muted,
             CASE WHEN NOT c.history_public_to_subscribers THEN s.received END AS received
        FROM subscriptions s JOIN channels c ON c.id = s.channel_id
       WHERE s.user_id = ${userId} AND s.is_active
      UNION ALL
      SELECT id, NULL, people, false, NULL FROM conversations
       WHERE kind = 'direct' AND people @> ARRAY[${userId}]::int[]
    ), ${source}, parts AS (${atHome(userId)} UNION ALL ${moved(userId)})
    SELECT g.channel_id, g.people, g.is_muted AS is_channel_muted, u.ids, u.topics, u.hidden, u.to_everyone,
           NULL::boolean AS is_cut, NULL::text AS called, NULL::json AS policies
      FROM parts u LEFT JOIN standing g ON g.conversation_id = u.conversation_id
     WHERE u.ids IS NOT NULL
     UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, bound.id IS NOT NULL,
           (SELECT string_agg(f.message_id::text, ',') FROM message_flags f
             WHERE f.user_id = ${userId} AND f.flags & ${sql.lit(MENTION_BITS)} <> 0
               AND f.message_id > coalesce(bound.id, 0)),
           (SELECT json_agg(json_build_array(t.channel_id, t.topic, t.visibility_policy))
              FROM user_topics t WHERE t.user_id = ${userId})
      FROM bound`.execute(db);
  const facts = rows.find(({ isCut }) => isCut !== null);
  return {
    parts: rows.flatMap(({ ids, topics, hidden, toEveryone, ...part }) =>
      ids === null
        ? []
        : {
            ...part,
            ids: idsIn(ids),
            topics: JSON.parse(topics ?? '[]') as string[],
            hidden: idsIn(hidden ?? ''),
            toEveryone: idsIn(toEveryone ?? ''),
          },
    ),
    called: idsIn(facts?.called ?? ''),
    policies: facts?.policies ?? [],
    isCut: facts?.isCut ?? false,
  };
}

const ABOVE = sql`m.id > coalesce((SELECT id FROM bound), 0)`;

const listsOf = (received: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  string_agg(m.id::text, ',') AS ids, json_agg(m.topic)::text AS topics,
  string_agg(m.id::text, ',') FILTER (WHERE NOT ${received} @> m.place_seq) AS hidden,
  string_agg(m.id::text, ',') FILTER (WHERE m.mentions_everyone) AS to_everyone`;

/** Nearly all messages stand where they were sent to, so what decides about them is looked up once per range. */
const atHome = (userId: number): RawBuilder<unknown> => sql`
  SELECT p.home_id AS conversation_id, part.*
    FROM (SELECT p.*, g.received AS here
            FROM starts p LEFT JOIN standing g ON g.conversation_id = p.home_id) AS p
   CROSS JOIN LATERAL (SELECT ${listsOf(sql`p.here`)} FROM ${unreadIn(userId)}
                          AND m.conversation_id = m.home_id AND ${ABOVE}) AS part`;

const moved = (userId: number): RawBuilder<unknown> => sql`
  SELECT m.conversation_id, ${listsOf(sql`g.received`)}
    FROM starts p
   CROSS JOIN LATERAL (SELECT m.id, m.conversation_id, m.topic, m.place_seq, m.mentions_everyone
                         FROM ${unreadIn(userId)} AND m.conversation_id <> m.home_id AND ${ABOVE}) AS m
    LEFT JOIN standing g ON g.conversation_id = m.conversation_id
   GROUP BY m.conversation_id`;

/** The newest `limit` of what was found, by conversation and topic. */
function groupsOf(found: FoundUnread, limit: number): UnreadGroup[] {
  const { parts, called, policies } = found;
  const from = newest(found, limit);
  const calledIds = new Set(called);
  const policyOf = policyFrom(policies);
  const places = new Map<number | string, Map<string, Gathered>>();
  for (const { channelId, people, isChannelMuted, ids, topics, hidden, toEveryone } of parts) {
    if (isChannelMuted === null) continue;
    const place = channelId ?? String(people);
    const groups = places.get(place) ?? new Map<string, Gathered>();
    places.set(place, groups);
    const hiddenIds = new Set(hidden);
    const mentioned = toEveryone.length === 0 ? calledIds : new Set([...called, ...toEveryone]);
    ids.forEach((id, n) => {
      if (id < from || hiddenIds.has(id)) return;
      const topic = topics[n] ?? '';
      let group = groups.get(topic);
      if (group === undefined) {
        const policy = channelId === null ? VISIBILITY.inherit : policyOf(channelId, topic);
        const isMuted =
          policy === VISIBILITY.inherit ? isChannelMuted : policy === VISIBILITY.muted;
        group = { channelId, people, topic, isMuted, ids: [], mentionedIds: [] };
        groups.set(topic, group);
      }
      group.ids.push(id);
      if (mentioned.has(id)) group.mentionedIds.push(id);
    });
  }
  const all = [...places.values()].flatMap((groups) => [...groups.values()]);
  for (const { ids, mentionedIds } of all) {
    sortAscending(ids);
    sortAscending(mentionedIds);
  }
  return all;
}

interface Gathered extends UnreadGroup {
  readonly ids: number[];
  readonly mentionedIds: number[];
}

/** Most lists come in order already. */
function sortAscending(ids: number[]): void {
  if (ids.some((id, n) => id < (ids[n - 1] ?? 0))) ids.sort((a, b) => a - b);
}

/** The smallest of the newest `limit` ids. Numbers in a buffer are sorted ten times as quickly as in a list. */
function newest(found: FoundUnread, limit: number): number {
  const count = countOf(found);
  if (count <= limit) return 0;
  const ids = new Float64Array(count);
  let at = 0;
  for (const part of found.parts) {
    ids.set(part.ids, at);
    at += part.ids.length;
  }
  return ids.sort()[count - limit] ?? 0;
}

/** What the person set for a topic: for this spelling, or for one that differs in large and small letters. */
function policyFrom(policies: readonly Policy[]): (channelId: number, topic: string) => number {
  const known = new Map<string, number>();
  for (const [channelId, topic, policy] of policies) {
    known.set(`${channelId}:${topic.toLowerCase()}`, policy);
  }
  for (const [channelId, topic, policy] of policies) known.set(`${channelId}:${topic}`, policy);
  return (channelId, topic) =>
    known.get(`${channelId}:${topic}`) ??
    known.get(`${channelId}:${topic.toLowerCase()}`) ??
    VISIBILITY.inherit;
}

/** The newest `limit`, wherever they are. The cost grows with the length of all ranges. */
const anywhere = (userId: number, limit: number): RawBuilder<unknown> => sql`
  bound AS MATERIALIZED (
    SELECT min(id) - 1 AS id FROM (
      SELECT newest.id FROM spans p
       CROSS JOIN LATERAL (SELECT m.id FROM ${unreadIn(userId)}
                            ORDER BY m.seq DESC LIMIT ${limit}) AS newest
       ORDER BY newest.id DESC LIMIT ${limit}) AS newest
  ), starts AS (SELECT * FROM spans)`;

const STEPS_A_SPAN = 4;
/**
 * The newest part of each range. In a conversation ids grow with numbers, so a look at the index at every step tells how many
 * messages are newer than which id. The ranges are cut below the id that has `limit` above it. What a range still has below
 * that id is left out: another range may have something newer there that was cut.
 *
 * A look costs fifteen times what reading one more message costs. So the steps are as many as make both together least: more
 * looks read fewer messages beyond the limit.
 */
const nearest = (limit: number): RawBuilder<unknown> => sql`
  lengths AS MATERIALIZED (
    SELECT p.*, least(p.last, k.seq) AS top, count(*) OVER () AS spans,
           sum(least(p.last, k.seq) - p.first + 1) OVER () AS total
      FROM spans p JOIN conversation_counters k ON k.conversation_id = p.home_id
     WHERE least(p.last, k.seq) >= p.first
  ), looks AS MATERIALIZED (
    SELECT l.home_id, l.first, l.step, x.seq,
           (SELECT m.id FROM messages m WHERE m.home_id = l.home_id AND m.seq <= x.seq
             ORDER BY m.seq DESC LIMIT 1) AS id
      FROM (SELECT *, greatest(1, (top - first + 1) / greatest(${sql.lit(STEPS_A_SPAN)}, (sqrt(total * spans) / 5)::bigint / spans)) AS step
              FROM lengths WHERE total > ${limit}) AS l
     CROSS JOIN LATERAL generate_series(l.top - l.step, l.first, -l.step) AS x (seq)
  ), bound AS MATERIALIZED (
    SELECT max(id) AS id
      FROM (SELECT id, sum(step) OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) AS above
              FROM looks WHERE id IS NOT NULL) AS counted
     WHERE above >= ${limit}
  ), starts AS MATERIALIZED (
    SELECT l.home_id, l.received, l.last, greatest(l.first, older.seq + 1) AS first
      FROM lengths l
      LEFT JOIN (SELECT k.home_id, k.first, max(k.seq) AS seq FROM looks k JOIN bound ON k.id <= bound.id
                  GROUP BY k.home_id, k.first) AS older
        ON older.home_id = l.home_id AND older.first = l.first
  )`;
