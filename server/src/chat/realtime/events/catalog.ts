// Every event that chat clients can get, with its shape. What is not declared here is not sent, and the
// tests hold what is sent against it.
import type { TObject } from 'typebox';
import { ChatKeyReplaced } from '../../../accounts/chat-keys/events.ts';
import { SessionsEnded } from '../../../accounts/sessions/events.ts';
import { UserAdded, UserUpdated } from '../../../accounts/users/events.ts';
import { AlertWordsChanged } from '../../messages/alert-words/events.ts';
import { BOT_EVENTS } from '../../administration/bot-list/events.ts';
import { CHANNEL_EVENTS } from '../../conversations/channel/events.ts';
import { EMOJI_EVENTS } from '../../organization/custom-emoji/events.ts';
import { DefaultChannels } from '../../channels/default-channels/events.ts';
import { RIGHTS_EVENTS } from '../../conversations/channel-rights/events.ts';
import { DEVICE_EVENTS } from '../../notifications/devices/events.ts';
import { DOMAIN_EVENTS } from '../../organization/domains/events.ts';
import { DraftRemoved, DraftsAdded, DraftUpdated } from '../../messages/drafts/events.ts';
import { FOLDER_EVENTS } from '../../channels/folders/events.ts';
import { GROUP_EVENTS } from '../../administration/groups/events.ts';
import { InvitesChanged } from '../../administration/invitations/events.ts';
import { LinkifiersChanged } from '../../organization/linkifiers/events.ts';
import { MESSAGE_EVENTS } from '../../messages/message/events.ts';
import { MutedUsersChanged } from '../../messages/muted-users/events.ts';
import { VIEW_EVENTS } from '../../people/navigation-views/events.ts';
import { OnboardingChanged } from '../../people/onboarding/events.ts';
import { REALM_EVENTS } from '../../organization/org/events.ts';
import { PlaygroundsChanged } from '../../organization/playgrounds/events.ts';
import { PresenceChanged } from '../../people/presence/events.ts';
import { FieldsChanged } from '../../people/profiles/events.ts';
import { REACTION_EVENTS } from '../../messages/reactions/events.ts';
import { FLAG_EVENTS } from '../../messages/read-state/events.ts';
import { REMINDER_EVENTS } from '../../messages/reminders/events.ts';
import { SCHEDULED_EVENTS } from '../../messages/scheduled/events.ts';
import { SettingUpdated } from '../../people/settings/events.ts';
import { SNIPPET_EVENTS } from '../../people/snippets/events.ts';
import { StatusChanged } from '../../people/statuses/events.ts';
import { SubmessageAdded } from '../../messages/submessages/events.ts';
import { SubscribersAdded, SUBSCRIPTION_EVENTS } from '../../channels/subscriptions/events.ts';
import { MutedTopics, UserTopicChanged } from '../../conversations/topics/events.ts';
import { TYPING_EVENTS } from '../../messages/typing/events.ts';
import { ATTACHMENT_EVENTS } from '../../messages/uploads/events.ts';

const PUBLIC: readonly TObject[] = [
  DraftsAdded,
  DraftUpdated,
  DraftRemoved,
  UserAdded,
  UserUpdated,
  ...GROUP_EVENTS,
  ...BOT_EVENTS,
  ...REALM_EVENTS,
  FieldsChanged,
  SettingUpdated,
  ...CHANNEL_EVENTS,
  ...SUBSCRIPTION_EVENTS,
  ...FOLDER_EVENTS,
  DefaultChannels,
  UserTopicChanged,
  MutedTopics,
  ...MESSAGE_EVENTS,
  ...FLAG_EVENTS,
  ...REACTION_EVENTS,
  SubmessageAdded,
  ...TYPING_EVENTS,
  PresenceChanged,
  StatusChanged,
  MutedUsersChanged,
  AlertWordsChanged,
  LinkifiersChanged,
  ...EMOJI_EVENTS,
  PlaygroundsChanged,
  ...SNIPPET_EVENTS,
  ...VIEW_EVENTS,
  ...ATTACHMENT_EVENTS,
  ...DEVICE_EVENTS,
  InvitesChanged,
  ...DOMAIN_EVENTS,
  ...SCHEDULED_EVENTS,
  OnboardingChanged,
  ...REMINDER_EVENTS,
];

/** In the log for their effect on rights, or as the one row from which each client's event is made. */
const INTERNAL: readonly TObject[] = [
  ChatKeyReplaced,
  SessionsEnded,
  ...RIGHTS_EVENTS,
  SubscribersAdded,
];

/** `drafts/add`, or the type alone where a type has no op. */
export const eventName = ({ type, op }: { type: string; op?: unknown }): string =>
  typeof op === 'string' ? `${type}/${op}` : type;

function nameOf(schema: TObject): string {
  const { type, op } = schema.properties as Record<string, { const?: string }>;
  return eventName({ type: type?.const ?? '', op: op?.const });
}

export const EVENT_SHAPES: ReadonlyMap<string, TObject> = new Map(
  [...PUBLIC, ...INTERNAL].map((schema) => [nameOf(schema), schema]),
);

const PUBLIC_TYPES: ReadonlySet<string> = new Set(
  PUBLIC.map((schema) => nameOf(schema).split('/', 1)[0] ?? ''),
);

/** Whether a client that did not choose gets events of this type. */
export const isChatEvent = (type: string): boolean => PUBLIC_TYPES.has(type);
