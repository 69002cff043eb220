// Marks many messages as read at once. It lists the unread messages without a lock, then marks them in short
// transactions that lock only the person's own marks. So marking never makes senders wait.
import { sql } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { keyOf } from '../../conversations/topics/names.ts';
import { badRequest } from '../../http/errors.ts';
import { readChannelsForReader, type ChannelForReader } from '../message/channels-for-reader.ts';
import { fromMessages } from '../message/joins.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { UNREAD_MAX } from '../unread/access.ts';
import { announceUnread, markRead } from './actions.ts';
import { flagsAdded } from './events.ts';
import { markHomes, markStretches, stretchesOf } from './marking.ts';
import { awaitSends, listConversations } from './store.ts';
import { listUnreadHomes, listUnreadIds, type UnreadFilter } from '../unread/lists.ts';

/** Messages per transaction and event. Between batches the process can do other work. */
const MARK_BATCH = 1000;

/** Marks a whole channel, or one topic of it, as read. Messages sent meanwhile may stay unread. */
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
  // The ranges are read before the unread messages are listed. So every message in them that is unread and recent is
  // also in an event.
  const stretches =
    topic === undefined ? await stretchesOf(ctx.db, channel.conversationId) : undefined;
  const { conversationId } = channel;
  await markListed(ctx, actor.id, {
    conversationId,
    ...(topic !== undefined && { topic }),
  });
  if (stretches === undefined) return;
  // Messages too old to be listed one by one.
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
     WHERE m.conversation_id = ${channel.conversationId}
       AND lower(m.topic) = ${keyOf(channel.conversationId, topic)} AND ${seen}
     LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Marks all messages of one sender as read for one person. */
export const markReadFrom = (ctx: Context, userId: number, senderId: number): Promise<void> =>
  markListed(ctx, userId, { senderId });

/** Newest first, because those are on the screen. Messages that were read meanwhile are not in the event. */
async function markListed(ctx: Context, userId: number, filter: UnreadFilter): Promise<void> {
  const ids = await listUnreadIds(ctx.db, userId, UNREAD_MAX, filter);
  for (let from = 0; from < ids.length; from += MARK_BATCH) {
    await ctx.inTransaction((tx) =>
      markRead(tx, userId, ids.slice(from, from + MARK_BATCH), 'add'),
    );
  }
}

/** Returns when all sends to the person that had begun are committed. */
export async function awaitSendsTo({ db }: Context, userId: number): Promise<void> {
  await awaitSends(db, await listConversations(db, userId));
}

/**
 * Marks everything as read, newest messages first. Returns false when the time is up before the end; at least one
 * batch is done by then. Each batch has its event, so other clients follow even if nobody asks again. A message sent
 * meanwhile stays unread, but at the final event clients mark everything they know as read. So a last event lists
 * the messages that are unread after all.
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
  // Messages older than any that clients list. They are marked together, so none is marked before a newer one.
  const homes = await listUnreadHomes(ctx.db, actor.id);
  await ctx.inTransaction(async (tx) => {
    await markHomes(tx, actor.id, homes);
    tx.emit(flagsAdded('read', [], true), { users: [actor.id] });
  });
  // A send that began before the final event may commit after it. Wait for such sends before listing.
  await awaitSendsTo(ctx, actor.id);
  const ids = await listUnreadIds(ctx.db, actor.id, UNREAD_MAX, {});
  for (let from = 0; from < ids.length; from += MARK_BATCH) {
    await ctx.inTransaction((tx) =>
      announceUnread(tx, actor.id, ids.slice(from, from + MARK_BATCH)),
    );
  }
  return true;
}
