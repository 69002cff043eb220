// Every setting of the organization that is not a permission: its default, its allowed values, and who may change it.
// Only values that differ from the default are stored.
import { Type, type TSchema } from 'typebox';
import { DEFAULT_FACTOR_RULE, FACTOR_RULES } from '../../../accounts/second-factors/rule.ts';
import { DAY_SECONDS } from '../../../platform/std/time.ts';
import { LANGUAGES } from '../setting-definitions/languages.ts';

export type RealmValue = boolean | number | string | null;

interface Definition {
  readonly byDefault: RealmValue;
  /** The schema of the parameter in requests. */
  readonly schema: TSchema;
  /** Whether only owners may change it. */
  readonly isForOwners?: true;
  /** Sent together with related settings, as `update_dict`. */
  readonly isGrouped?: true;
  /** Converts a request's value to the stored one; undefined when it is not valid. */
  readonly read?: (given: RealmValue) => RealmValue | undefined;
}

type Entry = readonly [string, Definition];

const flags = (byDefault: boolean, names: string): Entry[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, { byDefault, schema: Type.Boolean({ default: byDefault }) }]);

const forOwners = (entries: readonly Entry[]): Entry[] =>
  entries.map(([name, definition]) => [name, { ...definition, isForOwners: true }]);

const choice = (byDefault: number, values: readonly number[]): Definition => ({
  byDefault,
  schema: Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: byDefault },
  ),
});

const word = (byDefault: string, values: readonly string[]): Definition => ({
  byDefault,
  schema: Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: byDefault },
  ),
});

const text = (byDefault: string, maxLength: number): Definition => ({
  byDefault,
  schema: Type.String({ default: byDefault, maxLength }),
});

const UNLIMITED = 'unlimited';

/** Seconds, or the word for no limit, which is stored as null. */
const timeLimit = (byDefault: number, more: Partial<Definition> = {}): Definition => ({
  byDefault,
  schema: Type.Union([Type.Integer(), Type.Literal(UNLIMITED)], {
    'x-quoted': true,
    description: 'Seconds, or the word unlimited.',
  }),
  read: (given) => {
    if (given === UNLIMITED) return null;
    return typeof given === 'number' && given > 0 && given < 2 ** 31 ? given : undefined;
  },
  ...more,
});

/** The id of a channel; -1 for none. */
const channel = (): Definition => ({ byDefault: -1, schema: Type.Integer({ minimum: -1 }) });

export const DAYS_MAX = 36_500;
const WEEK_SECONDS = 7 * DAY_SECONDS;

const DEFINITIONS: ReadonlyMap<string, Definition> = new Map<string, Definition>([
  // The default is the name in the deployment's configuration.
  ['name', text('', 40)],
  ['description', { ...text('', 1000), isGrouped: true }],
  [
    'allow_message_editing',
    { byDefault: true, schema: Type.Boolean({ default: true }), isGrouped: true },
  ],
  ['message_content_edit_limit_seconds', timeLimit(600, { isGrouped: true })],
  ['message_content_delete_limit_seconds', timeLimit(600)],
  ['move_messages_within_stream_limit_seconds', timeLimit(WEEK_SECONDS)],
  ['move_messages_between_streams_limit_seconds', timeLimit(WEEK_SECONDS)],
  ['message_edit_history_visibility_policy', word('all', ['all', 'moves', 'none'])],
  [
    'topics_policy',
    {
      ...word('allow_empty_topic', [
        'allow_empty_topic',
        'disable_empty_topic',
        'empty_topic_only',
      ]),
      isGrouped: true,
    },
  ],
  [
    'message_retention_days',
    {
      byDefault: -1,
      isForOwners: true,
      schema: Type.Union([Type.Integer(), Type.Literal(UNLIMITED)], { 'x-quoted': true }),
      read: (given) => {
        if (given === UNLIMITED) return -1;
        return typeof given === 'number' && given > 0 && given <= DAYS_MAX ? given : undefined;
      },
    },
  ],
  ...forOwners(flags(true, 'invite_required disallow_disposable_email_addresses')),
  ...forOwners(flags(false, 'emails_restricted_to_domains')),
  ['second_factor_required', { ...word(DEFAULT_FACTOR_RULE, FACTOR_RULES), isForOwners: true }],
  ['default_language', { byDefault: 'en', schema: Type.String({ default: 'en' }) }],
  ['default_code_block_language', text('', 80)],
  ...flags(
    true,
    `enable_read_receipts enable_guest_user_indicator enable_guest_user_dm_warning
     inline_image_preview send_welcome_emails message_content_allowed_in_email_notifications`,
  ),
  ...flags(
    false,
    `enable_spectator_access name_changes_disabled email_changes_disabled avatar_changes_disabled
     require_unique_names inline_url_embed_preview digest_emails_enabled
     send_channel_events_messages presence_disabled require_e2ee_push_notifications
     want_advertise_in_communities_directory`,
  ),
  ['media_preview_size', choice(100, [100, 150, 200])],
  ['digest_weekday', choice(1, [0, 1, 2, 3, 4, 5, 6])],
  ['welcome_message_custom_text', text('', 8000)],
  ['video_chat_provider', { byDefault: 1, schema: Type.Integer({ default: 1 }) }],
  [
    'jitsi_server_url',
    {
      byDefault: null,
      schema: Type.String({ maxLength: 200, description: 'The word default for the own one.' }),
      read: (given) => {
        if (given === 'default' || given === '') return null;
        return typeof given === 'string' && /^https?:\/\/[^\s"<>]+$/.test(given)
          ? given
          : undefined;
      },
    },
  ],
  ['gif_rating_policy', choice(1, [0, 1, 2, 3, 4])],
  ['org_type', choice(0, [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000])],
  ['moderation_request_channel_id', channel()],
  ['new_stream_announcements_stream_id', channel()],
  ['signup_announcements_stream_id', channel()],
  ['zulip_update_announcements_stream_id', channel()],
]);

/** Stored apart from the others, because it moves people between groups. */
export const WAITING_PERIOD = 'waiting_period_threshold';

export const REALM_SETTING_NAMES: readonly string[] = [...DEFINITIONS.keys()];

export const VIDEO_CHAT_PROVIDERS = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
} as const;

export const isLanguage = (code: unknown): boolean =>
  typeof code === 'string' && Object.hasOwn(LANGUAGES, code);

export const realmDefinition = (name: string): Definition => {
  const definition = DEFINITIONS.get(name);
  if (definition === undefined) throw new Error(`The organization has no setting "${name}".`);
  return definition;
};

/** One optional parameter for each setting, in order. */
export const realmSettingParams = (): Record<string, TSchema> =>
  Object.fromEntries([...DEFINITIONS].map(([name, { schema }]) => [name, Type.Optional(schema)]));

/** Every setting: the stored value, or the default. */
export const completeRealm = (
  stored: Readonly<Record<string, unknown>>,
): Record<string, RealmValue> =>
  Object.fromEntries(
    [...DEFINITIONS].map(([name, { byDefault }]) => [
      name,
      Object.hasOwn(stored, name) ? (stored[name] as RealmValue) : byDefault,
    ]),
  );
