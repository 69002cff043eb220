// State plus event gives the next state: what a client does, as one pure function. The tests use it to
// prove that events tell the whole truth.
import type { Static } from 'typebox';
import type { RoleCode } from '../../../accounts/roles.ts';
import type { UserAdded, UserUpdated } from '../../../accounts/users/events.ts';
import type { AlertWordsChanged } from '../../messages/alert-words/events.ts';
import type { BotEvent, BotRow } from '../../administration/bot-list/events.ts';
import { applyBotEvent } from '../../administration/bot-list/state.ts';
import { applyChannelEvent, applySubscriptionEvent } from '../../channels/subscriptions/state.ts';
import type { ChannelEvent, ChannelsState } from '../../channels/subscriptions/state.ts';
import type { EmojiEvent, EmojiMap } from '../../organization/custom-emoji/events.ts';
import { applyEmojiEvent } from '../../organization/custom-emoji/state.ts';
import type { DefaultChannels } from '../../channels/default-channels/events.ts';
import type { DeviceEvent, PushDeviceEvent } from '../../notifications/devices/events.ts';
import { applyDeviceEvent, type DevicesState } from '../../notifications/devices/state.ts';
import type { Domain, DomainEvent } from '../../organization/domains/events.ts';
import { applyDomainEvent } from '../../organization/domains/state.ts';
import type {
  Draft,
  DraftRemoved,
  DraftsAdded,
  DraftUpdated,
} from '../../messages/drafts/events.ts';
import { applyDraftsEvent } from '../../messages/drafts/state.ts';
import type { Folder, FolderEvent } from '../../channels/folders/events.ts';
import { applyFolderEvent } from '../../channels/folders/state.ts';
import type { GroupEvent, GroupObject } from '../../administration/groups/events.ts';
import { applyGroupEvent } from '../../administration/groups/state.ts';
import type { InvitesChanged } from '../../administration/invitations/events.ts';
import type { Linkifier, LinkifiersChanged } from '../../organization/linkifiers/events.ts';
import { applyMessageEvent, type MessagesState } from '../../messages/sending/apply.ts';
import type { MutedUser, MutedUsersChanged } from '../../messages/muted-users/events.ts';
import type { NavigationView, ViewEvent } from '../../people/navigation-views/events.ts';
import { applyViewEvent } from '../../people/navigation-views/state.ts';
import type { OnboardingChanged, OnboardingStep } from '../../people/onboarding/events.ts';
import type { RealmEvent, UserDefaultUpdated } from '../../organization/org/events.ts';
import { applyRealmEvent } from '../../organization/org/state.ts';
import { settingNames } from '../../rights/permissions/definitions.ts';
import { groupsOfUser } from '../../rights/permissions/membership.ts';
import type { Permissions, Rights } from '../../rights/permissions/rights.ts';
import type { Playground, PlaygroundsChanged } from '../../organization/playgrounds/events.ts';
import type { PresenceChanged, Presences } from '../../people/presence/events.ts';
import { applyPresenceEvent } from '../../people/presence/state.ts';
import type { FieldObject, FieldsChanged } from '../../people/profiles/events.ts';
import type { ReactionEvent } from '../../messages/reactions/events.ts';
import { recountUnread, type UnreadEvent } from '../../messages/read-state/state.ts';
import type { Reminder, ReminderEvent } from '../../messages/reminders/events.ts';
import { applyReminderEvent } from '../../messages/reminders/state.ts';
import type { ScheduledEvent, ScheduledMessage } from '../../messages/scheduled/events.ts';
import { applyScheduledEvent } from '../../messages/scheduled/state.ts';
import type { SettingUpdated } from '../../people/settings/events.ts';
import { applySettingEvent, type SettingsState } from '../../people/settings/state.ts';
import type { Snippet, SnippetEvent } from '../../people/snippets/events.ts';
import { applySnippetEvent } from '../../people/snippets/state.ts';
import type { StatusChanged } from '../../people/statuses/events.ts';
import { applyStatusEvent, type Statuses } from '../../people/statuses/state.ts';
import type { SubmessageAdded } from '../../messages/submessages/events.ts';
import type { SubscriptionEvent } from '../../channels/subscriptions/events.ts';
import type {
  MutedTopics,
  UserTopicChanged,
  UserTopicRow,
} from '../../conversations/topics/events.ts';
import { applyUserTopicEvent } from '../../conversations/topics/state.ts';
import type { TypingEditEvent, TypingEvent } from '../../messages/typing/events.ts';
import type { AttachmentEvent } from '../../messages/uploads/events.ts';
import { applyUserEvent, ownRights, type PeopleState } from '../../administration/users/state.ts';

export type ClientState = PeopleState &
  ChannelsState &
  DevicesState & {
    readonly user_id: number;
    readonly drafts: readonly Draft[];
    readonly user_settings: SettingsState;
    readonly realm_user_settings_defaults: SettingsState;
    readonly realm_user_groups: readonly GroupObject[];
    readonly realm_bots: readonly BotRow[];
    readonly custom_profile_fields: readonly FieldObject[];
    readonly channel_folders: readonly Folder[];
    readonly realm_default_streams: readonly number[];
    readonly user_topics: readonly UserTopicRow[];
    readonly presences: Presences;
    readonly user_status: Statuses;
    readonly muted_users: readonly MutedUser[];
    readonly alert_words: readonly string[];
    readonly realm_linkifiers: readonly Linkifier[];
    readonly realm_emoji: EmojiMap;
    readonly realm_playgrounds: readonly Playground[];
    readonly realm_domains: readonly Domain[];
    readonly saved_snippets: readonly Snippet[];
    readonly navigation_views: readonly NavigationView[];
    readonly scheduled_messages: readonly ScheduledMessage[];
    readonly reminders: readonly Reminder[];
    readonly onboarding_steps: readonly OnboardingStep[];
  } & MessagesState;

export type ChatEvent =
  | Static<typeof DraftsAdded>
  | Static<typeof DraftUpdated>
  | Static<typeof DraftRemoved>
  | Static<typeof UserAdded>
  | Static<typeof UserUpdated>
  | GroupEvent
  | BotEvent
  | RealmEvent
  | Static<typeof UserDefaultUpdated>
  | Static<typeof FieldsChanged>
  | ChannelEvent
  | SubscriptionEvent
  | FolderEvent
  | Static<typeof DefaultChannels>
  | Static<typeof UserTopicChanged>
  | Static<typeof MutedTopics>
  | UnreadEvent
  | ReactionEvent
  | SubmessageAdded
  | TypingEvent
  | TypingEditEvent
  | PresenceChanged
  | StatusChanged
  | Static<typeof MutedUsersChanged>
  | Static<typeof AlertWordsChanged>
  | Static<typeof LinkifiersChanged>
  | EmojiEvent
  | Static<typeof PlaygroundsChanged>
  | SnippetEvent
  | ViewEvent
  | AttachmentEvent
  | DeviceEvent
  | PushDeviceEvent
  | InvitesChanged
  | DomainEvent
  | ScheduledEvent
  | ReminderEvent
  | Static<typeof OnboardingChanged>
  | Static<typeof SettingUpdated>;

export function applyEvent(state: ClientState, event: ChatEvent): ClientState {
  switch (event.type) {
    case 'drafts':
      return { ...state, drafts: applyDraftsEvent(state.drafts, event) };
    case 'device':
    case 'push_device':
      return { ...state, ...applyDeviceEvent(state, event) };
    case 'realm_user':
      return withOwnRights({
        ...state,
        ...applyUserEvent(state, event),
        ...ownChanges(state, event),
      });
    case 'user_group':
      return withOwnRights({
        ...state,
        realm_user_groups: applyGroupEvent(state.realm_user_groups, event),
      });
    case 'realm':
      return withOwnRights({ ...state, ...applyRealmEvent({ ...state }, event) });
    case 'stream':
      return { ...state, ...applyChannelEvent(state, event) };
    case 'subscription':
      return recounted({ ...state, ...applySubscriptionEvent(state, event) });
    case 'channel_folder':
      return { ...state, channel_folders: applyFolderEvent(state.channel_folders, event) };
    case 'default_streams':
      return { ...state, realm_default_streams: event.default_streams };
    case 'user_topic':
      return recounted({
        ...state,
        user_topics: applyUserTopicEvent(state.user_topics, event),
      });
    case 'muted_topics':
    case 'reaction':
    case 'submessage':
    case 'typing':
    case 'typing_edit_message':
    // Files are listed by a route of their own.
    case 'attachment':
    // The list is fetched by whoever shows it; it is no part of the state.
    case 'invites_changed':
      return state;
    case 'presence':
      return { ...state, presences: applyPresenceEvent(state.presences, event) };
    case 'muted_users':
      return { ...state, muted_users: event.muted_users };
    case 'saved_snippets':
      return { ...state, saved_snippets: applySnippetEvent(state.saved_snippets, event) };
    case 'navigation_view':
      return { ...state, navigation_views: applyViewEvent(state.navigation_views, event) };
    case 'scheduled_messages':
      return {
        ...state,
        scheduled_messages: applyScheduledEvent(state.scheduled_messages, event),
      };
    case 'onboarding_steps':
      return { ...state, onboarding_steps: event.onboarding_steps };
    case 'reminders':
      return { ...state, reminders: applyReminderEvent(state.reminders, event) };
    case 'realm_linkifiers':
      return { ...state, realm_linkifiers: event.realm_linkifiers };
    case 'realm_emoji':
      return { ...state, realm_emoji: applyEmojiEvent(state.realm_emoji, event) };
    case 'realm_domains':
      return { ...state, realm_domains: applyDomainEvent(state.realm_domains, event) };
    case 'realm_playgrounds':
      return { ...state, realm_playgrounds: event.realm_playgrounds };
    case 'alert_words':
      return { ...state, alert_words: event.alert_words };
    case 'user_status':
      return { ...state, user_status: applyStatusEvent(state.user_status, event) };
    case 'message':
    case 'update_message':
    case 'delete_message':
    case 'update_message_flags':
      return applyMessageEvent(state, event);
    case 'realm_bot':
      return { ...state, realm_bots: applyBotEvent(state.realm_bots, event) };
    case 'custom_profile_fields':
      return { ...state, custom_profile_fields: event.fields };
    case 'realm_user_settings_defaults':
      return {
        ...state,
        realm_user_settings_defaults: applySettingEvent(state.realm_user_settings_defaults, event),
      };
    default:
      return {
        ...state,
        user_settings: applySettingEvent(state.user_settings, event),
        // Whoever stops synchronising has no drafts on the server any more.
        ...(event.property === 'enable_drafts_synchronization' && !event.value && { drafts: [] }),
      };
  }
}

/** What is muted or left does not count as unread. */
const recounted = (state: ClientState): ClientState => ({
  ...state,
  unread_msgs: recountUnread(state),
});

/** What the client knows of its own user stands outside the lists. */
function ownChanges(
  { user_id }: ClientState,
  event: Static<typeof UserAdded> | Static<typeof UserUpdated>,
): object {
  if (event.op !== 'update' || event.person.user_id !== user_id) return {};
  const { person } = event;
  if ('full_name' in person) return { full_name: person.full_name };
  if ('delivery_email' in person) return { delivery_email: person.delivery_email };
  if ('new_email' in person) return { email: person.new_email };
  if ('avatar_url' in person) {
    const { avatar_source, avatar_url, avatar_url_medium } = person;
    return { avatar_source, avatar_url, avatar_url_medium };
  }
  return {};
}

/** Role, groups and settings are all in the state, so what follows from them can be worked out there. */
function withOwnRights(state: ClientState): ClientState {
  const own = state.realm_users.find((row) => row.user_id === state.user_id);
  if (own === undefined) return state;
  const values = state as unknown as Readonly<Record<string, unknown>>;
  const rights: Rights = {
    id: own.user_id,
    role: own.role as RoleCode,
    groupIds: groupsOfUser(state.realm_user_groups, own.user_id),
    organization: Object.fromEntries(
      settingNames('realm').map((name) => [name, values[`realm_${name}`]]),
    ) as Permissions<'realm'>,
  };
  return { ...state, ...ownRights(rights) };
}
