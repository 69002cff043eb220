// Keys of conversations: one text for each, whatever the spelling of the topic and the order of the people.
import type { Conversation, ConversationKey } from './entities.ts';

/** Topics are the same whatever their case. */
export const topicKey = (channelId: number, topic: string): ConversationKey =>
  `c${channelId}:${topic.toLowerCase()}`;

/** `userIds` may hold oneself or not; a note to oneself has nobody else. */
export function directKey(ownId: number, userIds: readonly number[]): ConversationKey {
  return `d${othersOf(ownId, userIds).join(',')}`;
}

/** Everybody else, ascending; oneself for notes to oneself. */
export function othersOf(ownId: number, userIds: readonly number[]): readonly number[] {
  const others = [...new Set(userIds)].filter((id) => id !== ownId).sort((a, b) => a - b);
  return others.length === 0 ? [ownId] : others;
}

export const keyOf = (conversation: Conversation, ownId: number): ConversationKey =>
  conversation.kind === 'topic'
    ? topicKey(conversation.channelId, conversation.topic)
    : directKey(ownId, conversation.userIds);

export const topicOf = (channelId: number, topic: string): Conversation => ({
  kind: 'topic',
  channelId,
  topic,
});

export const directOf = (ownId: number, userIds: readonly number[]): Conversation => ({
  kind: 'direct',
  userIds: othersOf(ownId, userIds),
});
