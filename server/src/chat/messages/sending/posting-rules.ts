// What a sender may do at a target: start a topic, and mention groups and crowds.
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';
import { asBotOrOwner } from '../../rights/permissions/bot-owner.ts';
import { canCreateTopic, type Rights } from '../../rights/permissions/rights.ts';
import type { ChannelForReader, Target } from '../message/channels-for-reader.ts';
import { hasTopic, lockCounters } from '../message/store.ts';
import { checkMentions } from './mention-rights.ts';
import type { OutgoingMessage } from './prepare.ts';

/** Checks that the sender may start the topic, and may mention the people in the text. */
export async function checkPosting(
  tx: Tx,
  { sender, rights, rendered }: OutgoingMessage,
  target: Target,
): Promise<void> {
  if (target.kind === 'channel') {
    const { channel: destination, topic } = target;
    await asBotOrOwner(tx, sender, rights, (who) => checkNewTopic(tx, who, destination, topic));
  }
  await checkMentions(tx, rights, rendered.mentions, target);
}

/**
 * Refuses a new topic to people who may not start one. The counter is locked before the topic is looked for, so a topic
 * that exists now still exists when the message is written.
 */
export async function checkNewTopic(
  tx: Tx,
  rights: Rights,
  destination: ChannelForReader,
  topic: string,
): Promise<void> {
  if (canCreateTopic(rights, destination)) return;
  await lockCounters(tx, [destination.conversationId]);
  if (await hasTopic(tx, destination.conversationId, topic)) return;
  throw badRequest('You do not have permission to create new topics in this channel.');
}
