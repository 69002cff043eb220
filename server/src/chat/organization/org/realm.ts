// The organization as clients see it. A deployment has one organization.
import { roleGroupId, type RoleGroupName } from '../../../accounts/users/role-groups.ts';
import type { ApiContext, Context } from '../../../platform/context.ts';
import { hasRelay } from '../../../platform/push/relay.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { EMOJI_DATA_PATH, REALM_ICON_PATH } from './asset-paths.ts';
import { SUPPORTED_PERMISSION_SETTINGS } from '../../rights/permissions/definitions.ts';
import type { GroupSettingValue } from '../../rights/permissions/value.ts';
import { EXTERNAL_ACCOUNTS } from './external-accounts.ts';
import type { Organization } from './access.ts';
import { VIDEO_CHAT_PROVIDERS } from './definitions.ts';
import { methodStates, type MethodStates } from './sign-in-methods.ts';
import { EMPTY_TOPIC_DISPLAY_NAME, LIMITS, SERVER_VALUES } from '../../limits.ts';

/** Settings that cannot be changed yet, with the value of a new organization. */
const FIXED = {
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_default_avatar_source: 'J',
  realm_web_public_access_enabled: false,
  realm_available_video_chat_providers: VIDEO_CHAT_PROVIDERS,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_plan_type: 1,
  realm_icon_url: REALM_ICON_PATH,
  realm_icon_source: 'G',
  realm_logo_url: REALM_ICON_PATH,
  realm_logo_source: 'D',
  realm_night_logo_url: REALM_ICON_PATH,
  realm_night_logo_source: 'D',
  realm_owner_full_content_access: false,
  realm_default_external_accounts: EXTERNAL_ACCOUNTS,
} as const;

const STARTED_SECONDS = unixSeconds(Date.now());

/** The fields of the `realm` part of the register response. */
export function realmFields(
  ctx: ApiContext,
  organization: Organization,
  createdAt: Date,
): Record<string, unknown> {
  const url = ctx.publicUrl();
  return {
    ...FIXED,
    ...LIMITS,
    ...SERVER_VALUES,
    ...realmState(organization, methodStates(ctx.config, organization.methodsOff)),
    max_file_upload_size_mib: ctx.config.MAX_FILE_UPLOAD_SIZE_MIB,
    realm_upload_quota_mib: ctx.config.REALM_UPLOAD_QUOTA_MIB || null,
    realm_url: url,
    realm_uri: url,
    realm_uuid: organizationUuid(ctx),
    realm_push_notifications_enabled: hasRelay(ctx.config),
    realm_bot_domain: new URL(url).hostname,
    realm_date_created: unixSeconds(createdAt),
    server_generation: STARTED_SECONDS,
    server_web_public_streams_enabled: ctx.config.WEB_PUBLIC_STREAMS_ENABLED === 'true',
    server_emoji_data_url: `${url}${EMOJI_DATA_PATH}`,
    server_supported_permission_settings: SUPPORTED_PERMISSION_SETTINGS,
  };
}

export type RealmState = Readonly<Record<string, unknown>>;

/** What can change, under the names that clients have for it. */
function realmState(
  { settings, permissions, waitingPeriodDays }: Organization,
  methods: MethodStates,
): RealmState {
  const all = {
    ...settings,
    ...permissions,
    waiting_period_threshold: waitingPeriodDays,
    authentication_methods: methods,
  };
  return withDerived(
    Object.fromEntries(Object.entries(all).map(([name, value]) => [`realm_${name}`, value])),
  );
}

/** What older clients read instead of the settings of today. */
export function withDerived(state: RealmState): RealmState {
  const methods = state['realm_authentication_methods'] as MethodStates | undefined;
  const policy = (setting: string) => legacyPolicy(state[`realm_${setting}`] as GroupSettingValue);
  return {
    ...state,
    realm_email_auth_enabled: methods?.['Email']?.enabled === true,
    realm_password_auth_enabled:
      methods?.['Email']?.enabled === true || methods?.['LDAP']?.enabled === true,
    realm_mandatory_topics: state['realm_topics_policy'] === 'disable_empty_topic',
    realm_allow_edit_history: state['realm_message_edit_history_visibility_policy'] !== 'none',
    realm_giphy_rating: state['realm_gif_rating_policy'],
    realm_create_public_stream_policy: policy('can_create_public_channel_group'),
    realm_create_private_stream_policy: policy('can_create_private_channel_group'),
    realm_create_web_public_stream_policy: policy('can_create_web_public_channel_group'),
    realm_wildcard_mention_policy: policy('can_mention_many_users_group'),
    realm_bot_creation_policy: policy('can_create_bots_group'),
  };
}

const POLICIES: Readonly<Record<RoleGroupName, number>> = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:everyone': 5,
  'role:internet': 5,
  'role:nobody': 6,
  'role:owners': 7,
};

const POLICY_OF_GROUP: ReadonlyMap<number, number> = new Map(
  Object.entries(POLICIES).map(([name, policy]) => [roleGroupId(name as RoleGroupName), policy]),
);

/** The older number of a policy. A value without one is shown as "members"; members may then get a refusal. */
const legacyPolicy = (value: GroupSettingValue): number =>
  (typeof value === 'number' ? POLICY_OF_GROUP.get(value) : undefined) ?? POLICIES['role:members'];

/** The same in every process of the deployment; different in every other deployment. */
export function organizationUuid(ctx: Pick<Context, 'secrets'>): string {
  const hex = ctx.secrets.lookup('organization', 'uuid').toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
