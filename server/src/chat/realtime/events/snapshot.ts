// A client's initial state: everything that it asked for, read in one snapshot of the database. Features
// that do not exist yet are told as what they are, empty.
import { ROLE } from '../../../accounts/roles.ts';
import { listSystemBots, listUsers } from '../../../accounts/users/access.ts';
import { userRow } from '../../../accounts/users/events.ts';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { listWords } from '../../messages/alert-words/access.ts';
import { listServices } from '../../messages/bot-services/access.ts';
import { readBots } from '../../administration/bot-list/state.ts';
import { readChannels } from '../../channels/subscriptions/state.ts';
import { readEmoji } from '../../organization/custom-emoji/state.ts';
import { listDefaultChannelIds } from '../../channels/default-channels/access.ts';
import { readRecentDirect } from '../../conversations/direct/state.ts';
import { readDevices } from '../../notifications/devices/state.ts';
import { listDomains } from '../../organization/domains/state.ts';
import { readDrafts } from '../../messages/drafts/state.ts';
import { readFolders } from '../../channels/folders/state.ts';
import { readGroups } from '../../administration/groups/state.ts';
import { listLinkifiers } from '../../organization/linkifiers/access.ts';
import { readMaxMessageId, readStarred } from '../../messages/message/state.ts';
import { listMuted } from '../../messages/muted-users/access.ts';
import { listViews } from '../../people/navigation-views/state.ts';
import { listSteps } from '../../people/onboarding/actions.ts';
import { readOrganization } from '../../organization/org/access.ts';
import { realmFields } from '../../organization/org/realm.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { listPlaygrounds } from '../../organization/playgrounds/access.ts';
import { readPresences, type PresenceRequest } from '../../people/presence/state.ts';
import { listFields, readProfiles } from '../../people/profiles/access.ts';
import { fieldObject } from '../../people/profiles/events.ts';
import { FIELD_TYPES } from '../../people/profiles/field.ts';
import { readUnread } from '../../messages/read-state/state.ts';
import { listReminders } from '../../messages/reminders/state.ts';
import { listScheduled } from '../../messages/scheduled/state.ts';
import { defaultSettings, readSettings } from '../../people/settings/state.ts';
import { listSnippets } from '../../people/snippets/state.ts';
import { readStatuses } from '../../people/statuses/state.ts';
import { readMutedTopics, readUserTopics } from '../../conversations/topics/state.ts';
import { listed, ownUserFields, readPeople } from '../../administration/users/state.ts';

export interface SnapshotRequest {
  /** Names of event types whose state is wanted; undefined: everything. */
  readonly types: ReadonlySet<string> | undefined;
  readonly includeSubscribers: 'true' | 'false' | 'partial';
  readonly includeArchived: boolean;
  readonly allowsNullNotifications: boolean;
  /** Whether the client knows that a topic may be empty. */
  readonly knowsEmptyTopics: boolean;
  readonly includeDeactivatedGroups: boolean;
  readonly presence: PresenceRequest;
  /** Whether the client understands linkifiers as they are today. */
  readonly knowsLinkifiers: boolean;
}

export interface RegisterSnapshot {
  /** The reader as the snapshot shows them, which may be newer than what authentication saw. */
  readonly user: User;
  readonly fields: Record<string, unknown>;
}

/** `user` is undefined when the reader is gone or deactivated in this snapshot. */
export async function readRegisterSnapshot(
  ctx: ApiContext,
  db: Db,
  readerId: number,
  request: SnapshotRequest,
): Promise<RegisterSnapshot | undefined> {
  const users = await listUsers(db);
  const user = users.find(({ id }) => id === readerId);
  if (user === undefined || !user.isActive) return undefined;
  const wants = (...names: string[]) =>
    request.types === undefined || names.some((name) => request.types?.has(name));
  const fields: Record<string, unknown> = {};
  const add = (more: Record<string, unknown>) => Object.assign(fields, more);

  for (const [name, value] of Object.entries(EMPTY)) if (wants(name)) add(value);
  if (wants('message')) {
    add({ max_message_id: await readMaxMessageId(db, user.id) });
    if (wants('update_message_flags')) {
      add({ unread_msgs: await readUnread(db, user.id, request.knowsEmptyTopics) });
    }
  }
  if (wants('starred_messages')) add({ starred_messages: await readStarred(db, user) });
  if (wants('recent_private_conversations')) {
    add({ recent_private_conversations: await readRecentDirect(db, user.id) });
  }
  // The older form of muting, for clients that do not ask for the newer one.
  if (request.types?.has('muted_topics') === true && !request.types.has('user_topic')) {
    add({ muted_topics: await readMutedTopics(db, user.id) });
  }
  if (wants('muted_users')) add({ muted_users: await listMuted(db, user.id) });
  if (wants('alert_words')) add({ alert_words: await listWords(db, user.id) });
  if (wants('saved_snippets')) add({ saved_snippets: await listSnippets(db, user.id) });
  if (wants('navigation_views')) add({ navigation_views: await listViews(db, user.id) });
  if (wants('realm_emoji')) add({ realm_emoji: await readEmoji(db) });
  if (wants('realm_linkifiers')) {
    add({ realm_linkifiers: request.knowsLinkifiers ? await listLinkifiers(db) : [] });
  }
  if (wants('onboarding_steps')) {
    const steps = await listSteps(db, user.id);
    add({ onboarding_steps: steps, navigation_tour_video_url: null });
  }
  if (wants('realm_playgrounds')) add({ realm_playgrounds: await listPlaygrounds(db) });
  if (wants('realm_domains')) add({ realm_domains: await listDomains(db) });
  if (wants('scheduled_messages')) {
    add({ scheduled_messages: await listScheduled(db, user.id) });
  }
  if (wants('reminders')) add({ reminders: await listReminders(db, user.id) });
  if (wants('device', 'push_device')) {
    const { devices, push_devices } = await readDevices(db, user.id);
    if (wants('device')) add({ devices });
    if (wants('push_device')) add({ push_devices });
  }
  if (wants('drafts')) add({ drafts: await readDrafts(db, user.id) });
  const organization = await readOrganization(db, ctx.config);
  if (wants('presence')) {
    const isDisabled = organization.settings['presence_disabled'] === true;
    const nowMs = ctx.clock.now();
    add({ ...(await readPresences(db, ctx.config, user, isDisabled, request.presence, nowMs)) });
  }
  if (wants('user_status')) add({ user_status: await readStatuses(db) });
  if (wants('realm')) add(realmFields(ctx, organization, users[0]?.dateJoined ?? new Date(0)));
  if (wants('realm_user')) {
    const systemBots = (await listSystemBots(db)).map((bot) => listed(userRow(bot)));
    add({ ...readPeople(users, await readProfiles(db)), cross_realm_bots: systemBots });
    add(ownUserFields(user, await readRights(db, user)));
  }
  if (wants('custom_profile_fields')) {
    const fields = (await listFields(db)).map(fieldObject);
    add({ custom_profile_fields: fields, custom_profile_field_types: FIELD_TYPES });
  }
  if (wants('realm_bot')) add({ realm_bots: readBots(user, users, await listServices(db)) });
  if (wants('realm_user_groups')) {
    const includeDeactivated = request.includeDeactivatedGroups;
    add({ realm_user_groups: await readGroups(db, { includeDeactivated }) });
  }
  if (wants('user_settings')) add({ user_settings: readSettings(user) });
  if (wants('realm_user_settings_defaults')) {
    add({ realm_user_settings_defaults: defaultSettings(organization.userDefaults) });
  }
  if (wants('subscription', 'stream')) {
    const { streams, ...subscribed } = await readChannels(db, user, request);
    if (wants('stream')) add({ streams });
    if (wants('subscription')) add(subscribed);
  }
  if (wants('channel_folders')) add({ channel_folders: await readFolders(db, true) });
  if (wants('default_streams')) {
    const ids = user.role === ROLE.guest ? [] : await listDefaultChannelIds(db);
    add({ realm_default_streams: ids });
  }
  if (wants('user_topic')) {
    add({ user_topics: await readUserTopics(db, user.id, request.knowsEmptyTopics) });
  }
  return { user, fields };
}

/** By the name that a client asks with. */
const EMPTY: Readonly<Record<string, Record<string, unknown>>> = {
  realm_filters: { realm_filters: [] },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  default_stream_groups: { realm_default_stream_groups: [] },
  stop_words: { stop_words: [] },
  video_calls: { has_zoom_token: false, has_webex_token: false },
  giphy: { giphy_api_key: '' },
  tenor: { tenor_api_key: '' },
  klipy: { klipy_api_key: '' },
};
