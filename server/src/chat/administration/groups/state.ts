// Groups in a client's initial state, and how events change that state.
import type { Db } from '../../../platform/db/pool.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import {
  permissionsIn,
  readGroupPermissions,
  type PermissionTable,
} from '../../rights/permissions/access.ts';
import type { SettingName } from '../../rights/permissions/definitions.ts';
import type { RegisterPart } from '../../register-part.ts';
import { GROUP_EVENTS, type GroupEvent, type GroupObject } from './events.ts';
import { listGroups, type GroupWithMembers } from './store.ts';

/** Groups by id, as clients get them. */
export async function readGroups(
  db: Db,
  { includeDeactivated, ids }: { includeDeactivated: boolean; ids?: readonly number[] },
): Promise<GroupObject[]> {
  const groups = await listGroups(db, ids);
  const table = await readGroupPermissions(db, ids);
  return groups
    .filter(({ isDeactivated }) => includeDeactivated || !isDeactivated)
    .map((group) => groupObject(group, table));
}

function groupObject(group: GroupWithMembers, table: PermissionTable<'group'>): GroupObject {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    date_created: group.createdAt && unixSeconds(group.createdAt),
    creator_id: group.creatorId,
    members: [...group.memberIds],
    direct_subgroup_ids: [...group.subgroupIds],
    is_system_group: group.isSystem,
    deactivated: group.isDeactivated,
    ...(permissionsIn(table, group.id) as Pick<GroupObject, SettingName<'group'>>),
  };
}

const ascending = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

const plus = (ids: readonly number[], more: readonly number[]) =>
  ascending(new Set([...ids, ...more]));

const minus = (ids: readonly number[], gone: readonly number[]) =>
  ids.filter((id) => !gone.includes(id));

function applyGroupEvent(
  groups: readonly GroupObject[],
  event: GroupEvent,
): readonly GroupObject[] {
  if (event.op === 'add') {
    return [...groups, event.group].sort((a, b) => a.id - b.id);
  }
  if (event.op === 'remove') return groups.filter(({ id }) => id !== event.group_id);
  return groups.map((group) => (group.id === event.group_id ? change(group, event) : group));
}

function change(
  group: GroupObject,
  event: Exclude<GroupEvent, { op: 'add' | 'remove' }>,
): GroupObject {
  switch (event.op) {
    case 'update':
      return { ...group, ...event.data };
    case 'add_members':
      return { ...group, members: plus(group.members, event.user_ids) };
    case 'remove_members':
      return { ...group, members: minus(group.members, event.user_ids) };
    case 'add_subgroups':
      return {
        ...group,
        direct_subgroup_ids: plus(group.direct_subgroup_ids, event.direct_subgroup_ids),
      };
    default:
      return {
        ...group,
        direct_subgroup_ids: minus(group.direct_subgroup_ids, event.direct_subgroup_ids),
      };
  }
}

export const groupsPart = {
  load: {
    realm_user_groups: async ({ db, options }) => ({
      realm_user_groups: await readGroups(db, {
        includeDeactivated: options.includeDeactivatedGroups,
      }),
    }),
  },
  events: GROUP_EVENTS,
  applyInTests: {
    user_group: (
      state: { readonly realm_user_groups: readonly GroupObject[] },
      event: GroupEvent,
    ) => ({ realm_user_groups: applyGroupEvent(state.realm_user_groups, event) }),
  },
} satisfies RegisterPart;
