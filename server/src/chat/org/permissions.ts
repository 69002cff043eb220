// Who may do what, as settings whose values are groups. Until they can be changed, every value is its
// default, and the defaults are what the code enforces.
import { roleGroupId, type RoleGroupName } from '../../accounts/users/role-groups.ts';

interface Permission {
  readonly by: RoleGroupName;
  readonly nobody: boolean;
  readonly everyone: boolean;
  /** The only groups that may be chosen, where not every group may. */
  readonly only?: readonly RoleGroupName[];
  /** For groups that exist because roles do, when it differs. */
  readonly forSystemGroups?: RoleGroupName;
}

const permission = (
  by: RoleGroupName,
  nobody: boolean,
  everyone: boolean,
  more: Pick<Permission, 'only' | 'forSystemGroups'> = {},
): Permission => ({ by, nobody, everyone, ...more });

const REALM = {
  create_multiuse_invite_group: permission('role:administrators', true, false),
  can_access_all_users_group: permission('role:everyone', false, true, {
    only: ['role:everyone', 'role:members'],
  }),
  can_add_subscribers_group: permission('role:members', true, false),
  can_add_custom_emoji_group: permission('role:members', true, false),
  can_create_bots_group: permission('role:members', true, false),
  can_create_write_only_bots_group: permission('role:members', true, false),
  can_create_groups: permission('role:members', true, false),
  can_create_public_channel_group: permission('role:members', true, false),
  can_create_private_channel_group: permission('role:members', true, false),
  can_create_web_public_channel_group: permission('role:owners', true, false, {
    only: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_delete_any_message_group: permission('role:administrators', true, false),
  can_delete_own_message_group: permission('role:everyone', true, true),
  can_invite_users_group: permission('role:members', true, false),
  can_manage_all_groups: permission('role:owners', false, false),
  can_manage_billing_group: permission('role:administrators', false, false),
  can_mention_many_users_group: permission('role:administrators', true, true),
  can_move_messages_between_channels_group: permission('role:members', true, false),
  can_move_messages_between_topics_group: permission('role:everyone', true, true),
  can_resolve_topics_group: permission('role:everyone', true, true),
  can_set_delete_message_policy_group: permission('role:moderators', true, false),
  can_set_topics_policy_group: permission('role:members', true, true),
  can_summarize_topics_group: permission('role:everyone', true, true),
  direct_message_initiator_group: permission('role:everyone', true, true),
  direct_message_permission_group: permission('role:everyone', true, true),
  workplace_users_group: permission('role:everyone', true, true),
} as const;

const CHANNEL = {
  can_add_subscribers_group: permission('role:nobody', true, false),
  can_administer_channel_group: permission('role:nobody', true, false),
  can_create_topic_group: permission('role:everyone', true, true),
  can_delete_any_message_group: permission('role:nobody', true, true),
  can_delete_own_message_group: permission('role:nobody', true, true),
  can_move_messages_out_of_channel_group: permission('role:nobody', true, true),
  can_move_messages_within_channel_group: permission('role:nobody', true, true),
  can_remove_subscribers_group: permission('role:administrators', true, true),
  can_send_message_group: permission('role:everyone', true, true),
  can_subscribe_group: permission('role:nobody', true, false),
  can_resolve_topics_group: permission('role:nobody', true, true),
} as const;

const NOBODY = { forSystemGroups: 'role:nobody' } as const;

const GROUP = {
  can_add_members_group: permission('role:nobody', true, false, NOBODY),
  can_join_group: permission('role:nobody', true, false, NOBODY),
  can_leave_group: permission('role:everyone', true, true, NOBODY),
  can_manage_group: permission('role:nobody', true, false, NOBODY),
  can_mention_group: permission('role:everyone', true, true, NOBODY),
  can_remove_members_group: permission('role:nobody', true, false, NOBODY),
} as const;

type Settings = Readonly<Record<string, Permission>>;

const mapValues = <T>(settings: Settings, value: (setting: Permission) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, value(setting)]));

/** What a setting may be set to, in the words of the register response. */
const describe = ({ by, nobody, everyone, only, forSystemGroups }: Permission) => ({
  require_system_group: only !== undefined,
  allow_internet_group: false,
  allow_nobody_group: nobody,
  allow_everyone_group: everyone,
  default_group_name: by,
  default_for_system_groups: forSystemGroups ?? null,
  allowed_system_groups: only ?? [],
});

export const SUPPORTED_PERMISSION_SETTINGS = {
  realm: mapValues(REALM, describe),
  stream: mapValues(CHANNEL, describe),
  group: mapValues(GROUP, describe),
};

/** `realm_can_…_group` and the others, each the id of a group. */
export const realmPermissions = (): Record<string, number> =>
  Object.fromEntries(
    Object.entries(REALM).map(([name, { by }]) => [`realm_${name}`, roleGroupId(by)]),
  );

/** Whoever made a channel administers it. */
export const channelPermissions = (creatorId: number | null): Record<string, unknown> => ({
  ...mapValues(CHANNEL, ({ by }) => roleGroupId(by)),
  ...(creatorId !== null && {
    can_administer_channel_group: { direct_members: [creatorId], direct_subgroups: [] },
  }),
});

export const systemGroupPermissions = (): Record<string, number> =>
  mapValues(GROUP, () => roleGroupId('role:nobody'));
