// The organization as clients see it. An organization is a deployment, so what cannot be configured yet
// has the value that a new organization has.
import type { ApiContext } from '../../platform/context.ts';
import { EMOJI_DATA_PATH, REALM_ICON_PATH } from '../assets/paths.ts';
import { EMPTY_TOPIC_DISPLAY_NAME, LIMITS, SERVER_VALUES } from './limits.ts';
import { realmPermissions, SUPPORTED_PERMISSION_SETTINGS } from './permissions.ts';

const WEEK_SECONDS = 604_800;

const POLICY = { members: 1, administrators: 2, nobody: 6, owners: 7 } as const;

const DEFAULTS = {
  realm_description: '',
  realm_allow_message_editing: true,
  realm_message_content_edit_limit_seconds: 600,
  realm_message_content_delete_limit_seconds: 600,
  realm_move_messages_within_stream_limit_seconds: WEEK_SECONDS,
  realm_move_messages_between_streams_limit_seconds: WEEK_SECONDS,
  realm_message_edit_history_visibility_policy: 'all',
  realm_allow_edit_history: true,
  realm_topics_policy: 'allow_empty_topic',
  realm_mandatory_topics: false,
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_message_retention_days: -1,
  realm_invite_required: true,
  realm_emails_restricted_to_domains: false,
  realm_disallow_disposable_email_addresses: true,
  realm_waiting_period_threshold: 0,
  realm_default_language: 'en',
  realm_default_code_block_language: '',
  realm_default_avatar_source: 'J',
  realm_enable_read_receipts: true,
  realm_enable_spectator_access: false,
  realm_web_public_access_enabled: false,
  realm_enable_guest_user_indicator: true,
  realm_enable_guest_user_dm_warning: true,
  realm_name_changes_disabled: false,
  realm_email_changes_disabled: false,
  realm_avatar_changes_disabled: false,
  realm_require_unique_names: false,
  realm_inline_image_preview: true,
  realm_inline_url_embed_preview: false,
  realm_media_preview_size: 100,
  realm_digest_emails_enabled: false,
  realm_digest_weekday: 1,
  realm_send_channel_events_messages: false,
  realm_send_welcome_emails: true,
  realm_message_content_allowed_in_email_notifications: true,
  realm_welcome_message_custom_text: '',
  realm_video_chat_provider: 1,
  realm_available_video_chat_providers: {
    disabled: { name: 'None', id: 0 },
    jitsi_meet: { name: 'Jitsi Meet', id: 1 },
  },
  realm_jitsi_server_url: null,
  realm_gif_rating_policy: 1,
  realm_giphy_rating: 1,
  realm_push_notifications_enabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_require_e2ee_push_notifications: false,
  realm_presence_disabled: false,
  realm_org_type: 0,
  realm_plan_type: 1,
  realm_upload_quota_mib: null,
  realm_icon_url: REALM_ICON_PATH,
  realm_icon_source: 'G',
  realm_logo_url: REALM_ICON_PATH,
  realm_logo_source: 'D',
  realm_night_logo_url: REALM_ICON_PATH,
  realm_night_logo_source: 'D',
  realm_want_advertise_in_communities_directory: false,
  realm_owner_full_content_access: false,
  realm_moderation_request_channel_id: -1,
  realm_new_stream_announcements_stream_id: -1,
  realm_signup_announcements_stream_id: -1,
  realm_zulip_update_announcements_stream_id: -1,
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_default_external_accounts: {},
  realm_create_public_stream_policy: POLICY.members,
  realm_create_private_stream_policy: POLICY.members,
  realm_create_web_public_stream_policy: POLICY.owners,
  realm_wildcard_mention_policy: POLICY.administrators,
  realm_bot_creation_policy: POLICY.members,
} as const;

const STARTED_SECONDS = Math.floor(Date.now() / 1000);

/** Everything that `realm` stands for among the types that a client can fetch. */
export function realmFields(ctx: ApiContext, createdAt: Date): Record<string, unknown> {
  const url = ctx.publicUrl();
  return {
    ...DEFAULTS,
    ...LIMITS,
    ...SERVER_VALUES,
    ...realmPermissions(),
    realm_name: ctx.config.ORGANIZATION_NAME,
    realm_url: url,
    realm_uri: url,
    realm_uuid: uuidOf(ctx),
    realm_bot_domain: new URL(url).hostname,
    realm_date_created: Math.floor(createdAt.getTime() / 1000),
    server_generation: STARTED_SECONDS,
    server_emoji_data_url: `${url}${EMOJI_DATA_PATH}`,
    server_supported_permission_settings: SUPPORTED_PERMISSION_SETTINGS,
  };
}

/** The same in every process of the deployment, and in no other deployment. */
function uuidOf(ctx: ApiContext): string {
  const hex = ctx.secrets.lookup('organization', 'uuid').toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
