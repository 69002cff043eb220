// Defines every permission setting of the organization, of channels and of groups: its default, and which groups may be
// chosen.
import { roleGroupId, type RoleGroupName } from '../../../accounts/users/role-groups.ts';

export interface PermissionDefinition {
  readonly by: RoleGroupName;
  readonly allowsNobody: boolean;
  /**
   * Whether the group of everyone may be chosen. If not, guests never have the permission, even if named one by one.
   */
  readonly allowsEveryone: boolean;
  /** If set, only these groups may be chosen. */
  readonly only?: readonly RoleGroupName[];
  /** A group that may not be chosen, although others like it may. */
  readonly never?: RoleGroupName;
  /** The creator of the channel or the group starts with the permission. */
  readonly startsWithCreator?: true;
  /** The default for role groups, if it differs. */
  readonly forSystemGroups?: RoleGroupName;
}

/** Unless the options say otherwise, nobody may be chosen and everyone may not. */
const permission = (
  by: RoleGroupName,
  options: Partial<Omit<PermissionDefinition, 'by'>> = {},
): PermissionDefinition => ({ by, allowsNobody: true, allowsEveryone: false, ...options });

const REALM = {
  create_multiuse_invite_group: permission('role:administrators'),
  can_access_all_users_group: permission('role:everyone', {
    allowsNobody: false,
    allowsEveryone: true,
    only: ['role:everyone', 'role:members'],
  }),
  can_add_subscribers_group: permission('role:members'),
  can_add_custom_emoji_group: permission('role:members'),
  can_create_bots_group: permission('role:members'),
  can_create_write_only_bots_group: permission('role:members'),
  can_create_groups: permission('role:members'),
  can_create_public_channel_group: permission('role:members'),
  can_create_private_channel_group: permission('role:members'),
  can_create_web_public_channel_group: permission('role:owners', {
    only: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_delete_any_message_group: permission('role:administrators'),
  can_delete_own_message_group: permission('role:everyone', { allowsEveryone: true }),
  can_invite_users_group: permission('role:members'),
  can_manage_all_groups: permission('role:owners', { allowsNobody: false }),
  can_manage_billing_group: permission('role:administrators', { allowsNobody: false }),
  can_mention_many_users_group: permission('role:administrators', { allowsEveryone: true }),
  can_move_messages_between_channels_group: permission('role:members'),
  can_move_messages_between_topics_group: permission('role:everyone', { allowsEveryone: true }),
  can_resolve_topics_group: permission('role:everyone', { allowsEveryone: true }),
  can_set_delete_message_policy_group: permission('role:moderators'),
  can_set_topics_policy_group: permission('role:members', { allowsEveryone: true }),
  can_summarize_topics_group: permission('role:everyone', { allowsEveryone: true }),
  direct_message_initiator_group: permission('role:everyone', { allowsEveryone: true }),
  direct_message_permission_group: permission('role:everyone', { allowsEveryone: true }),
  workplace_users_group: permission('role:everyone', { allowsEveryone: true }),
} as const;

const CHANNEL = {
  can_add_subscribers_group: permission('role:nobody'),
  can_administer_channel_group: permission('role:nobody', { startsWithCreator: true }),
  can_create_topic_group: permission('role:everyone', { allowsEveryone: true }),
  can_delete_any_message_group: permission('role:nobody', { allowsEveryone: true }),
  can_delete_own_message_group: permission('role:nobody', { allowsEveryone: true }),
  can_move_messages_out_of_channel_group: permission('role:nobody', { allowsEveryone: true }),
  can_move_messages_within_channel_group: permission('role:nobody', { allowsEveryone: true }),
  can_remove_subscribers_group: permission('role:administrators', { allowsEveryone: true }),
  can_send_message_group: permission('role:everyone', { allowsEveryone: true }),
  can_subscribe_group: permission('role:nobody'),
  can_resolve_topics_group: permission('role:nobody', { allowsEveryone: true }),
} as const;

const NOBODY = { forSystemGroups: 'role:nobody' } as const;
const CREATOR = { ...NOBODY, startsWithCreator: true } as const;

const GROUP = {
  can_add_members_group: permission('role:nobody', CREATOR),
  can_join_group: permission('role:nobody', NOBODY),
  can_leave_group: permission('role:everyone', { allowsEveryone: true, ...NOBODY }),
  can_manage_group: permission('role:nobody', CREATOR),
  can_mention_group: permission('role:everyone', {
    allowsEveryone: true,
    ...NOBODY,
    never: 'role:owners',
  }),
  can_remove_members_group: permission('role:nobody', NOBODY),
} as const;

/** `realm` is what clients call the organization. */
const DEFINITIONS = { realm: REALM, channel: CHANNEL, group: GROUP } as const;

export type PermissionScope = keyof typeof DEFINITIONS;
export type SettingName<K extends PermissionScope> = keyof (typeof DEFINITIONS)[K] & string;

export const definitionOf = <K extends PermissionScope>(
  kind: K,
  setting: SettingName<K>,
): PermissionDefinition =>
  (DEFINITIONS[kind] as Readonly<Record<string, PermissionDefinition>>)[
    setting
  ] as PermissionDefinition;

export const settingNames = <K extends PermissionScope>(kind: K): readonly SettingName<K>[] =>
  Object.keys(DEFINITIONS[kind]) as SettingName<K>[];

/** The default group, for objects without a stored value. */
export const defaultGroupId = <K extends PermissionScope>(
  kind: K,
  setting: SettingName<K>,
): number => roleGroupId(definitionOf(kind, setting).by);

/** The allowed values of a setting, in the words of the register response. */
const describe = ({
  by,
  allowsNobody,
  allowsEveryone,
  only,
  forSystemGroups,
}: PermissionDefinition) => ({
  require_system_group: only !== undefined,
  allow_internet_group: false,
  allow_nobody_group: allowsNobody,
  allow_everyone_group: allowsEveryone,
  default_group_name: by,
  default_for_system_groups: forSystemGroups ?? null,
  allowed_system_groups: only ?? [],
});

const describeAll = (definitions: Readonly<Record<string, PermissionDefinition>>) =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, describe(definition)]),
  );

export const SUPPORTED_PERMISSION_SETTINGS = {
  realm: describeAll(REALM),
  stream: describeAll(CHANNEL),
  group: describeAll(GROUP),
};
