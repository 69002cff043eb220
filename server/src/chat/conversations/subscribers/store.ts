// The rows of subscriptions.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import type { Subscription } from './subscription.ts';

/**
 * Locks the counters and returns the last message number of each conversation. No message can be added until the
 * commit.
 */
export async function holdCounters(
  tx: Db,
  conversationIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await tx
    .selectFrom('conversationCounters')
    .select(['conversationId', 'seq'])
    .where('conversationId', '=', sql<number>`ANY (${conversationIds}::int[])`)
    .orderBy('conversationId')
    .forShare()
    .execute();
  return new Map(rows.map(({ conversationId, seq }) => [conversationId, Number(seq)]));
}

const OWN_COLUMNS = [
  'color',
  'isMuted',
  'pinToTop',
  'desktopNotifications',
  'audibleNotifications',
  'pushNotifications',
  'emailNotifications',
  'wildcardMentionsNotify',
] as const;

export interface Joining {
  readonly userId: number;
  readonly color: string;
}

/**
 * Subscribes these people from the number after `seq` on, and returns those who were not subscribed. People who come
 * back keep their settings.
 */
export async function activateSubscriptions(
  tx: Db,
  channelId: number,
  seq: number,
  joining: readonly Joining[],
): Promise<Map<number, Subscription>> {
  if (joining.length === 0) return new Map();
  const userIds = joining.map(({ userId }) => userId);
  const colors = joining.map(({ color }) => color);
  const { rows } = await sql<Subscription & { userId: number }>`
    INSERT INTO subscriptions (user_id, channel_id, color, is_active, received)
    SELECT j.user_id, ${channelId}::int, j.color, true, int8multirange(int8range(${seq + 1}::int8, NULL))
      FROM unnest(${userIds}::int[], ${colors}::text[]) AS j (user_id, color)
     ORDER BY j.user_id
    ON CONFLICT (user_id, channel_id) DO UPDATE
       SET is_active = true, received = subscriptions.received + excluded.received
     WHERE NOT subscriptions.is_active
    RETURNING user_id, color, is_muted, pin_to_top, desktop_notifications, audible_notifications,
              push_notifications, email_notifications, wildcard_mentions_notify`.execute(tx);
  const sorted = rows.sort((a, b) => a.userId - b.userId);
  return new Map(sorted.map(({ userId, ...own }) => [userId, own]));
}

/** Ends these people's subscriptions after the number `seq`; returns those who were subscribed, ascending. */
export async function deactivateSubscriptions(
  tx: Db,
  channelId: number,
  seq: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    UPDATE subscriptions
       SET is_active = false, received = received * int8multirange(int8range(NULL, ${seq + 1}::int8))
     WHERE channel_id = ${channelId} AND user_id = ANY (${userIds}::int[]) AND is_active
    RETURNING user_id`.execute(tx);
  return rows.map(({ userId }) => userId).sort((a, b) => a - b);
}

/** The colours that each of these people uses already. */
export async function listColors(
  db: Db,
  userIds: readonly number[],
): Promise<Map<number, Set<string>>> {
  const { rows } = await sql<{ userId: number; colors: string[] }>`
    SELECT user_id, array_agg(DISTINCT color) AS colors FROM subscriptions
     WHERE user_id = ANY (${userIds}::int[]) GROUP BY user_id`.execute(db);
  return new Map(rows.map(({ userId, colors }) => [userId, new Set(colors)]));
}

export async function countSubscribers(db: Db, channelId: number): Promise<number> {
  const { count } = await db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.userId')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where('subscriptions.channelId', '=', channelId)
    .where('subscriptions.isActive', '=', true)
    .where('users.isActive', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Subscribers who are active, ascending. */
export async function listSubscriberIds(db: Db, channelId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.userId')
    .select('users.id')
    .where('subscriptions.channelId', '=', channelId)
    .where('subscriptions.isActive', '=', true)
    .where('users.isActive', '=', true)
    .orderBy('users.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The subscribers of every channel, ascending, at most `limit` per channel. */
export async function listAllSubscribers(db: Db, limit: number): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ channelId: number; userIds: number[] }>`
    SELECT channel_id, array_agg(user_id ORDER BY user_id) AS user_ids
      FROM (SELECT s.channel_id, s.user_id,
                   row_number() OVER (PARTITION BY s.channel_id ORDER BY s.user_id) AS place
              FROM subscriptions s JOIN users u ON u.id = s.user_id
             WHERE s.is_active AND u.is_active) AS placed
     WHERE place <= ${limit}
     GROUP BY channel_id`.execute(db);
  return new Map(rows.map(({ channelId, userIds }) => [channelId, userIds]));
}

/** The person's settings for every channel they were ever subscribed to. */
export async function listOwn(
  db: Db,
  userId: number,
): Promise<Map<number, Subscription & { readonly isActive: boolean }>> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(OWN_COLUMNS)
    .select(['channelId', 'isActive'])
    .where('userId', '=', userId)
    .execute();
  return new Map(rows.map(({ channelId, ...own }) => [channelId, own]));
}

/** The settings of each subscriber of the channel, by person, ascending. */
export async function listOwnOf(db: Db, channelId: number): Promise<Map<number, Subscription>> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.userId')
    .select(OWN_COLUMNS)
    .select('subscriptions.userId')
    .where('channelId', '=', channelId)
    .where('subscriptions.isActive', '=', true)
    .where('users.isActive', '=', true)
    .orderBy('subscriptions.userId')
    .execute();
  return new Map(rows.map(({ userId, ...own }) => [userId, own]));
}

export async function isSubscribed(db: Db, userId: number, channelId: number): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .select('userId')
    .where('userId', '=', userId)
    .where('channelId', '=', channelId)
    .where('isActive', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}

export type Property = keyof Subscription;

/** False when the person is not subscribed. */
export async function updateSubscription(
  tx: Db,
  userId: number,
  channelId: number,
  property: Property,
  value: boolean | string,
): Promise<boolean> {
  if (!isRowId(channelId)) return false;
  const { numUpdatedRows } = await tx
    .updateTable('subscriptions')
    .set({ [property]: value })
    .where('userId', '=', userId)
    .where('channelId', '=', channelId)
    .where('isActive', '=', true)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function listSubscribedChannelIds(db: Db, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('channels', 'channels.id', 'subscriptions.channelId')
    .select('channelId')
    .where('userId', '=', userId)
    .where('subscriptions.isActive', '=', true)
    .where('channels.isArchived', '=', false)
    .orderBy('channelId')
    .execute();
  return rows.map(({ channelId }) => channelId);
}

/** Those of these people who are subscribed, ascending. */
export async function listSubscribedAmong(
  db: Db,
  channelId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    SELECT user_id FROM subscriptions
     WHERE channel_id = ${channelId} AND is_active AND user_id = ANY (${[...userIds]}::int[])
     ORDER BY user_id`.execute(db);
  return rows.map(({ userId }) => userId);
}

/** Counts no further than `limit`, and counts deactivated people too. */
export async function countSubscribersUpTo(
  db: Db,
  channelId: number,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    SELECT FROM subscriptions WHERE channel_id = ${channelId} AND is_active
     LIMIT ${limit}`.execute(db);
  return rows.length;
}

/** Whether the channel has more than `limit` subscribers; counted no further. */
export async function hasMoreSubscribers(
  db: Db,
  channelId: number,
  limit: number,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM subscriptions WHERE channel_id = ${channelId} AND is_active
    OFFSET ${limit} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** How many active people are subscribed, by channel; all channels when none are named. */
export async function countSubscribersByChannel(
  db: Db,
  channelIds?: readonly number[],
): Promise<Map<number, number>> {
  const which =
    channelIds === undefined ? sql`` : sql`AND s.channel_id = ANY (${channelIds}::int[])`;
  const { rows } = await sql<{ channelId: number; count: number }>`
    SELECT s.channel_id, count(*)::int AS count
      FROM subscriptions s JOIN users u ON u.id = s.user_id
     WHERE s.is_active AND u.is_active ${which}
     GROUP BY s.channel_id`.execute(db);
  return new Map(rows.map(({ channelId, count }) => [channelId, count]));
}

/** The person's subscriptions to these channels, or to all, ended ones included. */
export async function listMemberships(
  db: Db,
  userId: number,
  channelIds?: readonly number[],
): Promise<Map<number, { readonly isActive: boolean; readonly received: string }>> {
  let query = db
    .selectFrom('subscriptions')
    .select(['channelId', 'isActive'])
    .select(sql<string>`received::text`.as('received'))
    .where('userId', '=', userId);
  if (channelIds !== undefined) {
    query = query.where('channelId', '=', sql<number>`ANY (${channelIds}::int[])`);
  }
  const rows = await query.execute();
  return new Map(rows.map(({ channelId, ...rest }) => [channelId, rest]));
}
