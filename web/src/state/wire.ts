// The shapes of the API that the state is made from. The answer of `register` has them in lists, the events one by one.
import type {
  ChannelFolderAddEvent,
  CustomProfileFieldsEvent,
  DraftsUpdateEvent,
  Message,
  MutedUsersEvent,
  NavigationViewAddEvent,
  OnboardingStepsEvent,
  QueueState,
  RealmEmojiAddEvent,
  RealmLinkifiersEvent,
  RealmPlaygroundsEvent,
  RealmUserAddEvent,
  RemindersAddEvent,
  SavedSnippetsAddEvent,
  ScheduledMessagesUpdateEvent,
  StreamCreateEvent,
  SubscriptionAddEvent,
  UserGroupAddEvent,
  UserStatusEvent,
  UserTopicEvent,
} from '@rialto/sdk';
import type { PermissionRules } from './entities.ts';

export type WireMessage = Message;
export type WirePerson = Omit<RealmUserAddEvent['person'], 'is_active'>;
export type WireGroup = UserGroupAddEvent['group'];
export type WireChannel = StreamCreateEvent['streams'][number] & {
  readonly subscribers?: readonly number[];
  readonly partial_subscribers?: readonly number[];
};
export type WireSubscription = SubscriptionAddEvent['subscriptions'][number];
export type WireFolder = ChannelFolderAddEvent['channel_folder'];
export type WireUserTopic = Omit<UserTopicEvent, 'id' | 'type'>;
export type WireStatus = Omit<UserStatusEvent, 'id' | 'type' | 'user_id'>;
export type WireDraft = DraftsUpdateEvent['draft'];
export type WireScheduled = ScheduledMessagesUpdateEvent['scheduled_message'];
export type WireReminder = RemindersAddEvent['reminders'][number];
export type WireSnippet = SavedSnippetsAddEvent['saved_snippet'];
export type WireEmoji = RealmEmojiAddEvent['emoji'];
export type WireLinkifier = RealmLinkifiersEvent['realm_linkifiers'][number];
export type WirePlayground = RealmPlaygroundsEvent['realm_playgrounds'][number];
export type WireField = CustomProfileFieldsEvent['fields'][number];
export type WirePresence = { readonly active_timestamp: number; readonly idle_timestamp: number };

interface WireUnreads {
  readonly pms: readonly {
    readonly other_user_id: number;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly streams: readonly {
    readonly stream_id: number;
    readonly topic: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly huddles: readonly {
    readonly user_ids_string: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly mentions: readonly number[];
  readonly count: number;
  readonly old_unreads_missing: boolean;
}

/** The answer of `register` for the types that this client fetches. */
export interface Registered extends QueueState {
  readonly user_id: number;
  readonly avatar_url_medium: string;
  readonly realm_users: readonly WirePerson[];
  readonly realm_non_active_users: readonly WirePerson[];
  readonly cross_realm_bots: readonly WirePerson[];
  readonly user_status: Readonly<Record<string, WireStatus>>;
  readonly presences: Readonly<Record<string, WirePresence>>;
  readonly realm_user_groups: readonly WireGroup[];
  readonly realm_bots: readonly { readonly user_id: number }[];
  readonly subscriptions: readonly WireSubscription[];
  readonly unsubscribed: readonly WireSubscription[];
  readonly never_subscribed: readonly WireChannel[];
  readonly channel_folders: readonly WireFolder[];
  readonly realm_default_streams: readonly number[];
  readonly user_topics: readonly WireUserTopic[];
  readonly unread_msgs: WireUnreads;
  readonly starred_messages: readonly number[];
  readonly recent_private_conversations: readonly {
    readonly user_ids: readonly number[];
    readonly max_message_id: number;
  }[];
  readonly max_message_id: number;
  readonly drafts: readonly WireDraft[];
  readonly scheduled_messages: readonly WireScheduled[];
  readonly reminders: readonly WireReminder[];
  readonly saved_snippets: readonly WireSnippet[];
  readonly navigation_views: readonly NavigationViewAddEvent['navigation_view'][];
  readonly muted_users: MutedUsersEvent['muted_users'];
  readonly alert_words: readonly string[];
  readonly user_settings: Readonly<Record<string, boolean | number | string>>;
  readonly realm_user_settings_defaults: Readonly<Record<string, unknown>>;
  readonly server_supported_permission_settings: PermissionRules;
  readonly realm_emoji: Readonly<Record<string, WireEmoji>>;
  readonly realm_linkifiers: readonly WireLinkifier[];
  readonly realm_playgrounds: readonly WirePlayground[];
  readonly custom_profile_fields: readonly WireField[];
  readonly onboarding_steps: OnboardingStepsEvent['onboarding_steps'];
}
