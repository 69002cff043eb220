// Limits of sizes and times. The features enforce them, and clients get the same constants.
import { GUESSES_MIN, PASSWORD_MAX, PASSWORD_MIN } from '../accounts/passwords/rules.ts';

/** The id of the only organization. */
export const REALM_ID = 1;

export const LIMITS = {
  max_message_length: 10_000,
  max_topic_length: 60,
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: 1000,
  max_bulk_new_subscription_messages: 100,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  password_min_length: PASSWORD_MIN,
  password_max_length: PASSWORD_MAX,
  password_min_guesses: GUESSES_MIN,
} as const;

/** The display name of an empty topic for clients that do not support empty topics. Not translated on the server. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';

const thumbnail = (name: string, animated: boolean) => ({
  name,
  max_width: 840,
  max_height: 560,
  format: 'webp',
  animated,
});

const reason = (key: string, name: string) => ({ key, name });

export const SERVER_VALUES = {
  server_typing_started_wait_period_milliseconds: 30_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  event_queue_longpoll_timeout_seconds: 90,
  server_inline_image_preview: true,
  // The server does not fetch pages that messages link to.
  server_inline_url_embed_preview: false,
  server_thumbnail_formats: [
    thumbnail('840x560-anim.webp', true),
    thumbnail('840x560.webp', false),
  ],
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_web_public_streams_enabled: false,
  server_can_summarize_topics: false,
  server_needs_upgrade: false,
  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,
  server_jitsi_server_url: 'https://meet.jit.si',
  server_report_message_types: [
    reason('spam', 'Spam'),
    reason('harassment', 'Harassment'),
    reason('inappropriate', 'Inappropriate content'),
    reason('norms', 'Violates community norms'),
    reason('other', 'Other reason'),
  ],
  gif_rating_policy_options: gifRatings(),
  giphy_rating_options: gifRatings(),
  settings_send_digest_emails: false,
  development_environment: false,
  upgrade_text_for_wide_organization_logo: '',
  zulip_plan_is_not_limited: true,
} as const;

function gifRatings() {
  const rating = (id: number, name: string) => ({ id, name });
  return {
    disabled: rating(0, 'GIFs integration disabled'),
    g: rating(1, 'Allow GIFs rated G (General audience)'),
    pg: rating(2, 'Allow GIFs rated PG (Parental guidance)'),
    'pg-13': rating(3, 'Allow GIFs rated PG-13 (Parental guidance - under 13)'),
    r: rating(4, 'Allow GIFs rated R (Restricted)'),
  };
}
