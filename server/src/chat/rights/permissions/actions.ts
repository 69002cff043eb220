// Checks and stores the values of permissions. Emits no events: the caller gets what changed and announces it in the
// same transaction.
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import {
  defaultGroupId,
  definitionOf,
  settingNames,
  type PermissionScope,
  type SettingName,
} from './definitions.ts';
import {
  expectationMismatch,
  forbiddenGroup,
  groupIsDeactivated,
  invalidGroup,
  invalidGroupId,
  invalidUserId,
  systemGroupRequired,
} from './errors.ts';
import type { Permissions } from './rights.ts';
import {
  deleteSetting,
  listActiveUserIds,
  listGroupsById,
  listSettings,
  lockGroups,
  upsertSetting,
  type GroupRow,
} from './store.ts';
import {
  isSameValue,
  normalize,
  onlyPeople,
  partsOf,
  type GroupSettingChange,
  type GroupSettingValue,
} from './value.ts';

export { lockGroups };

/** The organization's settings have no object id. */
export const ORGANIZATION = 0;

export type GivenPermissions<K extends PermissionScope> = {
  readonly [Name in SettingName<K>]?: GroupSettingValue | undefined;
};

export type PermissionChanges<K extends PermissionScope> = {
  readonly [Name in SettingName<K>]?: GroupSettingChange | undefined;
};

/**
 * Stores the permissions of a new channel or group: the given values, and defaults for the others. Returns all of them.
 */
export async function createPermissions<K extends 'channel' | 'group'>(
  tx: Tx,
  kind: K,
  objectId: number,
  creatorId: number | null,
  given: GivenPermissions<K>,
): Promise<Permissions<K>> {
  await lockGroups(tx, 'to rely on');
  const values: Record<string, GroupSettingValue> = {};
  for (const setting of settingNames(kind)) {
    const asked = given[setting];
    const value =
      asked === undefined
        ? initialValue(kind, setting, creatorId)
        : await checkGroupSetting(tx, kind, setting, asked);
    await store(tx, kind, objectId, setting, value);
    values[setting] = value;
  }
  return values as Permissions<K>;
}

/** The defaults of a new object of the kind. */
export function initialValue<K extends PermissionScope>(
  kind: K,
  setting: SettingName<K>,
  creatorId: number | null,
): GroupSettingValue {
  return definitionOf(kind, setting).startsWithCreator === true && creatorId !== null
    ? onlyPeople(creatorId)
    : defaultGroupId(kind, setting);
}

/**
 * Stores given values that differ; returns what changed, for the events. The caller has checked that the person may
 * change it, and that the object exists.
 */
export async function changePermissions<K extends PermissionScope>(
  tx: Tx,
  kind: K,
  objectId: number,
  changes: PermissionChanges<K>,
): Promise<Partial<Record<SettingName<K>, GroupSettingValue>>> {
  const changed: Partial<Record<SettingName<K>, GroupSettingValue>> = {};
  const asked = settingNames(kind).filter((setting) => changes[setting] !== undefined);
  if (asked.length === 0) return changed;
  await lockGroups(tx, 'to rely on');
  const stored = new Map(
    (await listSettings(tx, kind, [objectId])).map(({ setting, value }) => [setting, value]),
  );
  for (const setting of asked) {
    const change = changes[setting] as GroupSettingChange;
    const current = stored.get(setting) ?? defaultGroupId(kind, setting);
    if (change.old !== undefined && !isSameValue(change.old, current)) {
      throw expectationMismatch('old');
    }
    const value = await checkGroupSetting(tx, kind, setting, change.new);
    if (isSameValue(value, current)) continue;
    await store(tx, kind, objectId, setting, value);
    changed[setting] = value;
  }
  return changed;
}

/** Stores only what differs from the default. */
async function store<K extends PermissionScope>(
  tx: Tx,
  kind: K,
  objectId: number,
  setting: SettingName<K>,
  value: GroupSettingValue,
): Promise<void> {
  if (value === defaultGroupId(kind, setting)) await deleteSetting(tx, kind, objectId, setting);
  else await upsertSetting(tx, kind, { objectId, setting, value });
}

/** Normalizes the value. Refuses it if somebody in it does not exist, or the setting does not allow it. */
export async function checkGroupSetting<K extends PermissionScope>(
  tx: Tx,
  kind: K,
  setting: SettingName<K>,
  given: GroupSettingValue,
): Promise<GroupSettingValue> {
  const value = normalize(given);
  const { members, subgroups } = partsOf(value);
  const groups = new Map((await listGroupsById(tx, subgroups)).map((group) => [group.id, group]));
  for (const id of subgroups) {
    const group = groups.get(id);
    if (group === undefined) throw typeof given === 'number' ? invalidGroup() : invalidGroupId(id);
    if (group.isDeactivated) throw groupIsDeactivated();
  }
  const active = await listActiveUserIds(tx, members);
  for (const id of members) if (!active.has(id)) throw invalidUserId(id);
  checkAllowed(kind, setting, value, [...groups.values()]);
  return value;
}

function checkAllowed<K extends PermissionScope>(
  kind: K,
  setting: SettingName<K>,
  value: GroupSettingValue,
  groups: readonly GroupRow[],
): void {
  const { only, never, allowsNobody, allowsEveryone } = definitionOf(kind, setting);
  if (only !== undefined && (typeof value !== 'number' || !groups.every((g) => g.isSystem))) {
    throw systemGroupRequired(setting);
  }
  for (const { id, name } of groups) {
    const isRefused =
      id === roleGroupId('role:internet') ||
      (id === roleGroupId('role:nobody') && !allowsNobody) ||
      (id === roleGroupId('role:everyone') && !allowsEveryone) ||
      name === never ||
      (only !== undefined && !only.some((allowed) => allowed === name));
    // The group is also refused as part of a longer value: it would mean the same.
    if (isRefused) throw forbiddenGroup(setting, name);
  }
}
