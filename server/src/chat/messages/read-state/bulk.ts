// Marking many messages as read at once. What is unread is listed without holding anything; then it is written in
// short transactions that hold nothing but the person's own marks. So nobody's sending waits for somebody's reading.
import { sql } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { badRequest } from '../../http/errors.ts';
import { readChannelsForReader, type ChannelForReader } from '../message/channels-for-reader.ts';
import { fromMessages } from '../message/rows.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { UNREAD_MAX } from '../unread/access.ts';
import { announceUnread, markRead } from './actions.ts';
import { flagsAdded } from './events.ts';
import { markHomes, markStretches, stretchesOf } from './marking.ts';
import { awaitSends, listConversations } from './store.ts';
import { listUnreadHomes, listUnreadIds, type UnreadFilter } from '../unread/lists.ts';

/** Messages that are marked in one transaction and told in one event: the process has other things to do between. */
const MARK_BATCH = 1000;

/** Marks a whole channel, or one topic of it, as read. What is sent after this began may stay unread. */
export async function markChannelRead(
  ctx: Context,
  actor: User,
  channelId: number,
  topic?: string,
): Promise<void> {
  const channel = await accessChannelToMark(ctx.db, actor, channelId);
  if (topic !== undefined && !(await hasVisibleTopic(ctx.db, actor.id, channel, topic))) {
    throw badRequest(`No such topic '${topic}'`);
  }
  // What is there is looked up before what is unread of it: nothing is marked that is not told.
  const stretches =
    topic === undefined ? await stretchesOf(ctx.db, channel.conversationId) : undefined;
  const { conversationId } = channel;
  await markListed(ctx, actor.id, {
    conversationId,
    ...(topic !== undefined && { topic }),
  });
  if (stretches === undefined) return;
  // What is too old to be told one by one.
  await ctx.inTransaction((tx) => markStretches(tx, actor.id, stretches));
}

async function accessChannelToMark(
  db: Db,
  actor: User,
  channelId: number,
): Promise<ChannelForReader> {
  const rights = await readRights(db, actor);
  const [channel] = await readChannelsForReader(db, rights, { channelIds: [channelId] });
  if (channel === undefined || !channel.mayRead) throw badRequest('Invalid channel ID');
  return channel;
}

async function hasVisibleTopic(
  db: Db,
  readerId: number,
  channel: ChannelForReader,
  topic: string,
): Promise<boolean> {
  const seen = channel.isProtected ? sql`coalesce(s.received @> m.place_seq, false)` : sql`true`;
  const { rows } = await sql`
    SELECT FROM ${fromMessages(readerId)}
     WHERE m.conversation_id = ${channel.conversationId} AND lower(m.topic) = lower(${topic}) AND ${seen}
     LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Marks what somebody wrote as read, for one person. */
export const markReadFrom = (ctx: Context, userId: number, senderId: number): Promise<void> =>
  markListed(ctx, userId, { senderId });

/** The newest first, as those are on somebody's screen. What was read meanwhile is not told again. */
async function markListed(ctx: Context, userId: number, filter: UnreadFilter): Promise<void> {
  const ids = await listUnreadIds(ctx.db, userId, UNREAD_MAX, filter);
  for (let from = 0; from < ids.length; from += MARK_BATCH) {
    await ctx.inTransaction((tx) =>
      markRead(tx, userId, ids.slice(from, from + MARK_BATCH), 'add'),
    );
  }
}

/** Returns when everything is committed that was being sent to the person. */
export async function awaitSendsTo({ db }: Context, userId: number): Promise<void> {
  await awaitSends(db, await listConversations(db, userId));
}

/**
 * Marks everything as read, the newest messages first; false when the time was up before the end, and then at least
 * one batch is done. Each batch is told, so other clients follow even if nobody asks again. What is sent while this
 * works stays unread, but clients mark everything that they know when they are told of the end. So they are told
 * afterwards what is unread all the same.
 */
export async function markAllRead(ctx: Context, actor: User): Promise<boolean> {
  const { CHAT_MARK_ALL_BATCH: batch, CHAT_MARK_ALL_MS: limitMs } = ctx.config;
  const untilMs = performance.now() + limitMs;
  const newest = await listUnreadIds(ctx.db, actor.id, UNREAD_MAX, {});
  for (let from = 0; from < newest.length; from += batch) {
    if (from > 0 && performance.now() >= untilMs) return false;
    await ctx.inTransaction((tx) =>
      markRead(tx, actor.id, newest.slice(from, from + batch), 'add'),
    );
  }
  // What is older than all that a client is told of: all of it at once, so no older message comes before a newer one.
  const homes = await listUnreadHomes(ctx.db, actor.id);
  await ctx.inTransaction(async (tx) => {
    await markHomes(tx, actor.id, homes);
    tx.emit(flagsAdded('read', [], true), { users: [actor.id] });
  });
  // A message whose sender had begun before the end was told can be told before it, and be committed after it.
  await awaitSendsTo(ctx, actor.id);
  const ids = await listUnreadIds(ctx.db, actor.id, UNREAD_MAX, {});
  for (let from = 0; from < ids.length; from += MARK_BATCH) {
    await ctx.inTransaction((tx) =>
      announceUnread(tx, actor.id, ids.slice(from, from + MARK_BATCH)),
    );
  }
  return true;
}
