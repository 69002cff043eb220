// Deletes messages. A deleted message leaves a hole in the numbers of its conversation, which never counts as unread.
import { isOwnBot } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { invalidChannel } from '../../conversations/channel/errors.ts';
import { badRequest } from '../../http/errors.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { canDeleteAnyMessage, canDeleteOwnMessage } from '../../rights/permissions/rights.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';
import { accessMessageToTouch, type AccessedMessage } from '../message/access.ts';
import { audienceOf } from '../message/audience.ts';
import { isWithin } from '../message/time-limit.ts';
import { messagesDeleted } from '../message/events.ts';
import { readChannelsForReader, type ChannelForReader } from '../message/channels-for-reader.ts';
import { deleteMessages, listNewestOfTopic, lockCounters } from '../message/store.ts';
import { releaseFiles } from '../uploads/claims.ts';
import { announceFirstMessage } from '../message/first-message.ts';

/** Deletes one message with everything attached to it. */
export function deleteMessage(ctx: Context, actor: User, messageId: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const seen = await accessMessageToTouch(tx, actor, messageId);
    const { message, channel } = seen;
    await checkDeletion(tx, ctx, actor, seen);
    await lockCounters(tx, [message.conversationId]);
    // Read first, because deleting the row also deletes everybody's flags.
    const audience = await audienceOf(tx, message);
    if ((await deleteRows(tx, [message.id])).length === 0) {
      throw badRequest('Message already deleted');
    }
    const from =
      channel === undefined ? undefined : { channelId: channel.channelId, topic: message.topic };
    tx.emit(messagesDeleted([message.id], from), audience);
    if (channel !== undefined) await announceFirstMessage(tx, channel);
  });
}

async function checkDeletion(
  tx: Tx,
  ctx: Context,
  actor: User,
  { message, channel, rights }: AccessedMessage,
): Promise<void> {
  if (canDeleteAnyMessage(rights, channel)) return;
  const isOwn = message.senderId === actor.id || (await isOwnBot(tx, actor.id, message.senderId));
  if (!isOwn || !canDeleteOwnMessage(rights, channel)) {
    throw badRequest("You don't have permission to delete this message");
  }
  const settings = await readOrganizationSettings(tx);
  const limit = settings['message_content_delete_limit_seconds'] as number | null;
  if (!isWithin(limit, message.sentAt, ctx.clock.now(), 0)) {
    throw badRequest('The time limit for deleting this message has passed');
  }
}

/** Returns the messages that existed. Owners of their files get events. */
export async function deleteRows(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const deleted = await releaseFiles(tx, ids, () => deleteMessages(tx, ids));
  return deleted.sort((a, b) => a - b);
}

/** Messages per transaction and event. */
const BATCH = 1000;
const TIME_LIMIT_MS = 50_000;

/** Deletes a whole topic, newest messages first. Returns false when the time is up before the end. */
export async function deleteTopic(
  ctx: Context,
  actor: User,
  channelId: number,
  topicName: string,
): Promise<boolean> {
  const topic = normalizeTopic(topicName);
  const untilMs = performance.now() + TIME_LIMIT_MS;
  while (performance.now() < untilMs) {
    const deleted = await ctx.inTransaction((tx) => deleteBatch(tx, actor, channelId, topic));
    if (deleted < BATCH) return true;
  }
  return false;
}

async function deleteBatch(tx: Tx, actor: User, channelId: number, topic: string): Promise<number> {
  const rights = await readRights(tx, actor);
  const [channel] = await readChannelsForReader(tx, rights, { channelIds: [channelId] });
  if (channel === undefined || !channel.mayRead) throw invalidChannel();
  await lockCounters(tx, [channel.conversationId]);
  const gone = await listNewestOfTopic(tx, channel.conversationId, topic, BATCH);
  await removeFromChannel(tx, channel, topic, gone);
  return gone.length;
}

export interface Gone {
  readonly id: number;
  readonly placeSeq: number;
}

/** Deletes messages of one topic, with one event for its readers. The caller has locked the counter. */
export async function removeFromChannel(
  tx: Tx,
  channel: Pick<ChannelForReader, 'channelId' | 'name' | 'isProtected'>,
  topic: string,
  gone: readonly Gone[],
): Promise<void> {
  if (gone.length === 0) return;
  const { channelId } = channel;
  const sorted = [...gone].sort((a, b) => a.id - b.id);
  const ids = sorted.map(({ id }) => id);
  await deleteRows(tx, ids);
  const seqs = sorted.map(({ placeSeq }) => placeSeq);
  const delivery = channel.isProtected ? { heard: { channel: channelId, seqs } } : undefined;
  tx.emit(messagesDeleted(ids, { channelId, topic }, delivery), {
    channel: channelId,
    who: 'subscribers',
  });
  await announceFirstMessage(tx, channel);
}
