import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export interface UserTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly visibilityPolicy: number;
  readonly updatedAt: Date;
}

/** Everything the person has set for topics, in no promised order but always the same. */
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

export async function upsertUserTopic(tx: Db, userId: number, row: UserTopic): Promise<void> {
  await sql`
    INSERT INTO user_topics (user_id, channel_id, topic, visibility_policy, updated_at)
    VALUES (${userId}, ${row.channelId}, ${row.topic}, ${row.visibilityPolicy}, ${row.updatedAt})
    ON CONFLICT (user_id, channel_id, lower(topic)) DO UPDATE
       SET topic = excluded.topic, visibility_policy = excluded.visibility_policy,
           updated_at = excluded.updated_at`.execute(tx);
}

/** False when nothing was set. */
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

export async function countUserTopics(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('userTopics')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
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
