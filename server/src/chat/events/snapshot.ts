// A client's initial state: everything that it asked for, read in one snapshot of the database. Features
// that do not exist yet are told as what they are, empty.
import { listUsers } from '../../accounts/users/access.ts';
import type { User } from '../../accounts/user.ts';
import type { ApiContext } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { readChannels } from '../channels/state.ts';
import { readDrafts } from '../drafts/state.ts';
import { groupRows } from '../org/groups.ts';
import { realmFields } from '../org/realm.ts';
import { defaultSettings, readSettings } from '../settings/state.ts';
import { ownFields, readPeople } from '../users/state.ts';

export interface SnapshotRequest {
  /** Names of event types whose state is wanted; undefined: everything. */
  readonly types: ReadonlySet<string> | undefined;
  readonly includeSubscribers: boolean;
  readonly includeArchived: boolean;
  readonly allowsNullNotifications: boolean;
}

export interface Snapshot {
  /** The reader as the snapshot shows them, which may be newer than what authentication saw. */
  readonly user: User;
  readonly fields: Record<string, unknown>;
}

/** `user` is undefined when the reader is gone or deactivated in this snapshot. */
export async function readSnapshot(
  ctx: ApiContext,
  db: Db,
  readerId: number,
  request: SnapshotRequest,
): Promise<Snapshot | undefined> {
  const users = await listUsers(db);
  const user = users.find(({ id }) => id === readerId);
  if (user === undefined || !user.isActive) return undefined;
  const wants = (...names: string[]) =>
    request.types === undefined || names.some((name) => request.types?.has(name));
  const fields: Record<string, unknown> = {};
  const add = (more: Record<string, unknown>) => Object.assign(fields, more);

  for (const [name, value] of Object.entries(EMPTY)) if (wants(name)) add(value);
  if (wants('message')) {
    add({ max_message_id: -1 });
    if (wants('update_message_flags')) add({ unread_msgs: NOTHING_UNREAD });
  }
  // The older form of muting, for clients that do not ask for the newer one.
  if (request.types?.has('muted_topics') === true && !request.types.has('user_topic')) {
    add({ muted_topics: [] });
  }
  if (wants('presence')) add(noPresence(ctx.clock.now()));
  if (wants('drafts')) add({ drafts: await readDrafts(db, user.id) });
  if (wants('realm')) add(realmFields(ctx, users[0]?.dateJoined ?? new Date(0)));
  if (wants('realm_user')) add({ ...readPeople(users), cross_realm_bots: [], ...ownFields(user) });
  if (wants('realm_user_groups')) add({ realm_user_groups: groupRows(users) });
  if (wants('user_settings')) add({ user_settings: readSettings(user) });
  if (wants('realm_user_settings_defaults')) {
    add({ realm_user_settings_defaults: defaultSettings() });
  }
  if (wants('subscription', 'stream')) {
    const { streams, ...subscribed } = await readChannels(db, user, request);
    if (wants('stream')) add({ streams });
    if (wants('subscription')) add(subscribed);
  }
  return { user, fields };
}

const NOTHING_UNREAD = {
  count: 0,
  pms: [],
  streams: [],
  huddles: [],
  mentions: [],
  old_unreads_missing: false,
};

const noPresence = (nowMs: number) => ({
  presences: {},
  presence_last_update_id: -1,
  server_timestamp: nowMs / 1000,
});

const fieldType = (id: number, name: string) => ({ id, name });

/** By the name that a client asks with. */
const EMPTY: Readonly<Record<string, Record<string, unknown>>> = {
  alert_words: { alert_words: [] },
  custom_profile_fields: {
    custom_profile_fields: [],
    custom_profile_field_types: {
      SHORT_TEXT: fieldType(1, 'Text (short)'),
      PARAGRAPH: fieldType(2, 'Text (long)'),
      DROPDOWN: fieldType(3, 'List of options'),
      DATE: fieldType(4, 'Date'),
      URL: fieldType(5, 'Link'),
      USER: fieldType(6, 'Users'),
      EXTERNAL_ACCOUNT: fieldType(7, 'External account'),
      PRONOUNS: fieldType(8, 'Pronouns'),
    },
  },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  saved_snippets: { saved_snippets: [] },
  navigation_views: { navigation_views: [] },
  scheduled_messages: { scheduled_messages: [] },
  reminders: { reminders: [] },
  muted_users: { muted_users: [] },
  realm_domains: { realm_domains: [] },
  realm_emoji: { realm_emoji: {} },
  realm_linkifiers: { realm_linkifiers: [] },
  realm_filters: { realm_filters: [] },
  realm_playgrounds: { realm_playgrounds: [] },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_bot: { realm_bots: [] },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  recent_private_conversations: { recent_private_conversations: [] },
  channel_folders: { channel_folders: [] },
  starred_messages: { starred_messages: [] },
  default_streams: { realm_default_streams: [] },
  default_stream_groups: { realm_default_stream_groups: [] },
  stop_words: { stop_words: [] },
  user_status: { user_status: {} },
  user_topic: { user_topics: [] },
  video_calls: { has_zoom_token: false, has_webex_token: false },
  giphy: { giphy_api_key: '' },
  tenor: { tenor_api_key: '' },
  klipy: { klipy_api_key: '' },
  device: { devices: {} },
  push_device: { push_devices: {} },
};
