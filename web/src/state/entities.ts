// What the client knows, in its own words. Every entity is immutable: a change replaces it, so a component may compare by
// identity. Times are Unix seconds, as the API has them, unless the name says `Ms`.
import type { Balance, Order } from '@rialto/sdk';

/** One conversation, as text: equal keys are the same conversation. See `keys.ts`. */
export type ConversationKey = string & { readonly __conversation?: never };

/** A topic of a channel, or a direct conversation; `userIds` are the others, or oneself alone. */
export type Conversation =
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly number[] };

/** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
export type Role = 100 | 200 | 300 | 400 | 600;

export interface ProfileValue {
  readonly value: string;
  readonly renderedValue?: string;
}

export interface Person {
  readonly id: number;
  readonly fullName: string;
  readonly email: string;
  /** The real address, if one may see it. */
  readonly deliveryEmail: string | null;
  readonly role: Role;
  readonly isActive: boolean;
  readonly isBot: boolean;
  readonly isSystemBot: boolean;
  readonly botType: number | null;
  readonly botOwnerId: number | null;
  readonly timezone: string;
  readonly dateJoined: string;
  readonly avatarUrl: string | null;
  readonly avatarVersion: number;
  readonly isImportedStub: boolean;
  /** By the id of the profile field. */
  readonly profile: Readonly<Record<string, ProfileValue>>;
}

/** What a person has said of themselves; fields that are empty are absent. */
export interface Status {
  readonly text?: string;
  readonly emojiName?: string;
  readonly emojiCode?: string;
  readonly reactionType?: string;
  readonly isAway?: boolean;
}

export interface Presence {
  readonly activeAt: number;
  readonly idleAt: number;
}

/** A group by its id, or an unnamed group: people and groups. */
export type GroupSetting =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly creatorId: number | null;
  readonly dateCreated: number | null;
  readonly memberIds: readonly number[];
  readonly subgroupIds: readonly number[];
  readonly isSystem: boolean;
  readonly isDeactivated: boolean;
  /** By the name in the API, such as `can_mention_group`. */
  readonly permissions: Readonly<Record<string, GroupSetting>>;
}

/** A person's own settings for a channel. Null: as in the general settings. */
export interface Subscription {
  /** False after leaving: the settings are kept for coming back. */
  readonly isActive: boolean;
  readonly color: string;
  readonly isMuted: boolean;
  readonly isPinned: boolean;
  readonly desktopNotifications: boolean | null;
  readonly audibleNotifications: boolean | null;
  readonly pushNotifications: boolean | null;
  readonly emailNotifications: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
}

export type ChannelPermission =
  | 'can_add_subscribers_group'
  | 'can_administer_channel_group'
  | 'can_create_topic_group'
  | 'can_delete_any_message_group'
  | 'can_delete_own_message_group'
  | 'can_move_messages_out_of_channel_group'
  | 'can_move_messages_within_channel_group'
  | 'can_remove_subscribers_group'
  | 'can_resolve_topics_group'
  | 'can_send_message_group'
  | 'can_subscribe_group';

export interface Channel {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly dateCreated: number;
  readonly creatorId: number | null;
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  /** Whether new subscribers may read what was written before. */
  readonly isHistoryPublic: boolean;
  readonly isArchived: boolean;
  readonly isRecentlyActive: boolean;
  /** Null: as the organization has it; -1: for ever. */
  readonly retentionDays: number | null;
  readonly folderId: number | null;
  /** `inherit`, `allow_empty_topic`, `disable_empty_topic` or `empty_topic_only`. */
  readonly topicsPolicy: string;
  readonly pushesByDefault: boolean;
  readonly subscriberCount: number;
  readonly weeklyTraffic: number | null;
  readonly permissions: Readonly<Record<ChannelPermission, GroupSetting>>;
  /** Undefined for somebody who never subscribed. */
  readonly subscription: Subscription | undefined;
}

export interface Folder {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly order: number;
  readonly creatorId: number | null;
  readonly dateCreated: number;
  readonly isArchived: boolean;
}

/** Newest first in lists. */
export interface Topic {
  readonly name: string;
  readonly maxId: number;
}

export const VISIBILITY = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type Visibility = (typeof VISIBILITY)[keyof typeof VISIBILITY];

/** What a person has set for one topic. */
export interface UserTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly visibility: Visibility;
  readonly updatedAt: number;
}

export interface Reaction {
  readonly emojiName: string;
  readonly emojiCode: string;
  /** `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  readonly reactionType: string;
  readonly userId: number;
}

/** A part of a poll, a to-do list or a form. */
export interface Submessage {
  readonly id: number;
  readonly senderId: number;
  readonly type: string;
  /** JSON. */
  readonly content: string;
}

export interface Message {
  readonly id: number;
  readonly conversation: Conversation;
  readonly key: ConversationKey;
  readonly senderId: number;
  /** As it was sent; for senders who are not known otherwise. */
  readonly senderName: string;
  readonly avatarUrl: string | null;
  /** HTML from the server. */
  readonly content: string;
  readonly sentAt: number;
  readonly editedAt: number | undefined;
  readonly movedAt: number | undefined;
  readonly isMe: boolean;
  readonly topicLinks: readonly { readonly text: string; readonly url: string }[];
  readonly reactions: readonly Reaction[];
  readonly submessages: readonly Submessage[];
  /** `mentioned`, `stream_wildcard_mentioned`, `has_alert_word`, `collapsed` …; see `isUnread` and `isStarred` for the rest. */
  readonly flags: ReadonlySet<string>;
}

/** What is unread in one conversation. */
export interface UnreadConversation {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  /** Ascending. */
  readonly ids: readonly number[];
}

/** The latest message of a direct conversation. */
export interface RecentDirect {
  readonly key: ConversationKey;
  readonly userIds: readonly number[];
  readonly maxId: number;
}

/** Where a message goes; `nowhere` is a draft that is addressed to nobody yet. */
export type Destination = Conversation | { readonly kind: 'nowhere' };

/** A draft as the server has it. */
export interface Draft {
  readonly id: number;
  readonly destination: Destination;
  readonly content: string;
  readonly editedAt: number;
}

export interface Scheduled {
  readonly id: number;
  readonly conversation: Conversation;
  readonly content: string;
  readonly renderedContent: string;
  readonly deliverAt: number;
  readonly hasFailed: boolean;
}

export interface Reminder {
  readonly id: number;
  readonly messageId: number;
  readonly content: string;
  readonly renderedContent: string;
  readonly deliverAt: number;
  readonly hasFailed: boolean;
}

export interface Snippet {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly dateCreated: number;
}

/** A view that the person has put into the sidebar or taken out of it. */
export interface NavigationView {
  readonly fragment: string;
  readonly isPinned: boolean;
  readonly name: string | null;
}

export interface CustomEmoji {
  readonly id: string;
  readonly name: string;
  readonly sourceUrl: string;
  readonly stillUrl: string | null;
  readonly isDeactivated: boolean;
  readonly authorId: number | null;
}

export interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly urlTemplate: string;
}

export interface Playground {
  readonly id: number;
  readonly name: string;
  readonly language: string;
  readonly urlTemplate: string;
}

export interface ProfileField {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly hint: string;
  readonly fieldData: string;
  readonly order: number;
  readonly isRequired: boolean;
  readonly isEditableByUser: boolean;
  readonly isInSummary: boolean;
}

export type SettingValue = boolean | number | string | null;

/** Personal settings, by their name in the API. */
export type Settings = Readonly<Record<string, SettingValue>>;

/** Which groups may be chosen for a permission. */
export interface PermissionRule {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  /** If it names any, only these. */
  readonly allowed_system_groups: readonly string[];
}

/** By name: of the organization, of channels, of groups. */
export type PermissionRules = Readonly<
  Record<'realm' | 'stream' | 'group', Readonly<Record<string, PermissionRule>>>
>;

/** The organization's settings, by their name in the API without `realm_`, and limits of the server. */
export interface Organization {
  readonly settings: Readonly<Record<string, unknown>>;
  /** What new people start with. */
  readonly userDefaults: Readonly<Record<string, unknown>>;
  readonly permissionRules: PermissionRules;
  readonly limits: Readonly<Record<string, number>>;
}

/** Oneself, beside the row among the people. */
export interface Own {
  readonly userId: number;
  readonly avatarUrlMedium: string;
}

/** Accounts of the venue. No balance is ever written to disk. */
export interface Venue {
  /** The last engine event that is known; empty without accounts. */
  readonly engineSeq: string;
  readonly accounts: readonly {
    readonly accountId: string;
    readonly name: string;
    readonly rights: readonly ('view' | 'trade')[];
  }[];
  /** Balances by `accountId:coin`, as far as events have told them. */
  readonly balances: ReadonlyMap<string, Balance>;
  /** Changed orders by id, the latest 500. */
  readonly orders: ReadonlyMap<string, Order>;
  /** Phases of markets by symbol. */
  readonly phases: ReadonlyMap<string, string>;
}
