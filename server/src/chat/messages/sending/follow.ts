// After a message was posted: its topic is followed or unmuted for people whose settings say so.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { followByMention, followBySending } from '../../conversations/topics/automatic.ts';
import type { Target } from '../message/channels-for-reader.ts';
import type { Posted } from './post.ts';

/**
 * Follows the topic for the sender, and for people who are mentioned by name and get the message. Returns the sender's
 * new setting for the topic, if it changed.
 */
export async function followTopic(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  sender: User,
  target: Target,
  { id: messageId, toldByName }: Posted,
): Promise<number | undefined> {
  if (target.kind !== 'channel') return undefined;
  const { channelId, conversationId } = target.channel;
  const topic = { channelId, conversationId, topic: target.topic };
  const newVisibility = await followBySending(tx, ctx, sender, { ...topic, messageId });
  await followByMention(tx, ctx, toldByName, topic);
  return newVisibility;
}
