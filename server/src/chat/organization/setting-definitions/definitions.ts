// Every personal setting: its default and its allowed values. Only values that a person changed are stored.
import { Type, type TSchema } from 'typebox';
import { DAY_SECONDS } from '../../../platform/std/time.ts';
import { badRequest } from '../../http/errors.ts';
import { LANGUAGES } from './languages.ts';

interface Definition {
  readonly byDefault: boolean | number | string;
  readonly schema: TSchema;
  /** Values of older clients, and the current value that each means. */
  readonly spellings?: Readonly<Record<string, string>>;
}

const flags = (byDefault: boolean, names: string): [string, Definition][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, { byDefault, schema: Type.Boolean({ default: byDefault }) }]);

const choice = (byDefault: number, values: readonly number[]): Definition => ({
  byDefault,
  schema: Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: byDefault },
  ),
});

const upTo = (count: number): number[] => Array.from({ length: count }, (_value, i) => i + 1);

const word = (byDefault: string, values: readonly string[], isListed = true): Definition => ({
  byDefault,
  schema: Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: byDefault, 'x-listed': isListed },
  ),
});

const number = (byDefault: number, minimum: number, maximum: number): Definition => ({
  byDefault,
  schema: Type.Integer({ default: byDefault, minimum, maximum }),
});

const SOUNDS = ['zulip'] as const;
const BATCHING_SECONDS_MAX = 7 * DAY_SECONDS;

/**
 * `timezone` is stored with the person, not here. `enable_offline_email_notifications` is false and cannot be switched
 * on, because a setting without effect would be worse than none.
 */
const DEFINITIONS: ReadonlyMap<string, Definition> = new Map([
  ...flags(
    false,
    `enter_sends left_side_userlist fluid_layout_width high_contrast_mode translate_emoticons
     twenty_four_hour_time enable_stream_desktop_notifications enable_stream_email_notifications
     enable_stream_push_notifications enable_stream_audible_notifications allow_private_data_export
     hide_ai_features`,
  ),
  ...flags(
    true,
    `web_escape_navigates_to_home_view display_emoji_reaction_users starred_message_counts
     web_suggest_update_timezone web_left_sidebar_show_channel_folders
     web_left_sidebar_unreads_count_summary web_inbox_show_channel_folders
     web_navigate_to_sent_message wildcard_mentions_notify
     enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
     enable_followed_topic_push_notifications enable_followed_topic_audible_notifications
     enable_followed_topic_wildcard_mentions_notify enable_desktop_notifications
     pm_content_in_desktop_notifications enable_sounds enable_offline_email_notifications
     message_content_in_email_notifications enable_offline_push_notifications
     enable_online_push_notifications enable_digest_emails enable_login_emails
     enable_marketing_emails presence_enabled automatically_follow_topics_where_mentioned
     enable_drafts_synchronization send_stream_typing_notifications
     send_private_typing_notifications send_read_receipts receives_typing_notifications`,
  ),
  ['default_language', word('en', Object.keys(LANGUAGES), false)],
  [
    'web_home_view',
    {
      ...word('inbox', ['inbox', 'recent_topics', 'recent', 'all_messages']),
      spellings: { recent: 'recent_topics' },
    },
  ],
  ['color_scheme', choice(1, upTo(3))],
  ['web_font_size_px', number(16, 1, 1000)],
  ['web_line_height_percent', number(140, 1, 1000)],
  ['web_animate_image_previews', word('on_hover', ['always', 'on_hover', 'never'])],
  ['demote_inactive_streams', choice(1, upTo(3))],
  ['web_mark_read_on_scroll_policy', choice(1, upTo(3))],
  ['web_channel_default_view', choice(1, upTo(4))],
  ['emojiset', word('google', ['google', 'twitter', 'text'])],
  ['user_list_style', choice(3, upTo(3))],
  ['web_stream_unreads_count_display_policy', choice(2, upTo(3))],
  ['notification_sound', { byDefault: 'zulip', schema: Type.String({ default: 'zulip' }) }],
  [
    'email_notifications_batching_period_seconds',
    { byDefault: 120, schema: Type.Integer({ default: 120 }) },
  ],
  ['desktop_icon_count_display', choice(1, upTo(4))],
  ['realm_name_in_email_notifications_policy', choice(1, upTo(3))],
  ['automatically_follow_topics_policy', choice(3, upTo(4))],
  ['automatically_unmute_topics_in_muted_streams_policy', choice(2, upTo(4))],
  [
    'resolved_topic_notice_auto_read_policy',
    word('except_followed', ['always', 'except_followed', 'never'], false),
  ],
  // 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators: see accounts/users/sight.ts.
  ['email_address_visibility', choice(1, upTo(5))],
  // Overrides the value above. The map keeps the position there, which clients see.
  ...flags(false, 'enable_offline_email_notifications'),
]);

export type SettingValue = boolean | number | string;

/** A person's value, or the default. */
export function settingOf(
  user: { readonly settings: Readonly<Record<string, unknown>> },
  name: string,
): unknown {
  return Object.hasOwn(user.settings, name)
    ? user.settings[name]
    : DEFINITIONS.get(name)?.byDefault;
}

/** The value as it is stored, for any spelling that a client may use. */
export function canonical(name: string, value: SettingValue): SettingValue {
  return typeof value === 'string' ? (DEFINITIONS.get(name)?.spellings?.[value] ?? value) : value;
}

export const isDefault = (name: string, value: SettingValue): boolean =>
  DEFINITIONS.get(name)?.byDefault === value;

/** One optional parameter for each setting, in order. */
export const settingParams = (): Record<string, TSchema> =>
  Object.fromEntries([...DEFINITIONS].map(([name, { schema }]) => [name, schema]));

export const SETTING_NAMES: readonly string[] = [...DEFINITIONS.keys()];

/** Settings with a fixed value. */
export const FIXED_SETTINGS = {
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
  available_notification_sounds: SOUNDS,
} as const;

export type SettingsState = Readonly<Record<string, unknown>>;

/** What a new person starts with: what the organization chose, and otherwise our defaults. */
export const defaultSettings = (chosen: Readonly<Record<string, unknown>>): SettingsState => ({
  ...Object.fromEntries(SETTING_NAMES.map((name) => [name, settingOf({ settings: chosen }, name)])),
  ...FIXED_SETTINGS,
});

/** Checks that a schema cannot express in the API's words. */
export function checkSettingValues(settings: Readonly<Record<string, SettingValue>>): void {
  const { notification_sound: sound, email_notifications_batching_period_seconds: period } =
    settings;
  const sounds: readonly unknown[] = [...SOUNDS, 'none'];
  if (sound !== undefined && !sounds.includes(sound)) {
    throw badRequest(`Invalid notification sound '${sound}'`);
  }
  if (settings['enable_offline_email_notifications'] === true) {
    throw badRequest('This server does not send notifications of messages by email.');
  }
  if (typeof period === 'number' && (period < 1 || period > BATCHING_SECONDS_MAX)) {
    throw badRequest(`Invalid email batching period: ${period} seconds`);
  }
}
