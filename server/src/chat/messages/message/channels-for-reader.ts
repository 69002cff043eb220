// Channels as one reader sees them: whether the person may see and read each one. chat/rights/permissions decides;
// this file gathers the facts for many channels at once.
import { sql, type RawBuilder } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { ABOUT, remembered } from '../../../platform/facts/memory.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import {
  permissionsIn,
  readChannelPermissions,
  readPrincipals,
  readRights,
} from '../../rights/permissions/access.ts';
import {
  canReadChannel,
  canSeeChannel,
  type ChannelFacts,
  type Principal,
  type Rights,
} from '../../rights/permissions/rights.ts';
import { parseReceived, type Received } from '../../conversations/channel/received.ts';
import type { TopicsPolicy } from '../../conversations/channel/channel.ts';

export interface ChannelForReader extends ChannelFacts {
  readonly channelId: number;
  readonly conversationId: number;
  readonly name: string;
  readonly topicsPolicy: TopicsPolicy;
  readonly firstMessageId: number | null;
  readonly received: Received;
  readonly maySee: boolean;
  readonly mayRead: boolean;
  /** Its messages can be read only by people who were subscribed when they were sent. */
  readonly isProtected: boolean;
}

/** What is needed of a channel to write there. */
export type ChannelRef = Pick<ChannelForReader, 'channelId' | 'conversationId'> & {
  readonly name?: string | undefined;
};

/** Where a message is to be posted. */
export type Target<P extends ChannelRef = ChannelForReader> =
  | { readonly kind: 'channel'; readonly channel: P; readonly topic: string }
  | { readonly kind: 'direct'; readonly people: readonly number[] };

/** Which channels to look at. `joined` are those with a present or a past subscription. */
export type Among =
  | { readonly channelIds: readonly number[] }
  | { readonly conversationIds: readonly number[] }
  | { readonly names: readonly string[] }
  | 'joined'
  | 'all';

interface ChannelForReaderRow {
  readonly channelId: number;
  readonly conversationId: number;
  readonly name: string;
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly isArchived: boolean;
  readonly topicsPolicy: string;
  readonly firstMessageId: bigint | null;
  readonly isSubscribed: boolean;
  readonly received: string;
}

export interface ReaderScope {
  readonly rights: Rights;
  readonly channels: readonly ChannelForReader[];
}

export async function readReaderScope(
  db: Db,
  actor: Pick<User, 'id' | 'role'>,
  among: Among,
): Promise<ReaderScope> {
  const rights = await readRights(db, actor);
  return { rights, channels: await readChannelsForReader(db, rights, among) };
}

/** More are read each time: a list of them is seldom asked for twice. */
const REMEMBERED_MAX = 5;

export function readChannelsForReader(
  db: Db,
  rights: Rights,
  among: Among,
): Promise<readonly ChannelForReader[]> {
  const key = typeof among === 'string' ? among : keyOf(among);
  if (key === undefined) return loadChannels(db, rights, among);
  const about = [rights.id, ABOUT.everybody];
  return remembered(db, `channels ${rights.id} ${rights.role} ${key}`, about, () =>
    loadChannels(db, rights, among),
  );
}

function keyOf(among: Exclude<Among, string>): string | undefined {
  const [given = []] = Object.values(among) as (readonly (string | number)[])[];
  return given.length > REMEMBERED_MAX ? undefined : JSON.stringify(among);
}

async function loadChannels(db: Db, rights: Rights, among: Among): Promise<ChannelForReader[]> {
  const { rows } = await sql<ChannelForReaderRow>`
    SELECT c.id AS channel_id, c.conversation_id, c.name, c.invite_only, c.is_web_public,
           c.history_public_to_subscribers, c.is_archived, c.topics_policy, c.first_message_id,
           coalesce(s.is_active, false) AS is_subscribed,
           coalesce(s.received::text, '{}') AS received
      FROM channels c LEFT JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = ${rights.id}
     WHERE ${condition(among)}`.execute(db);
  const ids = rows.map(({ channelId }) => channelId);
  const table = await readChannelPermissions(db, ids);
  return rows.map((row) => {
    const channel = {
      ...row,
      topicsPolicy: row.topicsPolicy as TopicsPolicy,
      firstMessageId: row.firstMessageId === null ? null : Number(row.firstMessageId),
      received: parseReceived(row.received),
      permissions: permissionsIn(table, row.channelId),
    };
    return {
      ...channel,
      maySee: canSeeChannel(rights, channel),
      mayRead: canReadChannel(rights, channel),
      isProtected: !row.historyPublicToSubscribers && !row.isWebPublic,
    };
  });
}

/** The facts about one channel for several people at once; empty when there is no such channel. */
export async function listChannelFacts(
  db: Db,
  channelId: number,
  people: readonly Pick<User, 'id' | 'role'>[],
): Promise<ReadonlyMap<number, { readonly who: Principal; readonly channel: ChannelFacts }>> {
  const facts = await db
    .selectFrom('channels')
    .select(['inviteOnly', 'isWebPublic', 'historyPublicToSubscribers', 'isArchived'])
    .where('id', '=', channelId)
    .executeTakeFirst();
  if (facts === undefined) return new Map();
  const subscribed = await db
    .selectFrom('subscriptions')
    .select('userId')
    .where('channelId', '=', channelId)
    .where('isActive', '=', true)
    .where('userId', '=', sql<number>`ANY (${people.map(({ id }) => id)}::int[])`)
    .execute();
  const inside = new Set(subscribed.map(({ userId }) => userId));
  const permissions = permissionsIn(await readChannelPermissions(db, [channelId]), channelId);
  const principals = await readPrincipals(db, people);
  return new Map(
    principals.map((who) => [
      who.id,
      { who, channel: { ...facts, isSubscribed: inside.has(who.id), permissions } },
    ]),
  );
}

function condition(among: Among): RawBuilder<boolean> {
  if (among === 'all') return sql<boolean>`true`;
  if (among === 'joined') return sql<boolean>`s.user_id IS NOT NULL`;
  if ('names' in among) {
    return sql<boolean>`lower(c.name) IN (SELECT lower(n) FROM unnest(${[...among.names]}::text[]) n)`;
  }
  if ('channelIds' in among)
    return sql<boolean>`c.id = ANY (${among.channelIds.filter(isRowId)}::int[])`;
  return sql<boolean>`c.conversation_id = ANY (${among.conversationIds.filter(isRowId)}::int[])`;
}
