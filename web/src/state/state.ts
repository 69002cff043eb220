// The whole state of the client: Maps that are changed in place, one version for each of them, entities that are replaced.
// It is plain data, so that it can be sent to another tab and written to disk.
import type {
  Channel,
  Conversation,
  ConversationKey,
  CustomEmoji,
  Draft,
  Folder,
  Group,
  Linkifier,
  Message,
  NavigationView,
  Organization,
  Own,
  Person,
  Playground,
  Presence,
  ProfileField,
  RecentDirect,
  Reminder,
  Scheduled,
  Settings,
  Snippet,
  Status,
  Topic,
  UnreadConversation,
  UserTopic,
  Venue,
} from './entities.ts';

interface Away {
  readonly conversation: Conversation;
  readonly isMentioned: boolean;
}

export interface State {
  /** Raised by whoever changes a slice, so that what is derived from it can be kept until then. */
  readonly versions: Map<Slice, number>;
  own: Own;
  readonly people: Map<number, Person>;
  readonly statuses: Map<number, Status>;
  readonly presences: Map<number, Presence>;
  readonly groups: Map<number, Group>;
  /** Ids of the bots that the person manages. */
  readonly bots: Set<number>;
  readonly channels: Map<number, Channel>;
  /** Known subscribers of a channel; large channels have only some of them. */
  readonly subscribers: Map<number, ReadonlySet<number>>;
  /** Channels whose list of subscribers is not whole. */
  readonly partialSubscribers: Set<number>;
  /** In their order. */
  folders: readonly Folder[];
  defaultChannels: readonly number[];
  /** By the key of the topic. */
  readonly userTopics: Map<ConversationKey, UserTopic>;
  /** Newest first; only of channels whose topics were fetched. */
  readonly topics: Map<number, readonly Topic[]>;
  /** Channels whose topics have to be fetched again before they are trusted. */
  readonly staleTopics: Set<number>;
  /** Only messages that were fetched or came live; the oldest give way. */
  readonly messages: Map<number, Message>;
  /** Messages from before the last register: a fetched one replaces them. */
  readonly unverified: Set<number>;
  readonly unreads: Map<ConversationKey, UnreadConversation>;
  /** In which conversation each unread message is. */
  readonly unreadIndex: Map<number, ConversationKey>;
  /** Unread messages that mention the person. */
  readonly mentions: Set<number>;
  /** Unread messages that were moved to a channel without a subscription; moved back, they are unread again. */
  readonly away: Map<number, Away>;
  /** The server knows more unread messages than it told. */
  hasMoreUnreads: boolean;
  readonly starred: Set<number>;
  readonly recentDirect: Map<ConversationKey, RecentDirect>;
  maxMessageId: number;
  /** Who types where, with the time after which it is not true any more. */
  readonly typing: Map<ConversationKey, ReadonlyMap<number, number>>;
  readonly drafts: Map<number, Draft>;
  readonly scheduled: Map<number, Scheduled>;
  readonly reminders: Map<number, Reminder>;
  readonly snippets: Map<number, Snippet>;
  readonly navigationViews: Map<string, NavigationView>;
  mutedUsers: ReadonlyMap<number, number>;
  alertWords: readonly string[];
  settings: Settings;
  organization: Organization;
  readonly emoji: Map<string, CustomEmoji>;
  linkifiers: readonly Linkifier[];
  playgrounds: readonly Playground[];
  profileFields: readonly ProfileField[];
  onboarding: readonly string[];
  venue: Venue;
}

/** What can change by itself; each has a version. */
export type Slice = Exclude<keyof State, 'versions'>;

/** The slices that an event changed. */
export type Changed = ReadonlySet<Slice>;

export const UNCHANGED: Changed = new Set();

/** Notes that slices have changed. Everything that changes a state calls this once it is done. */
export function touch(state: State, slices: Iterable<Slice>): void {
  for (const slice of slices) state.versions.set(slice, (state.versions.get(slice) ?? 0) + 1);
}

export const changed = (...slices: readonly Slice[]): Changed => new Set(slices);

export function emptyState(userId: number): State {
  return {
    versions: new Map(),
    own: { userId, avatarUrlMedium: '' },
    people: new Map(),
    statuses: new Map(),
    presences: new Map(),
    groups: new Map(),
    bots: new Set(),
    channels: new Map(),
    subscribers: new Map(),
    partialSubscribers: new Set(),
    folders: [],
    defaultChannels: [],
    userTopics: new Map(),
    topics: new Map(),
    staleTopics: new Set(),
    messages: new Map(),
    unverified: new Set(),
    unreads: new Map(),
    unreadIndex: new Map(),
    mentions: new Set(),
    away: new Map(),
    hasMoreUnreads: false,
    starred: new Set(),
    recentDirect: new Map(),
    maxMessageId: -1,
    typing: new Map(),
    drafts: new Map(),
    scheduled: new Map(),
    reminders: new Map(),
    snippets: new Map(),
    navigationViews: new Map(),
    mutedUsers: new Map(),
    alertWords: [],
    settings: {},
    organization: {
      settings: {},
      userDefaults: {},
      permissionRules: { realm: {}, stream: {}, group: {} },
      limits: {},
    },
    emoji: new Map(),
    linkifiers: [],
    playgrounds: [],
    profileFields: [],
    onboarding: [],
    venue: {
      engineSeq: '',
      accounts: [],
      balances: new Map(),
      orders: new Map(),
      phases: new Map(),
    },
  };
}
