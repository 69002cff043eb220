// What this client asks of `register`: every part of the state, and every event that changes it.
import type { EventsOptions } from '@rialto/sdk';

/** The parts of the answer, by the names that the API has for them. */
const PARTS: readonly string[] = `
  message update_message_flags starred_messages recent_private_conversations
  realm realm_user realm_user_groups realm_bot custom_profile_fields presence user_status
  muted_users alert_words subscription channel_folders default_streams user_topic
  drafts scheduled_messages reminders saved_snippets navigation_views user_settings
  realm_user_settings_defaults realm_emoji realm_linkifiers realm_playgrounds onboarding_steps
`
  .trim()
  .split(/\s+/);

export const REGISTER = {
  apply_markdown: true,
  slim_presence: true,
  include_subscribers: 'partial',
  fetch_event_types: PARTS,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    individual_emoji_changes: true,
  },
} satisfies EventsOptions['register'];
