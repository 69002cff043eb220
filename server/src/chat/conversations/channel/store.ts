// Reads and writes the rows of channels, and reads who is subscribed.
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

/** The channel, locked until the transaction ends. */
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

/** The channels, protected from changes until the transaction ends; others may read and join them. */
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

/** Case-insensitive; includes archived channels. */
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

/** Every channel, by name. Bounded by the size of the organization. */
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

/** What the notification bot needs to know about a channel to post in it. */
export interface NoticeChannel {
  readonly channelId: number;
  readonly conversationId: number;
  readonly name: string;
  readonly topicsPolicy: string;
  readonly isArchived: boolean;
}

export async function findNoticeChannel(
  db: Db,
  channelId: number,
): Promise<NoticeChannel | undefined> {
  return db
    .selectFrom('channels')
    .select(['id as channelId', 'conversationId', 'name', 'topicsPolicy', 'isArchived'])
    .where('id', '=', channelId)
    .executeTakeFirst();
}

/** The channel of a conversation; null for a direct one. */
export async function findChannelIdOf(db: Db, conversationId: number): Promise<number | null> {
  const row = await db
    .selectFrom('channels')
    .select('id')
    .where('conversationId', '=', conversationId)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Those of these channels that exist and are not archived. */
export async function listUnarchivedChannels(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('channels')
    .select('id')
    .where('id', '=', sql<number>`ANY (${ids.filter(isRowId)}::int[])`)
    .where('isArchived', '=', false)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Whether a channel is in the folder. */
export async function hasChannelIn(db: Db, folderId: number): Promise<boolean> {
  const row = await db
    .selectFrom('channels')
    .select('id')
    .where('folderId', '=', folderId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
