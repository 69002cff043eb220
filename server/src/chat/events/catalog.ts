// Every event that chat clients can get, with its shape. What is not declared here is not sent, and the
// tests hold what is sent against it.
import type { TObject } from 'typebox';
import { ChatKeyReplaced } from '../../accounts/chat-keys/events.ts';
import { SessionsEnded } from '../../accounts/sessions/events.ts';
import { UserAdded, UserUpdated } from '../../accounts/users/events.ts';
import { AlertWordsChanged } from '../alert-words/events.ts';
import { BOT_EVENTS } from '../bots/events.ts';
import { CHANNEL_EVENTS } from '../channels/events.ts';
import { EMOJI_EVENTS } from '../custom-emoji/events.ts';
import { DefaultChannels } from '../default-channels/events.ts';
import { RIGHTS_EVENTS } from '../delivery/events.ts';
import { DEVICE_EVENTS } from '../devices/events.ts';
import { DOMAIN_EVENTS } from '../domains/events.ts';
import { DraftRemoved, DraftsAdded, DraftUpdated } from '../drafts/events.ts';
import { FOLDER_EVENTS } from '../folders/events.ts';
import { GROUP_EVENTS } from '../groups/events.ts';
import { InvitesChanged } from '../invitations/events.ts';
import { LinkifiersChanged } from '../linkifiers/events.ts';
import { MESSAGE_EVENTS } from '../messages/events.ts';
import { MutedUsersChanged } from '../muted-users/events.ts';
import { VIEW_EVENTS } from '../navigation-views/events.ts';
import { OnboardingChanged } from '../onboarding/events.ts';
import { REALM_EVENTS } from '../org/events.ts';
import { PlaygroundsChanged } from '../playgrounds/events.ts';
import { PresenceChanged } from '../presence/events.ts';
import { FieldsChanged } from '../profiles/events.ts';
import { REACTION_EVENTS } from '../reactions/events.ts';
import { FLAG_EVENTS } from '../read-state/events.ts';
import { REMINDER_EVENTS } from '../reminders/events.ts';
import { SCHEDULED_EVENTS } from '../scheduled/events.ts';
import { SettingUpdated } from '../settings/events.ts';
import { SNIPPET_EVENTS } from '../snippets/events.ts';
import { StatusChanged } from '../statuses/events.ts';
import { SubmessageAdded } from '../submessages/events.ts';
import { SubscribersAdded, SUBSCRIPTION_EVENTS } from '../subscriptions/events.ts';
import { MutedTopics, UserTopicChanged } from '../topics/events.ts';
import { TYPING_EVENTS } from '../typing/events.ts';

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
