// Reads and writes what people have set for topics.
import { sql } from 'kysely';
import { ROLE } from '../../../accounts/roles.ts';
import type { Db } from '../../../platform/db/pool.ts';

export interface UserTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly visibilityPolicy: number;
  readonly updatedAt: Date;
}

/** All of the person's settings for topics, in a stable order. */
export async function listUserTopics(db: Db, userId: number): Promise<UserTopic[]> {
  return db
    .selectFrom('userTopics')
    .select(['channelId', 'topic', 'visibilityPolicy', 'updatedAt'])
    .where('userId', '=', userId)
    .orderBy('channelId')
    .orderBy(sql`lower(topic)`)
    .execute();
}

export async function findUserTopic(
  db: Db,
  userId: number,
  channelId: number,
  topic: string,
): Promise<UserTopic | undefined> {
  return db
    .selectFrom('userTopics')
    .select(['channelId', 'topic', 'visibilityPolicy', 'updatedAt'])
    .where('userId', '=', userId)
    .where('channelId', '=', channelId)
    .where(sql`lower(topic)`, '=', sql`lower(${topic})`)
    .executeTakeFirst();
}

/** Every client gets all of them at once, so their number is limited. */
export const USER_TOPICS_MAX = 20_000;

/** Returns false when the person has already set `max` others. */
export async function upsertUserTopic(
  tx: Db,
  userId: number,
  row: UserTopic,
  max: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO user_topics (user_id, channel_id, topic, visibility_policy, updated_at)
    SELECT ${userId}, ${row.channelId}, ${row.topic}, ${row.visibilityPolicy}, ${row.updatedAt}
     WHERE (SELECT count(*) FROM user_topics WHERE user_id = ${userId}) < ${max}::int
    ON CONFLICT (user_id, channel_id, lower(topic)) DO UPDATE
       SET topic = excluded.topic, visibility_policy = excluded.visibility_policy,
           updated_at = excluded.updated_at`.execute(tx);
  return numAffectedRows === 1n;
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
                        AND lower(topic) = lower(${at.topic})), 0)::int AS visibility,
           coalesce((SELECT is_muted FROM subscriptions
                      WHERE user_id = ${userId} AND channel_id = ${at.channelId} AND is_active),
                    false) AS is_channel_muted,
           NOT EXISTS (SELECT FROM messages
                        WHERE conversation_id = ${at.conversationId}
                          AND lower(topic) = lower(${at.topic}) AND id <> ${messageId}) AS is_new
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
    .where(sql`lower(topic)`, '=', sql`lower(${topic})`)
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
    .where(sql`lower(topic)`, '=', sql`lower(${topic})`)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** The muted topics with the names of their channels, for older clients. */
export async function listMutedTopics(
  db: Db,
  userId: number,
): Promise<{ readonly name: string; readonly topic: string; readonly updatedAt: Date }[]> {
  return db
    .selectFrom('userTopics')
    .innerJoin('channels', 'channels.id', 'userTopics.channelId')
    .select(['channels.name', 'userTopics.topic', 'userTopics.updatedAt'])
    .where('userId', '=', userId)
    .where('visibilityPolicy', '=', 1)
    .orderBy('channelId')
    .orderBy(sql`lower(topic)`)
    .execute();
}
