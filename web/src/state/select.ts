// What components ask of the state. Each gives the identical value until something that it depends on has changed.
import { derive } from './derive.ts';
import type {
  Channel,
  Conversation,
  ConversationKey,
  Draft,
  Folder,
  Group,
  Message,
  Person,
  Presence,
  Scheduled,
  SettingValue,
  Status,
  Topic,
} from './entities.ts';
import { keyOf } from './keys.ts';
import { isConversationMuted } from './select-unread.ts';
import type { State } from './state.ts';

export {
  isConversationMuted,
  isTopicMuted,
  unreadConversations,
  unreadCounts,
  unreadIdsOf,
  unreadOf,
  unreadOfChannel,
  unreadTotal,
  visibilityOf,
} from './select-unread.ts';
export type { ChannelUnread, UnreadCount, UnreadCounts } from './select-unread.ts';

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/* People */

export const ownPerson = (state: State): Person | undefined => state.people.get(state.own.userId);

export const personOf = (state: State, id: number): Person | undefined => state.people.get(id);

/** Active people and bots by name. */
export const people = derive(['people'], (state): readonly Person[] =>
  [...state.people.values()]
    .filter(({ isActive }) => isActive)
    .sort((a, b) => byText(a.fullName.toLowerCase(), b.fullName.toLowerCase()) || a.id - b.id),
);

export const statusOf = (state: State, id: number): Status | undefined => state.statuses.get(id);

export const presenceOf = (state: State, id: number): Presence | undefined =>
  state.presences.get(id);

/** `nowSeconds` is the time of the server, as far as it is known. */
export function activityOf(
  state: State,
  id: number,
  nowSeconds: number,
): 'active' | 'idle' | 'offline' {
  const presence = state.presences.get(id);
  if (presence === undefined || state.statuses.get(id)?.isAway === true) return 'offline';
  const since = nowSeconds - (state.organization.limits['presenceOfflineSeconds'] ?? 200);
  if (presence.activeAt >= since) return 'active';
  return presence.idleAt >= since ? 'idle' : 'offline';
}

export const isUserMuted = (state: State, id: number): boolean => state.mutedUsers.has(id);

export const groups = derive(['groups'], (state): readonly Group[] =>
  [...state.groups.values()].filter(({ isDeactivated }) => !isDeactivated),
);

/* Channels */

export const channelOf = (state: State, id: number): Channel | undefined => state.channels.get(id);

const channelNames = derive(
  ['channels'],
  (state) => new Map([...state.channels.values()].map((one) => [one.name.toLowerCase(), one])),
);

export const channelByName = (state: State, name: string): Channel | undefined =>
  channelNames(state).get(name.toLowerCase());

/** Everything that one may see, by name. */
export const channels = derive(['channels'], (state): readonly Channel[] =>
  [...state.channels.values()].sort((a, b) => byText(a.name.toLowerCase(), b.name.toLowerCase())),
);

/** Pinned ones first, then by name; without archived ones. */
export const subscribedChannels = derive(['channels'], (state): readonly Channel[] =>
  channels(state)
    .filter((one) => one.subscription?.isActive === true && !one.isArchived)
    .sort((a, b) => Number(b.subscription?.isPinned) - Number(a.subscription?.isPinned)),
);

export const folders = (state: State): readonly Folder[] => state.folders;

const NO_TOPICS: readonly Topic[] = [];

/** Newest first; empty until `store.loadTopics` has fetched them. */
export const topicsOf = (state: State, channelId: number): readonly Topic[] =>
  state.topics.get(channelId) ?? NO_TOPICS;

export const subscribersOf = (state: State, channelId: number): ReadonlySet<number> =>
  state.subscribers.get(channelId) ?? NOBODY;

const NOBODY: ReadonlySet<number> = new Set();

/* Messages */

export const messageOf = (state: State, id: number): Message | undefined => state.messages.get(id);

export const isUnread = (state: State, id: number): boolean => state.unreadIndex.has(id);

export const isStarred = (state: State, id: number): boolean => state.starred.has(id);

/** Ascending. */
export const starredIds = derive(['starred'], (state): readonly number[] =>
  [...state.starred].sort((a, b) => a - b),
);

/** Unread messages that mention the person, ascending. */
export const mentionIds = derive(['mentions'], (state): readonly number[] =>
  [...state.mentions].sort((a, b) => a - b),
);

export interface RecentConversation {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly maxId: number;
  /** Who wrote in it, the latest first, as far as messages are known; at most ten. */
  readonly senderIds: readonly number[];
  readonly unread: number;
  readonly isMuted: boolean;
}

const SENDERS_MAX = 10;

/** Newest first: what is known from fetched and live messages, and the direct conversations that the server named. */
export const recentConversations = derive(
  ['messages', 'recentDirect', 'unreads', 'userTopics', 'channels'],
  (state): readonly RecentConversation[] => {
    const found = new Map<
      ConversationKey,
      { conversation: Conversation; maxId: number; senderIds: number[] }
    >();
    const newestFirst = [...state.messages.values()].sort((a, b) => b.id - a.id);
    for (const { key, conversation, id, senderId } of newestFirst) {
      const known = found.get(key);
      if (known === undefined) found.set(key, { conversation, maxId: id, senderIds: [senderId] });
      else if (known.senderIds.length < SENDERS_MAX && !known.senderIds.includes(senderId)) {
        known.senderIds.push(senderId);
      }
    }
    for (const { key, userIds, maxId } of state.recentDirect.values()) {
      const known = found.get(key);
      if (known === undefined) {
        found.set(key, { conversation: { kind: 'direct', userIds }, maxId, senderIds: [] });
      } else known.maxId = Math.max(known.maxId, maxId);
    }
    return [...found]
      .map(([key, one]) => ({
        key,
        ...one,
        unread: state.unreads.get(key)?.ids.length ?? 0,
        isMuted: isConversationMuted(state, one.conversation),
      }))
      .sort((a, b) => b.maxId - a.maxId);
  },
);

const NO_IDS: readonly number[] = [];

const typing = derive(
  ['typing'],
  (state) => new Map([...state.typing].map(([key, who]) => [key, [...who.keys()]])),
);

/** Ids of the people who type in the conversation now. */
export const typingIn = (state: State, conversation: Conversation): readonly number[] =>
  typing(state).get(keyOf(conversation, state.own.userId)) ?? NO_IDS;

/* What the person keeps */

/** Latest first. */
export const serverDrafts = derive(['drafts'], (state): readonly Draft[] =>
  [...state.drafts.values()].sort((a, b) => b.editedAt - a.editedAt || b.id - a.id),
);

/** Failed ones first, then by time. */
export const scheduledMessages = derive(['scheduled'], (state): readonly Scheduled[] =>
  [...state.scheduled.values()].sort(
    (a, b) => Number(b.hasFailed) - Number(a.hasFailed) || a.deliverAt - b.deliverAt || a.id - b.id,
  ),
);

export const settingOf = (state: State, name: string): SettingValue | undefined =>
  state.settings[name];

/** A setting of the organization that is text, such as `name` or `description`. */
export function organizationText(state: State, name: string): string {
  const value = state.organization.settings[name];
  return typeof value === 'string' ? value : '';
}

/** What the empty topic is called here. */
export const emptyTopicName = (state: State): string =>
  organizationText(state, 'empty_topic_display_name');
