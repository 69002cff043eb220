import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export interface Channel {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly inviteOnly: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly isArchived: boolean;
  readonly creatorId: number | null;
  readonly createdAt: Date;
}

export interface Subscription {
  readonly channelId: number;
  readonly color: string;
  readonly isMuted: boolean;
  readonly pinToTop: boolean;
}

const COLUMNS = [
  'id',
  'name',
  'description',
  'inviteOnly',
  'historyPublicToSubscribers',
  'isArchived',
  'creatorId',
  'createdAt',
] as const;

/** Channel ids are 32 bits wide in the database; a larger number names nothing. */
const isChannelId = (id: number): boolean => Number.isInteger(id) && id > 0 && id < 2 ** 31;

export async function findChannel(db: Db, id: number): Promise<Channel | undefined> {
  if (!isChannelId(id)) return undefined;
  return db.selectFrom('channels').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

export async function isSubscribed(db: Db, userId: number, channelId: number): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .select('userId')
    .where('userId', '=', userId)
    .where('channelId', '=', channelId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Every channel, by name. An organization's size bounds it. */
export async function listChannels(db: Db): Promise<Channel[]> {
  return db
    .selectFrom('channels')
    .select(COLUMNS)
    .orderBy(sql`lower(name)`)
    .execute();
}

export async function listSubscriptions(db: Db, userId: number): Promise<Subscription[]> {
  return db
    .selectFrom('subscriptions')
    .select(['channelId', 'color', 'isMuted', 'pinToTop'])
    .where('userId', '=', userId)
    .execute();
}

/** Active subscribers of every channel, each list ascending. */
export async function listSubscribers(db: Db): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.userId')
    .select('subscriptions.channelId')
    .select(sql<number[]>`array_agg(users.id ORDER BY users.id)`.as('userIds'))
    .where('users.isActive', '=', true)
    .groupBy('subscriptions.channelId')
    .execute();
  return new Map(rows.map(({ channelId, userIds }) => [channelId, userIds]));
}
