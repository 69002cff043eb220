// Names of topics in queries. A topic that was renamed as a whole has a row with its present name, and its messages and
// people's settings keep its key (decision 0106). Every other topic's key is its name in small letters.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';

/** To compare with `lower(messages.topic)`: the key of the topic that has this name now. Matches nothing if none can. */
export const keyOf = (conversationId: number, topic: string): RawBuilder<string | null> =>
  sql<string | null>`(SELECT topic_key(${conversationId}::int, ${topic}::text))`;

/** The same in a channel, to compare with `lower(user_topics.topic)`. */
export const keyIn = (channelId: number, topic: string): RawBuilder<string | null> =>
  sql<
    string | null
  >`(SELECT topic_key(k.conversation_id, ${topic}::text) FROM channels k WHERE k.id = ${channelId})`;

/** Whether the topic that has this name was renamed. */
export const wasRenamed = (conversationId: number, topic: string): RawBuilder<boolean> =>
  sql<boolean>`EXISTS (
    SELECT FROM topics
     WHERE conversation_id = ${conversationId} AND lower(name) = lower(${topic}))`;

/** The topic of a message `m` in `title`, if it was renamed. */
export const JOIN_TITLE: RawBuilder<unknown> = sql`LEFT JOIN LATERAL (
  SELECT key, name, links, words, last_id FROM topics
   WHERE conversation_id = m.conversation_id AND key = lower(m.topic) OFFSET 0) title ON true`;

/** The present name of the topic of `m`, beside JOIN_TITLE. */
export const NAME = sql<string>`coalesce(title.name, m.topic)`;

/** Those of the topics in `places`, a table of `conversation_id` and `key`, that were renamed. */
export const selectTitles = (places: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  SELECT p.conversation_id, p.key, n.name, n.links, n.last_id, n.moved_at, n.moved_rename_id, n.moved_last_id
    FROM ${places} p
   CROSS JOIN LATERAL (
     SELECT * FROM topics WHERE conversation_id = p.conversation_id AND key = p.key OFFSET 0) n`;

export const placeOf = (channelId: number | null, topic: string): string => `${channelId}:${topic}`;

/** The present names of those of these topics that were renamed, by `placeOf`. `topic` is as messages have it. */
export async function listNames(
  db: Db,
  places: readonly { readonly channelId: number; readonly topic: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (places.length === 0) return new Map();
  const { rows } = await sql<{ channelId: number; topic: string; name: string }>`
    SELECT c.id AS channel_id, p.topic, n.name
      FROM unnest(${places.map(({ channelId }) => channelId)}::int[],
                  ${places.map(({ topic }) => topic)}::text[]) AS p (channel_id, topic)
      JOIN channels c ON c.id = p.channel_id
      JOIN topics n ON n.conversation_id = c.conversation_id AND n.key = lower(p.topic)`.execute(
    db,
  );
  return new Map(rows.map(({ channelId, topic, name }) => [placeOf(channelId, topic), name]));
}

/** How a renamed topic is spelled that has this name; undefined if none has. */
export async function findSpelling(
  db: Db,
  conversationId: number,
  topic: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM topics
     WHERE conversation_id = ${conversationId} AND lower(name) = lower(${topic})`.execute(db);
  return rows[0]?.name;
}

export interface NewName {
  readonly conversationId: number;
  readonly key: string;
  readonly name: string;
  readonly links: readonly unknown[];
  /** A rename that is no resolving. */
  readonly moved: { readonly id: number; readonly at: Date } | undefined;
}

/**
 * Gives the topic this name. Another topic that has it has no messages any more, and is forgotten. Returns the name
 * before, if the topic was renamed before, and the newest message of all.
 */
export async function putName(
  tx: Tx,
  { conversationId, key, name, links, moved }: NewName,
): Promise<{ readonly before: string | null; readonly lastId: number }> {
  await sql`
    DELETE FROM topics
     WHERE conversation_id = ${conversationId} AND lower(name) = lower(${name}) AND key <> ${key}`.execute(
    tx,
  );
  const { rows } = await sql<{ before: string | null; lastId: bigint }>`
    WITH newest AS MATERIALIZED (
      SELECT coalesce(pg_sequence_last_value('message_ids'::regclass), 0) AS id
    ), put AS (
      INSERT INTO topics AS t (conversation_id, key, name, links, words, last_id, moved_at, moved_rename_id, moved_last_id)
      SELECT ${conversationId}::int, ${key}::text, ${name}::text, ${JSON.stringify(links)}::jsonb, words_of(${name}),
             newest.id, ${moved?.at ?? null}::timestamptz, ${moved?.id ?? null}::bigint,
             CASE WHEN ${moved !== undefined} THEN newest.id END
        FROM newest
      ON CONFLICT (conversation_id, key) DO UPDATE
         SET name = excluded.name, links = excluded.links, words = excluded.words, last_id = excluded.last_id,
             moved_at = coalesce(excluded.moved_at, t.moved_at),
             moved_rename_id = coalesce(excluded.moved_rename_id, t.moved_rename_id),
             moved_last_id = coalesce(excluded.moved_last_id, t.moved_last_id)
    )
    SELECT newest.id AS last_id, b.name AS before FROM newest
      LEFT JOIN topics b ON b.conversation_id = ${conversationId} AND b.key = ${key}`.execute(tx);
  return { before: rows[0]?.before ?? null, lastId: Number(rows[0]?.lastId ?? 0) };
}
