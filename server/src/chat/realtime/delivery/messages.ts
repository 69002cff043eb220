// Shapes the events of messages for one client: Markdown or HTML, its owner's flags, the name of the empty topic, its
// narrow. A text is made once for each variant, not for each reader.
import { avatarUrl, UNKNOWN_AVATAR } from '../../../accounts/users/events.ts';
import {
  formFor,
  knows,
  toldEmail,
  UNKNOWN_NAME,
  type Sight,
} from '../../../accounts/users/sight.ts';
import { isCalled, type LoggedEvent } from '../../../platform/events/event.ts';
import { shared, type EventWithdrawal } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import { shownTopic } from '../../conversations/topics/shown.ts';
import type { NarrowTerm } from '../events/narrow.ts';
import { isResolved } from '../../conversations/topics/resolved.ts';
import { FLAG, flagNames } from '../../messages/message/flags.ts';
import type {
  MessageDelivery,
  MessagesDeleted,
  MessageSent,
  MessageUpdated,
  MovedTo,
} from '../../messages/message/events.ts';

interface ClientOptions {
  readonly applyMarkdown: boolean;
  readonly allowsEmptyTopic: boolean;
  readonly hasBulkDeletion: boolean;
  readonly narrow: readonly NarrowTerm[];
}

function optionsOf({ filter }: QueueDescription): ClientOptions {
  const capabilities = (filter['capabilities'] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    applyMarkdown: filter['applyMarkdown'] === true,
    allowsEmptyTopic: capabilities['empty_topic_name'] === true,
    hasBulkDeletion: capabilities['bulk_message_deletion'] === true,
    narrow: (filter['narrow'] ?? []) as readonly NarrowTerm[],
  };
}

const parsed = new WeakMap<LoggedEvent, unknown>();

/** Parsed once for all queues. */
function payloadOf(event: LoggedEvent): unknown {
  let payload = parsed.get(event);
  if (payload === undefined) parsed.set(event, (payload = JSON.parse(event.payload)));
  return payload;
}

export interface MessageRights {
  mayRead(userId: number, channelId: number): boolean;
  isSubscribed(userId: number, channelId: number): boolean;
  hasReceived(userId: number, channelId: number, seq: number): boolean;
  sightOf(userId: number): Sight;
}

type LoggedMessage = Omit<MessageSent, 'delivery'> & { readonly delivery: MessageDelivery };

export function shapeMessage(
  event: LoggedEvent,
  queue: QueueDescription,
  rights: MessageRights,
): readonly string[] {
  const sent = payloadOf(event) as LoggedMessage;
  const options = optionsOf(queue);
  const flags = flagsOnArrival(event, sent.delivery, queue.userId, rights);
  const sight = rights.sightOf(queue.userId);
  if (!matches(sent, flags, options.narrow, sight)) return [];
  const { applyMarkdown, allowsEmptyTopic } = options;
  const variant = `${applyMarkdown ? 'h' : 'm'}${allowsEmptyTopic ? 'e' : 'n'}${peopleFor(sight, sent)}`;
  const body = shared(event, variant, () => messageText(sent, options, sight));
  const { queue_id, local_id } = sent.delivery;
  const isEcho = local_id !== undefined && queue_id === queue.id;
  const echo = isEcho ? `,"local_message_id":${JSON.stringify(local_id)}` : '';
  const tail = `,"flags":${JSON.stringify(flags)}${echo}}`;
  return [isEcho ? body + tail : shared(event, `${variant}${tail}`, () => body + tail)];
}

/** Which form of the message the reader gets: as members see its people, as guests do, or without its sender. */
function peopleFor(sight: Sight, { message }: LoggedMessage): string {
  const { sender_id: senderId, display_recipient: recipient } = message;
  if (!knows(sight, senderId)) return 'u';
  const people = typeof recipient === 'string' ? [senderId] : recipient.map(({ id }) => id);
  return formFor(sight, people);
}

/** The event up to its flags, without the closing brace. */
function messageText(
  { message, delivery }: LoggedMessage,
  { applyMarkdown, allowsEmptyTopic }: ClientOptions,
  sight: Sight,
): string {
  const { sender_id: senderId, display_recipient: recipient } = message;
  const shaped = {
    ...message,
    sender_email: toldEmail(sight, senderId, message.sender_email),
    ...(!knows(sight, senderId) && {
      sender_full_name: UNKNOWN_NAME,
      avatar_url: avatarUrl(UNKNOWN_AVATAR),
    }),
    // People in a conversation know each other.
    ...(typeof recipient !== 'string' && {
      display_recipient: recipient.map((one) => ({
        ...one,
        email: toldEmail(sight, one.id, one.email),
      })),
    }),
    ...(message.type === 'stream' && { subject: shownTopic(message.subject, allowsEmptyTopic) }),
    ...(!applyMarkdown && { content: delivery.markdown, content_type: 'text/x-markdown' }),
  };
  return `{"type":"message","message":${JSON.stringify(shaped)}`;
}

/**
 * Readers who are not subscribed get no flags, unless they were called. Then the message arrives as read, because nothing
 * is unread without a subscription.
 */
function flagsOnArrival(
  { audience }: LoggedEvent,
  delivery: MessageDelivery,
  userId: number,
  rights: MessageRights,
): readonly string[] {
  const { channel_id: channelId } = delivery;
  const isOutside = channelId !== null && !rights.isSubscribed(userId, channelId);
  if (isOutside && !isCalled(audience, userId)) return [];
  const bits =
    (delivery.mentioned.includes(userId) ? FLAG.mentioned : 0) |
    (delivery.topic_mentioned.includes(userId) ? FLAG.topicWildcard : 0) |
    (delivery.alerted.includes(userId) ? FLAG.alertWord : 0);
  return flagNames({
    isUnread: !isOutside && !delivery.read_by.includes(userId),
    isReceived: true,
    bits,
    mentionsEveryone: delivery.mentions_everyone,
  });
}

/** Whether the message matches the narrow of the queue, which was checked when the queue was opened. */
function matches(
  { message }: LoggedMessage,
  flags: readonly string[],
  narrow: readonly NarrowTerm[],
  sight: Sight,
): boolean {
  return narrow.every(({ operator, operand }) => {
    const isChannel = message.type === 'stream';
    const wanted = operand.toLowerCase();
    switch (operator) {
      case 'channel':
      case 'stream':
        return nameOf(message).toLowerCase() === wanted && isChannel;
      case 'topic':
        return isChannel && shownTopic(message.subject, false).toLowerCase() === wanted;
      case 'sender':
        return toldEmail(sight, message.sender_id, message.sender_email).toLowerCase() === wanted;
      default:
        return isMatch(message, flags, operand);
    }
  });
}

const nameOf = ({ display_recipient: name }: MessageSent['message']): string =>
  typeof name === 'string' ? name : '';

function isMatch(
  message: MessageSent['message'],
  flags: readonly string[],
  operand: string,
): boolean {
  switch (operand) {
    case 'dm':
    case 'private':
      return message.type === 'private';
    case 'unread':
      return !flags.includes('read');
    case 'mentioned':
      return flags.includes('mentioned') || flags.includes('wildcard_mentioned');
    case 'alerted':
      return flags.includes('has_alert_word');
    case 'resolved':
      return message.type === 'stream' && isResolved(message.subject);
    default:
      // No message is starred when it arrives.
      return false;
  }
}

/** Whether the reader may read the messages in their new conversation. */
const mayFollow = (userId: number, { channel, seq }: MovedTo, rights: MessageRights): boolean =>
  rights.mayRead(userId, channel) &&
  (seq === undefined || rights.hasReceived(userId, channel, seq));

/** The messages that the reader may know of: with protected history, only those that they received. */
function heardBy(
  ids: readonly number[],
  heard: { readonly channel: number; readonly seqs: readonly number[] } | undefined,
  userId: number,
  rights: MessageRights,
): readonly number[] {
  if (heard === undefined) return ids;
  return ids.filter((_, index) =>
    rights.hasReceived(userId, heard.channel, heard.seqs[index] ?? 0),
  );
}

export function shapeUpdate(
  event: LoggedEvent,
  queue: QueueDescription,
  rights: MessageRights,
): readonly string[] {
  const { delivery, flags: _none, ...update } = payloadOf(event) as MessageUpdated;
  const { userId } = queue;
  const {
    unread_by = [],
    holders = [],
    home_channel_id: homeId = null,
    seq = 0,
    only_readers_of: readable,
    not_subscribers_of: elsewhere,
    heard,
  } = delivery ?? {};
  if (readable !== undefined && !mayFollow(userId, readable, rights)) return [];
  if (elsewhere !== undefined && rights.isSubscribed(userId, elsewhere)) return [];
  // For a called bot, the event names only messages that it was called in.
  const wasCalled = isCalled(event.audience, userId);
  const messageIds = wasCalled
    ? update.message_ids
    : heardBy(update.message_ids, heard, userId, rights);
  // The event names the message that was changed; a reader who cannot see it gets the first that they can.
  const [first] = messageIds;
  if (first === undefined) return [];
  const messageId = messageIds.includes(update.message_id) ? update.message_id : first;
  const isReceived = wasCalled || homeId === null || rights.hasReceived(userId, homeId, seq);
  const flags = flagNames({
    isUnread: unread_by.includes(userId),
    isReceived,
    bits: holders.find(({ user_ids }) => user_ids.includes(userId))?.bits ?? 0,
    mentionsEveryone: delivery?.mentions_everyone === true,
  });
  const { allowsEmptyTopic } = optionsOf(queue);
  const variant = `${allowsEmptyTopic ? 'e' : 'n'}${heard === undefined ? '' : String(messageIds)}`;
  return [
    shared(event, `${variant}${JSON.stringify(flags)}`, () => {
      const shown = (topic: string) => shownTopic(topic, allowsEmptyTopic);
      return JSON.stringify({
        ...update,
        message_id: messageId,
        message_ids: messageIds,
        ...(update.orig_subject !== undefined && { orig_subject: shown(update.orig_subject) }),
        ...(update.subject !== undefined && { subject: shown(update.subject) }),
        flags,
      });
    }),
  ];
}

export function shapeDeletion(
  event: LoggedEvent,
  queue: QueueDescription,
  rights: MessageRights,
): readonly string[] {
  const { message_ids = [], delivery, ...rest } = payloadOf(event) as MessagesDeleted;
  const { userId } = queue;
  const { not_readers_of: movedTo, heard } = delivery ?? {};
  if (movedTo !== undefined && mayFollow(userId, movedTo, rights)) return [];
  const ids = heardBy(message_ids, heard, userId, rights);
  if (ids.length === 0) return [];
  const { allowsEmptyTopic, hasBulkDeletion } = optionsOf(queue);
  const topic = rest.topic === undefined ? {} : { topic: shownTopic(rest.topic, allowsEmptyTopic) };
  const text = (fields: object, variant: string) =>
    shared(event, `${allowsEmptyTopic ? 'e' : 'n'}${variant}`, () =>
      JSON.stringify({ ...rest, ...topic, ...fields }),
    );
  if (hasBulkDeletion) {
    return [text({ message_ids: ids }, heard === undefined ? 'all' : `all${String(ids)}`)];
  }
  return ids.map((message_id) => text({ message_id }, String(message_id)));
}

/**
 * Which pending events a deletion or a move withdraws. A late client must not get a message that is gone or that it may
 * no longer see. Only the client that sent the message still gets its echo: it waits for that, and knows the text.
 */
export function withdrawnBy(event: LoggedEvent): EventWithdrawal | undefined {
  if (event.type !== 'delete_message') return undefined;
  const gone = new Set((payloadOf(event) as MessagesDeleted).message_ids);
  return (earlier, queue) => {
    switch (earlier.type) {
      case 'message': {
        const { message, delivery } = payloadOf(earlier) as LoggedMessage;
        const isEcho = delivery.local_id !== undefined && delivery.queue_id === queue.id;
        return gone.has(message.id) && !isEcho;
      }
      case 'update_message':
        return (payloadOf(earlier) as MessageUpdated).message_ids.every((id) => gone.has(id));
      case 'reaction':
      case 'submessage':
        return gone.has((payloadOf(earlier) as { readonly message_id: number }).message_id);
      default:
        return false;
    }
  };
}
