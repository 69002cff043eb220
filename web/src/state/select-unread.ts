// Unread messages as they are shown. Mutes are applied here and not when messages arrive, so that muting needs no counting.
import { derive } from './derive.ts';
import {
  VISIBILITY,
  type Conversation,
  type ConversationKey,
  type Visibility,
} from './entities.ts';
import { keyOf, topicKey } from './keys.ts';
import type { State } from './state.ts';

export interface UnreadCount {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly count: number;
  /** Messages that mention the person. */
  readonly mentions: number;
  readonly isMuted: boolean;
  readonly isFollowed: boolean;
  readonly firstId: number;
  readonly lastId: number;
}

export interface ChannelUnread {
  /** Without muted topics. */
  readonly count: number;
  readonly mutedCount: number;
  readonly mentions: number;
}

export interface UnreadCounts {
  readonly byConversation: ReadonlyMap<ConversationKey, UnreadCount>;
  readonly byChannel: ReadonlyMap<number, ChannelUnread>;
  /** Of direct messages. */
  readonly direct: number;
  /** Of all that is not muted; what the server counts. */
  readonly total: number;
  readonly mentions: number;
}

export const visibilityOf = (state: State, channelId: number, topic: string): Visibility =>
  state.userTopics.get(topicKey(channelId, topic))?.visibility ?? VISIBILITY.inherit;

/** A topic that is set decides for itself; any other goes with its channel. */
export function isTopicMuted(state: State, channelId: number, topic: string): boolean {
  const visibility = visibilityOf(state, channelId, topic);
  if (visibility === VISIBILITY.muted) return true;
  if (visibility !== VISIBILITY.inherit) return false;
  return state.channels.get(channelId)?.subscription?.isMuted === true;
}

export const isConversationMuted = (state: State, conversation: Conversation): boolean =>
  conversation.kind === 'topic' && isTopicMuted(state, conversation.channelId, conversation.topic);

export const unreadCounts = derive(
  ['unreads', 'mentions', 'userTopics', 'channels'],
  (state): UnreadCounts => {
    const byConversation = new Map<ConversationKey, UnreadCount>();
    const byChannel = new Map<number, ChannelUnread>();
    let direct = 0;
    let total = 0;
    for (const { key, conversation, ids } of state.unreads.values()) {
      const count = ids.length;
      const mentions = ids.filter((id) => state.mentions.has(id)).length;
      const isMuted = isConversationMuted(state, conversation);
      const isFollowed =
        conversation.kind === 'topic' &&
        visibilityOf(state, conversation.channelId, conversation.topic) === VISIBILITY.followed;
      const [firstId = 0] = ids;
      const lastId = ids.at(-1) ?? 0;
      byConversation.set(key, {
        key,
        conversation,
        count,
        mentions,
        isMuted,
        isFollowed,
        firstId,
        lastId,
      });
      if (!isMuted) total += count;
      if (conversation.kind === 'direct') direct += count;
      else {
        const before = byChannel.get(conversation.channelId) ?? NOTHING;
        byChannel.set(conversation.channelId, {
          count: before.count + (isMuted ? 0 : count),
          mutedCount: before.mutedCount + (isMuted ? count : 0),
          mentions: before.mentions + mentions,
        });
      }
    }
    return { byConversation, byChannel, direct, total, mentions: state.mentions.size };
  },
);

const NOTHING: ChannelUnread = { count: 0, mutedCount: 0, mentions: 0 };

export const unreadTotal = (state: State): number => unreadCounts(state).total;

export const unreadOfChannel = (state: State, channelId: number): ChannelUnread =>
  unreadCounts(state).byChannel.get(channelId) ?? NOTHING;

export const unreadOf = (state: State, conversation: Conversation): number =>
  state.unreads.get(keyOf(conversation, state.own.userId))?.ids.length ?? 0;

/** The ids, ascending; empty if everything was read. */
export const unreadIdsOf = (state: State, conversation: Conversation): readonly number[] =>
  state.unreads.get(keyOf(conversation, state.own.userId))?.ids ?? NO_IDS;

const NO_IDS: readonly number[] = [];

/** Conversations with unread messages, newest first; the muted ones are among them, marked. */
export const unreadConversations = derive(
  ['unreads', 'mentions', 'userTopics', 'channels'],
  (state): readonly UnreadCount[] =>
    [...unreadCounts(state).byConversation.values()].sort((a, b) => b.lastId - a.lastId),
);
