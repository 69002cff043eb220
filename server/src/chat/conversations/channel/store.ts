import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import { CHANNEL_COLUMNS, toChannel, type Channel } from './channel.ts';
import type { Privacy } from './rules.ts';

export async function findChannel(db: Db, id: number): Promise<Channel | undefined> {
  if (!isRowId(id)) return undefined;
  const row = await db
    .selectFrom('channels')
    .select(CHANNEL_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toChannel(row);
}

/** The channel, kept from changing until the transaction ends. */
export async function lockChannel(tx: Db, id: number): Promise<Channel | undefined> {
  if (!isRowId(id)) return undefined;
  const row = await tx
    .selectFrom('channels')
    .select(CHANNEL_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toChannel(row);
}

/** The channels as they are, and as they stay until the transaction ends; others may read and join. */
export async function shareChannels(tx: Db, ids: readonly number[]): Promise<Channel[]> {
  const rows = await tx
    .selectFrom('channels')
    .select(CHANNEL_COLUMNS)
    .where('id', '=', sql<number>`ANY (${ids}::int[])`)
    .orderBy('id')
    .forShare()
    .execute();
  return rows.map(toChannel);
}

/** Whatever the case of the letters, archived ones too. */
export async function listChannelsByName(db: Db, names: readonly string[]): Promise<Channel[]> {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('channels')
    .select(CHANNEL_COLUMNS)
    .where(sql`lower(name)`, '=', sql`ANY (SELECT lower(n) FROM unnest(${names}::text[]) n)`)
    .execute();
  return rows.map(toChannel);
}

export async function findChannelByName(db: Db, name: string): Promise<Channel | undefined> {
  return (await listChannelsByName(db, [name]))[0];
}

/** Every channel, by name. An organization's size bounds it. */
export async function listChannels(db: Db): Promise<Channel[]> {
  const rows = await db
    .selectFrom('channels')
    .select(CHANNEL_COLUMNS)
    .orderBy(sql`lower(name)`)
    .execute();
  return rows.map(toChannel);
}

export interface NewChannelRow extends Privacy {
  readonly name: string;
  readonly description: string;
  readonly creatorId: number;
  readonly createdAt: Date;
  readonly folderId: number | null;
  readonly topicsPolicy: string;
  readonly messageRetentionDays: number | null;
  readonly defaultPushNotifications: boolean;
}

/** Undefined when the name is taken. */
export async function insertChannel(tx: Db, row: NewChannelRow): Promise<Channel | undefined> {
  const inserted = await tx
    .insertInto('channels')
    .values(row)
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
    .returning(CHANNEL_COLUMNS)
    .executeTakeFirst();
  return inserted && toChannel(inserted);
}

export async function updateChannel(
  tx: Db,
  id: number,
  changes: Partial<Omit<NewChannelRow, 'creatorId' | 'createdAt'> & { isArchived: boolean }>,
): Promise<void> {
  await tx.updateTable('channels').set(changes).where('id', '=', id).execute();
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

/** The person's part in each of these channels, or in all: a row stays when its person leaves. */
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

export async function isDefaultChannel(db: Db, channelId: number): Promise<boolean> {
  const row = await db
    .selectFrom('defaultChannels')
    .select('channelId')
    .where('channelId', '=', channelId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether messages stand in any topic but the empty one. */
export async function hasOtherTopics(db: Db, conversationId: number): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('conversationId', '=', conversationId)
    .where('topic', '<>', '')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
