// What the known clients need to start, as schemas for tests of the initial state.
import { Type, type TSchema } from 'typebox';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** What the terminal client asks for, and the fields that it needs to start and keep running. */
export const TERMINAL = {
  eventTypes: words(`
    message update_message reaction submessage subscription typing update_message_flags
    user_settings realm_emoji realm_user
  `),
  fetchEventTypes: words(`
    realm presence subscription message starred_messages update_message_flags muted_topics
    realm_user realm_user_groups user_settings realm_emoji custom_profile_fields
    zulip_version
  `),
  fields: words(`
    queue_id last_event_id max_message_id zulip_version user_id email full_name realm_name
    presences subscriptions unread_msgs starred_messages muted_topics realm_users
    cross_realm_bots realm_user_groups realm_emoji realm_message_retention_days
    user_settings realm_allow_message_editing realm_message_content_edit_limit_seconds
    realm_allow_edit_history custom_profile_fields
  `),
};

const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const groupValue = Type.Union([
  Type.Integer(),
  Type.Object({
    direct_members: Type.Array(Type.Integer()),
    direct_subgroups: Type.Array(Type.Integer()),
  }),
]);

/** A user row as the strict mobile client parses it. */
const UserShape = Type.Object({
  user_id: Type.Integer(),
  email: Type.String(),
  full_name: Type.String(),
  is_bot: Type.Boolean(),
  role: Type.Integer(),
  date_joined: Type.String(),
  timezone: Type.String(),
  avatar_version: Type.Integer(),
  avatar_url: orNull(Type.String()),
  delivery_email: orNull(Type.String()),
  bot_type: orNull(Type.Integer()),
  bot_owner_id: orNull(Type.Integer()),
  is_admin: Type.Boolean(),
  is_owner: Type.Boolean(),
  is_guest: Type.Boolean(),
});

const ChannelShape = Type.Object({
  stream_id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  rendered_description: Type.String(),
  date_created: Type.Integer(),
  creator_id: orNull(Type.Integer()),
  invite_only: Type.Boolean(),
  is_web_public: Type.Boolean(),
  history_public_to_subscribers: Type.Boolean(),
  first_message_id: Type.Null(),
  message_retention_days: Type.Null(),
  stream_weekly_traffic: Type.Null(),
  folder_id: Type.Null(),
  is_archived: Type.Boolean(),
  is_recently_active: Type.Boolean(),
  topics_policy: Type.Literal('inherit'),
  stream_post_policy: Type.Integer({ minimum: 1, maximum: 4 }),
  subscriber_count: Type.Integer(),
  can_send_message_group: groupValue,
  can_add_subscribers_group: groupValue,
  can_administer_channel_group: groupValue,
  can_delete_any_message_group: groupValue,
  can_delete_own_message_group: groupValue,
  can_subscribe_group: groupValue,
});

const nullableBoolean = orNull(Type.Boolean());
const SubscriptionShape = Type.Object({
  ...ChannelShape.properties,
  color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  is_muted: Type.Boolean(),
  in_home_view: Type.Boolean(),
  pin_to_top: Type.Boolean(),
  desktop_notifications: nullableBoolean,
  audible_notifications: nullableBoolean,
  push_notifications: nullableBoolean,
  email_notifications: nullableBoolean,
  wildcard_mentions_notify: nullableBoolean,
});

const ids = Type.Array(Type.Integer());
const empty = Type.Array(Type.Unknown(), { maxItems: 0 });

/** Everything that the strict mobile client parses, and more that others read. */
export const RegisterShape = Type.Object({
  queue_id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  last_event_id: Type.Integer({ minimum: 0 }),
  idle_queue_timeout_secs: Type.Integer(),
  zulip_version: Type.Literal('11.0'),
  zulip_feature_level: Type.Literal(421),
  zulip_merge_base: Type.Literal('11.0'),
  max_message_id: Type.Integer(),
  user_id: Type.Integer(),
  email: Type.String(),
  full_name: Type.String(),
  realm_users: Type.Array(UserShape),
  realm_non_active_users: Type.Array(UserShape),
  cross_realm_bots: Type.Array(UserShape),
  subscriptions: Type.Array(SubscriptionShape),
  unsubscribed: empty,
  never_subscribed: Type.Array(ChannelShape),
  streams: Type.Array(ChannelShape),
  unread_msgs: Type.Object({
    count: Type.Integer(),
    pms: empty,
    streams: empty,
    huddles: empty,
    mentions: ids,
    old_unreads_missing: Type.Boolean(),
  }),
  starred_messages: ids,
  user_topics: empty,
  presences: Type.Object({}),
  presence_last_update_id: Type.Integer(),
  server_timestamp: Type.Number(),
  realm_emoji: Type.Object({}),
  realm_user_groups: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      description: Type.String(),
      members: ids,
      direct_subgroup_ids: ids,
      is_system_group: Type.Literal(true),
      deactivated: Type.Literal(false),
      can_mention_group: groupValue,
    }),
  ),
  user_settings: Type.Object({
    send_private_typing_notifications: Type.Boolean(),
    twenty_four_hour_time: Type.Boolean(),
    pm_content_in_desktop_notifications: Type.Boolean(),
    starred_message_counts: Type.Boolean(),
    display_emoji_reaction_users: Type.Boolean(),
    emojiset: Type.String(),
    presence_enabled: Type.Boolean(),
    web_inbox_show_channel_folders: Type.Boolean(),
    timezone: Type.String(),
    emojiset_choices: Type.Array(Type.Object({ key: Type.String(), text: Type.String() })),
    available_notification_sounds: Type.Array(Type.String()),
  }),
  realm_user_settings_defaults: Type.Object({ enter_sends: Type.Boolean() }),
  custom_profile_fields: empty,
  custom_profile_field_types: Type.Object({
    SHORT_TEXT: Type.Object({ id: Type.Integer(), name: Type.String() }),
  }),
  alert_words: Type.Array(Type.String()),
  muted_users: empty,
  recent_private_conversations: empty,
  user_status: Type.Object({}),
  saved_snippets: empty,
  channel_folders: empty,
  drafts: Type.Array(Type.Unknown()),
  scheduled_messages: empty,
  reminders: empty,
  navigation_views: empty,
  realm_linkifiers: empty,
  realm_filters: empty,
  realm_playgrounds: empty,
  realm_domains: empty,
  realm_default_streams: empty,
  realm_bots: Type.Array(Type.Object({ user_id: Type.Integer() })),
  stop_words: empty,
  devices: Type.Object({}),
  push_devices: Type.Object({}),
  realm_name: Type.String(),
  realm_url: Type.String(),
  realm_uri: Type.String(),
  realm_icon_url: Type.String(),
  realm_allow_message_editing: Type.Boolean(),
  realm_presence_disabled: Type.Boolean(),
  realm_enable_read_receipts: Type.Boolean(),
  realm_message_content_edit_limit_seconds: orNull(Type.Integer()),
  realm_message_content_delete_limit_seconds: orNull(Type.Integer()),
  realm_message_retention_days: Type.Integer(),
  realm_allow_edit_history: Type.Boolean(),
  realm_waiting_period_threshold: Type.Integer(),
  realm_wildcard_mention_policy: Type.Union([1, 2, 3, 5, 6, 7].map((n) => Type.Literal(n))),
  realm_default_external_accounts: Type.Object({}),
  realm_can_delete_any_message_group: groupValue,
  realm_can_delete_own_message_group: groupValue,
  realm_topics_policy: Type.String(),
  realm_mandatory_topics: Type.Boolean(),
  realm_empty_topic_display_name: Type.Literal('general chat'),
  realm_date_created: Type.Integer({ minimum: 1 }),
  realm_uuid: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  max_message_length: Type.Literal(10_000),
  max_topic_length: Type.Literal(60),
  max_stream_name_length: Type.Literal(60),
  max_stream_description_length: Type.Literal(1024),
  max_channel_folder_name_length: Type.Literal(60),
  max_channel_folder_description_length: Type.Literal(1024),
  max_file_upload_size_mib: Type.Integer({ minimum: 1 }),
  server_presence_ping_interval_seconds: Type.Integer(),
  server_presence_offline_threshold_seconds: Type.Integer(),
  server_typing_started_wait_period_milliseconds: Type.Integer(),
  server_typing_stopped_wait_period_milliseconds: Type.Integer(),
  server_typing_started_expiry_period_milliseconds: Type.Integer(),
  server_emoji_data_url: Type.String({ pattern: '^http' }),
  server_thumbnail_formats: Type.Array(
    Type.Object({
      name: Type.String(),
      max_width: Type.Integer(),
      max_height: Type.Integer(),
      animated: Type.Boolean(),
      format: Type.String(),
    }),
  ),
  server_generation: Type.Integer(),
  event_queue_longpoll_timeout_seconds: Type.Literal(90),
});

export const ServerSettingsShape = Type.Object({
  zulip_version: Type.Literal('11.0'),
  zulip_feature_level: Type.Literal(421),
  zulip_merge_base: Type.Literal('11.0'),
  realm_uri: Type.String({ pattern: '^https?://[^/]+$' }),
  realm_url: Type.String({ pattern: '^https?://[^/]+$' }),
  realm_name: Type.String(),
  realm_icon: Type.String(),
  realm_description: Type.String(),
  realm_web_public_access_enabled: Type.Literal(false),
  authentication_methods: Type.Object(
    Object.fromEntries(
      [
        'password',
        'dev',
        'email',
        'ldap',
        'remoteuser',
        'github',
        'azuread',
        'gitlab',
        'apple',
        'google',
        'saml',
        'openid connect',
      ].map((name) => [name, Type.Boolean()]),
    ),
  ),
  external_authentication_methods: Type.Array(
    Type.Object({
      name: Type.String(),
      display_name: Type.String(),
      display_icon: Type.Union([Type.String(), Type.Null()]),
      login_url: Type.String({ pattern: '^/[^?]*$' }),
      signup_url: Type.String(),
    }),
  ),
  email_auth_enabled: Type.Boolean(),
  require_email_format_usernames: Type.Boolean(),
  push_notifications_enabled: Type.Boolean(),
  is_incompatible: Type.Literal(false),
});
