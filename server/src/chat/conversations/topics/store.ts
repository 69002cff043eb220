// Reads and writes what people have set for topics.
import { sql, type RawBuilder } from 'kysely';
import { ROLE } from '../../../accounts/roles.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { keyIn, keyOf } from './names.ts';

export interface UserTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly visibilityPolicy: number;
  readonly updatedAt: Date;
}

/** With the present names of their topics. The rows have the keys. */
const selectUserTopics = (which: RawBuilder<unknown>) => sql<UserTopic>`
  SELECT u.channel_id, coalesce(n.name, u.topic) AS topic, u.visibility_policy, u.updated_at
    FROM user_topics u JOIN channels c ON c.id = u.channel_id
    LEFT JOIN topics n ON n.conversation_id = c.conversation_id AND n.key = lower(u.topic)
   WHERE ${which} ORDER BY u.channel_id, lower(coalesce(n.name, u.topic))`;

/** All of the person's settings for topics, in a stable order. */
export async function listUserTopics(db: Db, userId: number): Promise<UserTopic[]> {
  const { rows } = await selectUserTopics(sql`u.user_id = ${userId}`).execute(db);
  return rows;
}

export async function findUserTopic(
  db: Db,
  userId: number,
  channelId: number,
  topic: string,
): Promise<UserTopic | undefined> {
  const { rows } = await selectUserTopics(sql`u.user_id = ${userId} AND u.channel_id = ${channelId}
    AND lower(u.topic) = ${keyIn(channelId, topic)}`).execute(db);
  return rows[0];
}

/** Every client gets all of them at once, so their number is limited. */
export const USER_TOPICS_MAX = 20_000;

/** The name of the topic as it is shown; undefined when the person has already set `max` others. */
export async function upsertUserTopic(
  tx: Db,
  userId: number,
  row: UserTopic,
  max: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ shown: string }>`
    WITH placed AS MATERIALIZED (
      SELECT p.* FROM channels c CROSS JOIN LATERAL take_topic(c.conversation_id, ${row.topic}) AS p
       WHERE c.id = ${row.channelId}
         AND (SELECT count(*) FROM user_topics WHERE user_id = ${userId}) < ${max}::int
    ), kept AS (
      INSERT INTO user_topics (user_id, channel_id, topic, visibility_policy, updated_at)
      SELECT ${userId}::int, ${row.channelId}::int, stored, ${row.visibilityPolicy}::smallint, ${row.updatedAt}::timestamptz
        FROM placed
      ON CONFLICT (user_id, channel_id, lower(topic)) DO UPDATE
         SET topic = excluded.topic, visibility_policy = excluded.visibility_policy,
             updated_at = excluded.updated_at
    )
    SELECT shown FROM placed`.execute(tx);
  return rows[0]?.shown;
}

export interface TopicForUser {
  readonly visibility: number;
  readonly isChannelMuted: boolean;
  /** Whether this message is the only one in the topic. */
  readonly isNew: boolean;
}

/** A person's policy for a topic, whether they muted its channel, and whether the topic is new. */
export async function getTopicForUser(
  db: Db,
  userId: number,
  at: { readonly channelId: number; readonly conversationId: number; readonly topic: string },
  messageId: number,
): Promise<TopicForUser> {
  const { rows } = await sql<TopicForUser>`
    SELECT coalesce((SELECT visibility_policy FROM user_topics
                      WHERE user_id = ${userId} AND channel_id = ${at.channelId}
                        AND lower(topic) = ${keyOf(at.conversationId, at.topic)}), 0)::int AS visibility,
           coalesce((SELECT is_muted FROM subscriptions
                      WHERE user_id = ${userId} AND channel_id = ${at.channelId} AND is_active),
                    false) AS is_channel_muted,
           NOT EXISTS (SELECT FROM messages
                        WHERE conversation_id = ${at.conversationId}
                          AND lower(topic) = ${keyOf(at.conversationId, at.topic)} AND id <> ${messageId}) AS is_new
  `.execute(db);
  return rows[0] ?? { visibility: 0, isChannelMuted: false, isNew: false };
}

/** Whether the person is subscribed to the channel and has muted it. */
export async function isChannelMuted(db: Db, userId: number, channelId: number): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .select('isMuted')
    .where('userId', '=', userId)
    .where('channelId', '=', channelId)
    .where('isActive', '=', true)
    .executeTakeFirst();
  return row?.isMuted ?? false;
}

/** The visibility that people have set for the topic, by person. */
export async function listSettersOf(
  db: Db,
  channelId: number,
  topic: string,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('userTopics')
    .select(['userId', 'visibilityPolicy'])
    .where('channelId', '=', channelId)
    .where(sql`lower(topic)`, '=', keyIn(channelId, topic))
    .orderBy('userId')
    .execute();
  return new Map(rows.map(({ userId, visibilityPolicy }) => [userId, visibilityPolicy]));
}

/** Those of these people who are subscribed to the channel, or may subscribe by themselves. */
export async function listTopicReaders(
  db: Db,
  channelId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u JOIN channels c ON c.id = ${channelId}
      LEFT JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = u.id AND s.is_active
     WHERE u.id = ANY (${[...userIds]}::int[])
       AND (s.user_id IS NOT NULL OR c.is_web_public OR (NOT c.invite_only AND u.role < ${sql.lit(ROLE.guest)}))`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Returns false when nothing was set. */
export async function deleteUserTopic(
  tx: Db,
  userId: number,
  channelId: number,
  topic: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('userTopics')
    .where('userId', '=', userId)
    .where('channelId', '=', channelId)
    .where(sql`lower(topic)`, '=', keyIn(channelId, topic))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** The muted topics with the names of their channels, for older clients. */
export async function listMutedTopics(
  db: Db,
  userId: number,
): Promise<{ readonly name: string; readonly topic: string; readonly updatedAt: Date }[]> {
  const { rows } = await sql<{ name: string; topic: string; updatedAt: Date }>`
    SELECT c.name, u.topic, u.updated_at
      FROM (${selectUserTopics(sql`u.user_id = ${userId} AND u.visibility_policy = 1`)}) u
      JOIN channels c ON c.id = u.channel_id
     ORDER BY u.channel_id, lower(u.topic)`.execute(db);
  return rows;
}

/** A setting of one person before and after a rename: theirs for the old name, and theirs for the new one. */
export interface SettingOfRenamed extends UserTopic {
  readonly userId: number;
  /** What they had set for the new name, which this replaces. */
  readonly replaced: number | null;
}

/**
 * A topic is about to get a name that no topic has, but for which people may have set something. They keep that, unless
 * they have set something for the topic. Returns the settings that stay as they are.
 */
export async function joinSettings(
  tx: Db,
  channelId: number,
  from: string,
  to: string,
): Promise<SettingOfRenamed[]> {
  const old = keyIn(channelId, from);
  const fresh = keyIn(channelId, to);
  const { rows } = await sql<SettingOfRenamed>`
    WITH gone AS (
      DELETE FROM user_topics u
       WHERE u.channel_id = ${channelId} AND lower(u.topic) = ${fresh} AND ${fresh} <> ${old}
         AND EXISTS (SELECT FROM user_topics o WHERE o.user_id = u.user_id AND o.channel_id = ${channelId}
                        AND lower(o.topic) = ${old})
      RETURNING u.user_id, u.visibility_policy
    ), kept AS (
      UPDATE user_topics u SET topic = ${old}
       WHERE u.channel_id = ${channelId} AND lower(u.topic) = ${fresh} AND ${fresh} <> ${old}
         AND NOT EXISTS (SELECT FROM user_topics o WHERE o.user_id = u.user_id AND o.channel_id = ${channelId}
                            AND lower(o.topic) = ${old})
    )
    SELECT u.user_id, u.channel_id, ${to}::text AS topic, u.visibility_policy, u.updated_at,
           gone.visibility_policy AS replaced
      FROM user_topics u LEFT JOIN gone ON gone.user_id = u.user_id
     WHERE u.channel_id = ${channelId} AND lower(u.topic) = ${old}
     ORDER BY u.user_id`.execute(tx);
  return rows;
}
