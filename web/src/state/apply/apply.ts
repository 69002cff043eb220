// State and event give the changed state: the table of all events that this client asks for. Nothing here waits, asks or
// looks at a clock, so the same events always give the same state.
import type { QueueEvent } from '@rialto/sdk';
import { UNCHANGED, type Changed, type State } from '../state.ts';
import { applyChannel, applyDefaultChannels, applyFolder, applyUserTopic } from './channels.ts';
import { applyFlags } from './flags.ts';
import {
  applyDeleteMessage,
  applyMessage,
  applyReaction,
  applySubmessage,
  applyUpdateMessage,
} from './messages.ts';
import {
  applyEmoji,
  applyLinkifiers,
  applyOrganization,
  applyPlaygrounds,
  applyProfileFields,
  applyUserDefault,
} from './organization.ts';
import {
  applyAlertWords,
  applyDrafts,
  applyOnboarding,
  applyReminders,
  applyScheduled,
  applySettings,
  applySnippets,
  applyView,
} from './own.ts';
import {
  applyBot,
  applyGroup,
  applyMutedUsers,
  applyPresence,
  applyStatus,
  applyUser,
} from './people.ts';
import { applySubscription } from './subscriptions.ts';
import { applyTyping } from './typing.ts';
import { applyMovement, applyVenue } from './venue.ts';

type Appliers = {
  readonly [T in QueueEvent['type']]?: (
    state: State,
    event: Extract<QueueEvent, { readonly type: T }>,
    nowMs: number,
  ) => Changed;
};

const APPLIERS = {
  message: applyMessage,
  update_message: applyUpdateMessage,
  delete_message: applyDeleteMessage,
  update_message_flags: applyFlags,
  reaction: applyReaction,
  submessage: applySubmessage,
  typing: applyTyping,
  stream: applyChannel,
  subscription: applySubscription,
  channel_folder: applyFolder,
  default_streams: applyDefaultChannels,
  user_topic: applyUserTopic,
  realm_user: applyUser,
  realm_bot: applyBot,
  user_group: applyGroup,
  user_status: applyStatus,
  presence: applyPresence,
  muted_users: applyMutedUsers,
  alert_words: applyAlertWords,
  drafts: applyDrafts,
  scheduled_messages: applyScheduled,
  reminders: applyReminders,
  saved_snippets: applySnippets,
  navigation_view: applyView,
  user_settings: applySettings,
  onboarding_steps: applyOnboarding,
  realm: applyOrganization,
  realm_user_settings_defaults: applyUserDefault,
  realm_emoji: applyEmoji,
  realm_linkifiers: applyLinkifiers,
  realm_playgrounds: applyPlaygrounds,
  custom_profile_fields: applyProfileFields,
  order: applyVenue,
  trade: applyVenue,
  balance: applyVenue,
  market: applyVenue,
  deposit: applyMovement,
  withdrawal: applyMovement,
} satisfies Appliers;

/** The types of events that a queue of this client delivers. */
export const EVENT_TYPES: readonly QueueEvent['type'][] = Object.keys(
  APPLIERS,
) as (keyof typeof APPLIERS)[];

/** Changes `state` in place; gives the slices that changed. */
export function apply(state: State, event: QueueEvent, nowMs: number): Changed {
  const applier = (APPLIERS as Appliers)[event.type] as
    ((state: State, event: QueueEvent, nowMs: number) => Changed) | undefined;
  return applier?.(state, event, nowMs) ?? UNCHANGED;
}
