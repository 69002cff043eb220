// Which messages change when a person marks some as read or unread, and what that person's clients are told. Pure.
import type { ReadState } from '../message/rows.ts';
import { flagsAdded, flagsRemoved, type UnreadDetails } from './events.ts';

export type FlagOperation = 'add' | 'remove';
export type EditableFlag = 'read' | 'starred' | 'collapsed';

export interface FlagsChanged {
  /** The messages whose flag changed, ascending. */
  readonly changed: readonly number[];
  /** Channels in which nothing can be marked unread, because the person is not subscribed. */
  readonly ignoredChannels: readonly number[];
}

interface Choice {
  readonly toMark: readonly ReadState[];
  readonly ignoredChannels: readonly number[];
  /** Undefined if nothing changes. */
  readonly event: ReturnType<typeof flagsAdded> | ReturnType<typeof flagsRemoved> | undefined;
}

export function chooseToMark(
  userId: number,
  messages: readonly ReadState[],
  operation: FlagOperation,
): Choice {
  if (operation === 'add') {
    const toMark = messages.filter(({ isUnread }) => isUnread);
    const ids = toMark.map(({ id }) => id);
    return {
      toMark,
      ignoredChannels: [],
      event: ids.length > 0 ? flagsAdded('read', ids) : undefined,
    };
  }
  const isHere = ({ channelId, isSubscribed }: ReadState) => channelId === null || isSubscribed;
  const ignored = new Set(
    messages.flatMap((one) => (isHere(one) || one.channelId === null ? [] : [one.channelId])),
  );
  const toMark = messages.filter((one) => isHere(one) && one.isReceived && !one.isUnread);
  return {
    toMark,
    ignoredChannels: [...ignored].sort((a, b) => a - b),
    event: toMark.length > 0 ? unreadAgain(userId, toMark) : undefined,
  };
}

/** Says that these are unread, with what clients need to count them. */
export function unreadAgain(userId: number, unread: readonly ReadState[]) {
  const details = unread.map((one): [string, UnreadDetails] => [
    String(one.id),
    detailsOf(userId, one),
  ]);
  const ids = unread.map(({ id }) => id);
  return flagsRemoved('read', ids, Object.fromEntries(details));
}

/** What a client needs to count a message as unread without having fetched it. */
function detailsOf(userId: number, message: ReadState): UnreadDetails {
  const mentioned = message.isMentioned ? { mentioned: true } : {};
  if (message.channelId === null) {
    const others = (message.people ?? []).filter((id) => id !== userId);
    return { type: 'private', ...mentioned, user_ids: others };
  }
  return {
    type: 'stream',
    ...mentioned,
    stream_id: message.channelId,
    topic: message.topic,
    unmuted_stream_msg: !message.isMuted,
  };
}
