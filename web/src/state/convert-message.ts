// From a message of the API to the client's own.
import type { Conversation, Message, Reaction } from './entities.ts';
import { directOf, keyOf, topicOf } from './keys.ts';
import type { WireMessage } from './wire.ts';

export function conversationOf(message: WireMessage, ownId: number): Conversation {
  const { display_recipient: recipient, stream_id: channelId, subject } = message;
  if (channelId !== undefined) return topicOf(channelId, subject);
  const people = typeof recipient === 'string' ? [] : recipient.map(({ id }) => id);
  return directOf(ownId, people);
}

/** What the state knows by indexes of its own, so that there is one truth. */
export const IN_INDEXES: ReadonlySet<string> = new Set(['read', 'starred']);

/** `flags` of an event stand beside its message, those of a fetched message in it. */
export function messageFrom(
  message: WireMessage,
  ownId: number,
  flags: readonly string[] = message.flags ?? [],
): Message {
  const conversation = conversationOf(message, ownId);
  return {
    id: message.id,
    conversation,
    key: keyOf(conversation, ownId),
    senderId: message.sender_id,
    senderName: message.sender_full_name,
    avatarUrl: message.avatar_url,
    content: message.content,
    sentAt: message.timestamp,
    editedAt: message.last_edit_timestamp,
    movedAt: message.last_moved_timestamp,
    isMe: message.is_me_message,
    topicLinks: message.topic_links,
    reactions: message.reactions.map(reactionFrom),
    submessages: message.submessages.map((one) => ({
      id: one.id,
      senderId: one.sender_id,
      type: one.msg_type,
      content: one.content,
    })),
    flags: new Set(flags.filter((flag) => !IN_INDEXES.has(flag))),
  };
}

export const reactionFrom = (row: {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user_id: number;
}): Reaction => ({
  emojiName: row.emoji_name,
  emojiCode: row.emoji_code,
  reactionType: row.reaction_type,
  userId: row.user_id,
});
