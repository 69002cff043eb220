// The state as a register tells it.
import {
  channelFrom,
  draftFrom,
  emojiFrom,
  fieldFrom,
  folderFrom,
  groupFrom,
  linkifierFrom,
  personFrom,
  playgroundFrom,
  reminderFrom,
  scheduledFrom,
  snippetFrom,
  statusFrom,
  subscriptionFrom,
  userTopicFrom,
} from './convert.ts';
import type { Organization, Venue } from './entities.ts';
import { directKey, directOf, othersOf, topicKey, topicOf } from './keys.ts';
import { emptyState, type State } from './state.ts';
import { addUnread } from './unreads.ts';
import type { Registered, WireChannel } from './wire.ts';

const byId = <K, V extends { readonly id: K }>(rows: Iterable<V>): Map<K, V> =>
  new Map([...rows].map((row) => [row.id, row]));

export function loadState(answer: Registered): State {
  const ownId = answer.user_id;
  const state: State = {
    ...emptyState(ownId),
    own: { userId: ownId, avatarUrlMedium: answer.avatar_url_medium },
    people: byId([
      ...answer.realm_users.map((row) => personFrom(row, true)),
      ...answer.realm_non_active_users.map((row) => personFrom(row, false)),
      ...answer.cross_realm_bots.map((row) => personFrom(row, true)),
    ]),
    statuses: new Map(
      Object.entries(answer.user_status).map(([id, row]) => [Number(id), statusFrom(row)]),
    ),
    presences: new Map(
      Object.entries(answer.presences).map(([id, row]) => [
        Number(id),
        { activeAt: row.active_timestamp, idleAt: row.idle_timestamp },
      ]),
    ),
    groups: byId(answer.realm_user_groups.map(groupFrom)),
    bots: new Set(answer.realm_bots.map(({ user_id }) => user_id)),
    folders: answer.channel_folders.map(folderFrom),
    defaultChannels: answer.realm_default_streams,
    userTopics: new Map(
      answer.user_topics.map((row) => [
        topicKey(row.stream_id, row.topic_name),
        userTopicFrom(row),
      ]),
    ),
    hasMoreUnreads: answer.unread_msgs.old_unreads_missing,
    starred: new Set(answer.starred_messages),
    recentDirect: new Map(
      answer.recent_private_conversations.map(({ user_ids, max_message_id }) => {
        const key = directKey(ownId, user_ids);
        return [key, { key, userIds: othersOf(ownId, user_ids), maxId: max_message_id }];
      }),
    ),
    maxMessageId: answer.max_message_id,
    drafts: byId(answer.drafts.map((row) => draftFrom(row, ownId))),
    scheduled: byId(answer.scheduled_messages.map((row) => scheduledFrom(row, ownId))),
    reminders: byId(answer.reminders.map(reminderFrom)),
    snippets: byId(answer.saved_snippets.map(snippetFrom)),
    navigationViews: new Map(
      answer.navigation_views.map(({ fragment, is_pinned, name }) => [
        fragment,
        { fragment, isPinned: is_pinned, name },
      ]),
    ),
    mutedUsers: new Map(answer.muted_users.map(({ id, timestamp }) => [id, timestamp])),
    alertWords: answer.alert_words,
    settings: answer.user_settings,
    organization: organizationOf(answer),
    emoji: byId(Object.values(answer.realm_emoji).map(emojiFrom)),
    linkifiers: answer.realm_linkifiers.map(linkifierFrom),
    playgrounds: answer.realm_playgrounds.map(playgroundFrom),
    profileFields: answer.custom_profile_fields.map(fieldFrom),
    onboarding: answer.onboarding_steps.map(({ name }) => name),
    venue: venueOf(answer),
  };
  for (const row of answer.subscriptions) {
    putChannel(state, row, channelFrom(row, subscriptionFrom(row, true)));
  }
  for (const row of answer.unsubscribed) {
    putChannel(state, row, channelFrom(row, subscriptionFrom(row, false)));
  }
  for (const row of answer.never_subscribed) putChannel(state, row, channelFrom(row, undefined));
  loadUnreads(state, answer);
  return state;
}

/** Puts a channel with the subscribers that its row names. */
export function putChannel(
  state: State,
  row: WireChannel,
  channel: ReturnType<typeof channelFrom>,
): void {
  state.channels.set(channel.id, channel);
  const { subscribers, partial_subscribers: partial } = row;
  state.subscribers.set(channel.id, new Set(subscribers ?? partial ?? []));
  if (subscribers === undefined) state.partialSubscribers.add(channel.id);
  else state.partialSubscribers.delete(channel.id);
}

function loadUnreads(state: State, { unread_msgs: unreads }: Registered): void {
  const ownId = state.own.userId;
  for (const { stream_id, topic, unread_message_ids } of unreads.streams) {
    addUnread(state, unread_message_ids, topicOf(stream_id, topic));
  }
  for (const { other_user_id, unread_message_ids } of unreads.pms) {
    addUnread(state, unread_message_ids, directOf(ownId, [other_user_id]));
  }
  for (const { user_ids_string, unread_message_ids } of unreads.huddles) {
    const people = user_ids_string.split(',').map(Number);
    addUnread(state, unread_message_ids, directOf(ownId, people));
  }
  for (const id of unreads.mentions) state.mentions.add(id);
}

/** Parts of the answer that begin with `realm_` and are no settings, and older forms of settings, which no event tells. */
const NOT_SETTINGS = new Set(
  `users non_active_users user_groups bots default_streams emoji linkifiers playgrounds
  default_stream_groups user_settings_defaults filters billing
  email_auth_enabled password_auth_enabled mandatory_topics allow_edit_history giphy_rating
  create_public_stream_policy create_private_stream_policy create_web_public_stream_policy
  wildcard_mention_policy bot_creation_policy`.split(/\s+/),
);

const LIMITS = {
  messageLength: 'max_message_length',
  topicLength: 'max_topic_length',
  channelNameLength: 'max_stream_name_length',
  channelDescriptionLength: 'max_stream_description_length',
  uploadMib: 'max_file_upload_size_mib',
  avatarMib: 'max_avatar_file_size_mib',
  typingStartedMs: 'server_typing_started_wait_period_milliseconds',
  typingStoppedMs: 'server_typing_stopped_wait_period_milliseconds',
  typingExpiryMs: 'server_typing_started_expiry_period_milliseconds',
  presencePingSeconds: 'server_presence_ping_interval_seconds',
  presenceOfflineSeconds: 'server_presence_offline_threshold_seconds',
} as const;

function organizationOf(answer: Registered): Organization {
  const settings = Object.entries(answer).flatMap(([name, value]) => {
    const short = name.startsWith('realm_') ? name.slice('realm_'.length) : undefined;
    return short === undefined || NOT_SETTINGS.has(short) ? [] : [[short, value] as const];
  });
  return {
    settings: Object.fromEntries(settings),
    userDefaults: answer.realm_user_settings_defaults,
    permissionRules: answer.server_supported_permission_settings,
    limits: Object.fromEntries(
      Object.entries(LIMITS).map(([name, key]) => [name, Number(answer[key] ?? 0)]),
    ),
  };
}

function venueOf({ trading }: Registered): Venue {
  return {
    engineSeq: trading?.engineSeq ?? '',
    accounts: trading?.accounts ?? [],
    balances: new Map(),
    orders: new Map(),
    phases: new Map(),
  };
}
