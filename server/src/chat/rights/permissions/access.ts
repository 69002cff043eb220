// Reads who may do what, in the caller's transaction.
import {
  isGroupAbove,
  ROLE_GROUPS,
  roleGroupId,
  type RoleGroupName,
} from '../../../accounts/users/role-groups.ts';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { ABOUT, remembered } from '../../../platform/facts/memory.ts';
import {
  defaultGroupId,
  definitionOf,
  settingNames,
  type PermissionScope,
  type SettingName,
} from './definitions.ts';
import type { Permissions, Principal, Rights } from './rights.ts';
import {
  getGroup,
  listActiveUserIds,
  listGroupsByName,
  listGroupsOf,
  listInnerGroups,
  listMembers,
  listSettings,
  listOuterGroups,
  listUsesOfGroups,
  listUsesOfUser,
  readPerson,
  type StoredSetting,
} from './store.ts';
import { partsOf, type GroupSettingValue } from './value.ts';

export { getGroup, listGroupsByName, listInnerGroups, listUsesOfGroups, listUsesOfUser };

type Someone = Pick<User, 'id' | 'role'>;

/** The person's rights in the organization; questions about channels and groups need them too. */
export const readRights = (db: Db, { id, role }: Someone): Promise<Rights> =>
  remembered(db, `rights ${id} ${role}`, [id, ABOUT.everybody], async () => {
    const { groupIds, settings } = await readPerson(db, id);
    return {
      id,
      role,
      // Drops groups above the role: their rows date from before the role was lowered, or from an older release.
      groupIds: new Set(groupIds.filter((group) => !isGroupAbove(group, role))),
      organization: complete('realm', settings),
    };
  });

/** The same people with their groups, for questions about several people at once. */
export async function readPrincipals<P extends Someone>(
  db: Db,
  people: readonly P[],
): Promise<(P & Principal)[]> {
  const groups = await listGroupsOf(
    db,
    people.map(({ id }) => id),
  );
  return people.map((one) => ({ ...one, groupIds: new Set(groups.get(one.id)) }));
}

/** Everybody active in the group, or in one of the groups, through subgroups too, by id. */
export const listGroupMembers = (db: Db, ...groupIds: readonly number[]): Promise<number[]> =>
  listMembers(db, groupIds);

/** Everybody active whom the value names, by id, guests included. */
export async function listUsersInSetting(db: Db, value: GroupSettingValue): Promise<number[]> {
  const { members, subgroups } = partsOf(value);
  const ids = new Set([
    ...(await listActiveUserIds(db, members)),
    ...(await listMembers(db, subgroups)),
  ]);
  return [...ids].sort((a, b) => a - b);
}

/** The permissions of a channel that let people see that it exists. */
export const SIGHT_SETTINGS: ReadonlySet<string> = new Set<SettingName<'channel'>>([
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
]);

/** Channels that people know of by being in the group: their settings name it, or a group that contains it. */
export async function listChannelsShownTo(db: Db, groupId: number): Promise<number[]> {
  const uses = await listUsesOfGroups(db, await listOuterGroups(db, [groupId]));
  const ids = uses
    .filter(({ kind, setting }) => kind === 'channel' && SIGHT_SETTINGS.has(setting))
    .map(({ objectId }) => objectId);
  return [...new Set(ids)];
}

/** Every permission of the organization. */
export const readOrganizationPermissions = async (db: Db): Promise<Permissions<'realm'>> =>
  complete('realm', await listSettings(db, 'realm', [0]));

/** Every permission of each of these channels, or of all channels. Look up the result with `permissionsIn`. */
export const readChannelPermissions = (
  db: Db,
  channelIds?: readonly number[],
): Promise<PermissionTable<'channel'>> => readTable(db, 'channel', channelIds);

export const readGroupPermissions = (
  db: Db,
  groupIds?: readonly number[],
): Promise<PermissionTable<'group'>> => readTable(db, 'group', groupIds);

/** The values that differ from the defaults, by object. */
export type PermissionTable<K extends PermissionScope> = {
  readonly kind: K;
  readonly stored: ReadonlyMap<number, readonly StoredSetting[]>;
};

async function readTable<K extends PermissionScope>(
  db: Db,
  kind: K,
  objectIds: readonly number[] | undefined,
): Promise<PermissionTable<K>> {
  const settings = await listSettings(db, kind, objectIds);
  return { kind, stored: Map.groupBy(settings, ({ objectId }) => objectId) };
}

/** The permissions of one object, from a table that was read with it. */
export const permissionsIn = <K extends PermissionScope>(
  { kind, stored }: PermissionTable<K>,
  objectId: number,
): Permissions<K> =>
  kind === 'group' && isRoleGroup(objectId)
    ? (SYSTEM_GROUP_PERMISSIONS as Permissions<K>)
    : complete(kind, stored.get(objectId) ?? []);

function complete<K extends PermissionScope>(
  kind: K,
  stored: readonly StoredSetting[],
): Permissions<K> {
  const values = new Map(stored.map(({ setting, value }) => [setting, value]));
  return fromEntries(kind, (setting) => values.get(setting) ?? defaultGroupId(kind, setting));
}

function fromEntries<K extends PermissionScope>(
  kind: K,
  valueOf: (setting: SettingName<K>) => GroupSettingValue,
): Permissions<K> {
  return Object.fromEntries(
    settingNames(kind).map((setting) => [setting, valueOf(setting)]),
  ) as Permissions<K>;
}

const ROLE_GROUP_IDS = new Set(ROLE_GROUPS.map(({ id }) => id));
export const isRoleGroup = (groupId: number): boolean => ROLE_GROUP_IDS.has(groupId);

const SYSTEM_GROUP_PERMISSIONS: Permissions<'group'> = fromEntries('group', (setting) =>
  roleGroupId(definitionOf('group', setting).forSystemGroups as RoleGroupName),
);
