// Everything that changes groups. Every action first takes the lock on groups, so that its checks (no cycle, not in
// use, not deactivated) still hold when the change is committed.
import { noteAct, noteChange } from '../../../accounts/audit/actions.ts';
import { insufficientPermission } from '../../../accounts/users/errors.ts';
import { groupMembersAdded, groupMembersRemoved } from '../../../accounts/users/events.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { spendDaily } from '../../rights/allowances/daily.ts';
import { listUnarchivedChannels } from '../../conversations/channel/access.ts';
import { EVERYBODY } from '../../../platform/events/event.ts';
import {
  listChannelsShownTo,
  listGroupMembers,
  listInnerGroups,
  listUsesOfGroups,
  readRights,
} from '../../rights/permissions/access.ts';
import {
  changePermissions,
  createPermissions,
  lockGroups,
  type GivenPermissions,
  type PermissionChanges,
} from '../../rights/permissions/actions.ts';
import { tellAddedToGroup } from '../../messages/notices/actions.ts';
import type { PermissionScope } from '../../rights/permissions/definitions.ts';
import {
  groupIsDeactivated,
  invalidGroupId,
  invalidUserId,
} from '../../rights/permissions/errors.ts';
import {
  canAddMembers,
  canJoinGroup,
  canLeaveGroup,
  canManageGroup,
  canRemoveMembers,
  may,
  type Rights,
} from '../../rights/permissions/rights.ts';
import { listUsersById } from '../../../accounts/users/access.ts';
import { followSight } from '../../channels/subscriptions/sight.ts';
import { accessAnyGroup, accessGroup, type AccessedGroup } from './access.ts';
import {
  alreadyMember,
  alreadySubgroup,
  groupInUse,
  nameTaken,
  noNewData,
  noSuchMember,
  noSuchSubgroup,
  wouldBeCircular,
  type Objection,
} from './errors.ts';
import {
  groupAdded,
  groupRemoved,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from './events.ts';
import { checkGroupName } from './rules.ts';
import { readGroups } from './state.ts';
import {
  deleteMembers,
  deleteSubgroups,
  insertGroup,
  insertMembers,
  insertSubgroups,
  isNameTaken,
  listGroups,
  listMemberIds,
  listSubgroupIds,
  listSupergroupIds,
  updateGroup,
} from './store.ts';

const EVERYONE = { everyone: true } as const;

/** Clients that know deactivated groups, and clients that do not. */
const KNOWING = {
  ...EVERYONE,
  capability: { name: 'include_deactivated_groups', has: true },
} as const;
const UNKNOWING = {
  ...EVERYONE,
  capability: { name: 'include_deactivated_groups', has: false },
} as const;

/** Above this number, an event says that everybody's rights changed instead of naming the people. */
const NAMED_MAX = 1000;
const named = (userIds: readonly number[]): readonly number[] =>
  userIds.length > NAMED_MAX ? [EVERYBODY] : userIds;

export interface NewGroup {
  readonly name: string;
  readonly description: string;
  readonly memberIds: readonly number[];
  readonly subgroupIds: readonly number[];
  readonly permissions: GivenPermissions<'group'>;
}

/** Creates a group. Its creator manages it, but is a member only if listed. */
export function createGroup(ctx: Context, actor: User, given: NewGroup): Promise<number> {
  return ctx.inTransaction(async (tx) => {
    const rights = await readRights(tx, actor);
    if (!may(rights, 'can_create_groups')) throw insufficientPermission();
    await lockGroups(tx, 'to change');
    checkGroupName(given.name);
    if (await isNameTaken(tx, given.name)) throw nameTaken(given.name);
    const memberIds = await checkUsers(tx, given.memberIds);
    const subgroupIds = await checkSubgroups(tx, given.subgroupIds);
    const { id } = await insertGroup(tx, {
      name: given.name,
      description: given.description,
      creatorId: actor.id,
    });
    await spendDaily(tx, ctx, actor, 'groups', 1);
    await spendDaily(tx, ctx, actor, 'places', memberIds.filter((one) => one !== actor.id).length);
    await insertMembers(tx, id, memberIds);
    await createPermissions(tx, 'group', id, actor.id, given.permissions);
    const [group] = await readGroups(tx, { includeDeactivated: true, ids: [id] });
    if (group === undefined) throw new Error(`Group ${id} was made and is not there.`);
    tx.emit(groupAdded(group), EVERYONE, { rightsOf: named(memberIds) });
    if (subgroupIds.length > 0) await linkSubgroups(tx, id, subgroupIds);
    const { name, description } = given;
    const { permissions } = await accessAnyGroup(tx, id);
    noteAct(tx, {
      act: 'group create',
      subject: name,
      after: { name, description, memberIds, subgroupIds, ...permissions },
      details: { groupId: id },
    });
    return id;
  });
}

export interface GroupChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly isDeactivated?: boolean | undefined;
  readonly permissions: PermissionChanges<'group'>;
}

/** Changes everything that is given, or nothing. Emits no event for a value that stays the same. */
export function changeGroup(
  ctx: Context,
  actor: User,
  groupId: number,
  { name, description, isDeactivated, permissions }: GroupChanges,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const isNothing = [name, description, isDeactivated, ...Object.values(permissions)].every(
      (given) => given === undefined,
    );
    if (isNothing) throw noNewData();
    await lockGroups(tx, 'to change');
    const group = await accessAnyGroup(tx, groupId);
    const rights = await readRights(tx, actor);
    if (!canManageGroup(rights, group)) throw insufficientPermission();
    if (isDeactivated !== undefined && isDeactivated !== group.isDeactivated) {
      await (isDeactivated ? deactivate(tx, group) : reactivate(tx, group));
    }
    if (name !== undefined && name !== group.name) {
      checkGroupName(name);
      if (await isNameTaken(tx, name)) throw nameTaken(name);
      await updateGroup(tx, groupId, { name });
      tx.emit(groupUpdated(groupId, { name }), EVERYONE);
    }
    if (description !== undefined && description !== group.description) {
      await updateGroup(tx, groupId, { description });
      tx.emit(groupUpdated(groupId, { description }), EVERYONE);
    }
    const changed = await changePermissions(tx, 'group', groupId, permissions);
    for (const [setting, value] of Object.entries(changed)) {
      tx.emit(groupUpdated(groupId, { [setting]: value }), EVERYONE);
    }
    noteChange(tx, {
      act: 'group change',
      subject: group.name,
      before: termsOf(group),
      after: termsOf(await accessAnyGroup(tx, groupId)),
      details: { groupId },
    });
  });
}

/** The fields of a group that go into the audit log. */
const termsOf = ({ name, description, isDeactivated, permissions }: AccessedGroup) => ({
  name,
  description,
  isDeactivated,
  ...permissions,
});

/** Deactivates a group, unless it is in use. Its members stay stored. */
export function deactivateGroup(ctx: Context, actor: User, groupId: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockGroups(tx, 'to change');
    const group = await accessAnyGroup(tx, groupId);
    const rights = await readRights(tx, actor);
    if (group.isDeactivated) throw groupIsDeactivated();
    if (!canManageGroup(rights, group)) throw insufficientPermission();
    await deactivate(tx, group);
    noteAct(tx, {
      act: 'group deactivate',
      subject: group.name,
      before: { isDeactivated: false },
      after: { isDeactivated: true },
      details: { groupId },
    });
  });
}

async function deactivate(tx: Tx, { id }: AccessedGroup): Promise<void> {
  const objections = await findObjections(tx, id);
  if (objections.length > 0) throw groupInUse(objections);
  await updateGroup(tx, id, { isDeactivated: true });
  tx.emit(groupUpdated(id, { deactivated: true }), KNOWING);
  tx.emit(groupRemoved(id), UNKNOWING);
}

/** Clients that do not know deactivated groups get the group as a new one. */
async function reactivate(tx: Tx, { id }: AccessedGroup): Promise<void> {
  await updateGroup(tx, id, { isDeactivated: false });
  const [group] = await readGroups(tx, { includeDeactivated: true, ids: [id] });
  tx.emit(groupUpdated(id, { deactivated: false }), KNOWING);
  if (group !== undefined) tx.emit(groupAdded(group), UNKNOWING);
}

/** Everything that uses the group and so prevents its deactivation. */
async function findObjections(tx: Tx, groupId: number): Promise<Objection[]> {
  const supergroupIds = await listSupergroupIds(tx, groupId);
  const uses = await listUsesOfGroups(tx, [groupId]);
  const settingsBy = (kind: PermissionScope) =>
    [
      ...Map.groupBy(
        uses.filter((use) => use.kind === kind),
        ({ objectId }) => objectId,
      ),
    ].map(([id, own]) => ({ id, settings: own.map(({ setting }) => setting) }));
  const channels = settingsBy('channel');
  const groups = settingsBy('group');
  const unarchived = await listUnarchivedChannels(tx, idsOf(channels));
  const inactive = new Set(
    (await listGroups(tx, idsOf(groups))).filter((g) => g.isDeactivated).map(({ id }) => id),
  );
  return [
    ...(supergroupIds.length > 0
      ? [{ type: 'subgroup', settings: [], supergroup_ids: supergroupIds } as const]
      : []),
    ...channels
      .filter(({ id }) => unarchived.has(id))
      .map(({ id, settings }) => ({ type: 'channel', channel_id: id, settings }) as const),
    ...groups
      .filter(({ id }) => !inactive.has(id))
      .map(({ id, settings }) => ({ type: 'user_group', group_id: id, settings }) as const),
    ...settingsBy('realm').map(({ settings }) => ({ type: 'realm', settings }) as const),
  ];
}

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

export interface MemberChanges {
  readonly add?: readonly number[] | undefined;
  readonly remove?: readonly number[] | undefined;
  readonly addSubgroups?: readonly number[] | undefined;
  readonly removeSubgroups?: readonly number[] | undefined;
}

/** Adds and removes people and subgroups, all or nothing. */
export function changeMembers(
  ctx: Context,
  actor: User,
  groupId: number,
  { add = [], remove = [], addSubgroups = [], removeSubgroups = [] }: MemberChanges,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockGroups(tx, 'to change');
    const group = await accessGroup(tx, groupId);
    const rights = await readRights(tx, actor);
    if (add.length > 0) {
      await spendDaily(tx, ctx, actor, 'places', add.filter((one) => one !== actor.id).length);
      await addMembers(tx, rights, group, add);
      await tellAddedToGroup(tx, ctx, actor, group, ascending(add));
    }
    if (remove.length > 0) await removeMembers(tx, rights, group, remove);
    if (addSubgroups.length > 0) await addSubgroupsTo(tx, rights, group, addSubgroups);
    if (removeSubgroups.length > 0) await removeSubgroupsFrom(tx, rights, group, removeSubgroups);
    // The checks above refuse additions that were there before and removals that were not, so these lists are exact.
    noteChange(tx, {
      act: 'group members',
      subject: group.name,
      before: { members: ascending(remove), subgroups: ascending(removeSubgroups) },
      after: { members: ascending(add), subgroups: ascending(addSubgroups) },
      details: { groupId },
    });
  });
}

const isOnlySelf = ({ id }: Rights, userIds: readonly number[]): boolean =>
  userIds.every((userId) => userId === id);

async function addMembers(
  tx: Tx,
  rights: Rights,
  group: AccessedGroup,
  userIds: readonly number[],
): Promise<void> {
  const mayAdd = isOnlySelf(rights, userIds)
    ? canJoinGroup(rights, group)
    : canAddMembers(rights, group);
  if (!mayAdd) throw insufficientPermission();
  const ids = await checkUsers(tx, userIds);
  const present = await listMemberIds(tx, group.id, ids);
  for (const id of ids) if (present.has(id)) throw alreadyMember(id);
  await followSight(tx, ids, await listChannelsShownTo(tx, group.id), async () => {
    await insertMembers(tx, group.id, ids);
    tx.emit(groupMembersAdded(group.id, ids), EVERYONE, { rightsOf: named(ids) });
  });
}

async function removeMembers(
  tx: Tx,
  rights: Rights,
  group: AccessedGroup,
  userIds: readonly number[],
): Promise<void> {
  const mayRemove = isOnlySelf(rights, userIds)
    ? canLeaveGroup(rights, group)
    : canRemoveMembers(rights, group);
  if (!mayRemove) throw insufficientPermission();
  const ids = await checkUsers(tx, userIds);
  const present = await listMemberIds(tx, group.id, ids);
  for (const id of ids) if (!present.has(id)) throw noSuchMember(id);
  await followSight(tx, ids, await listChannelsShownTo(tx, group.id), async () => {
    await deleteMembers(tx, group.id, ids);
    tx.emit(groupMembersRemoved(group.id, ids), EVERYONE, { rightsOf: named(ids) });
  });
}

async function addSubgroupsTo(
  tx: Tx,
  rights: Rights,
  group: AccessedGroup,
  subgroupIds: readonly number[],
): Promise<void> {
  if (!canAddMembers(rights, group)) throw insufficientPermission();
  const ids = await checkSubgroups(tx, subgroupIds);
  const present = await listSubgroupIds(tx, group.id);
  for (const id of ids) if (present.has(id)) throw alreadySubgroup(id);
  if ((await listInnerGroups(tx, ids)).includes(group.id)) throw wouldBeCircular(group.id);
  await linkSubgroups(tx, group.id, ids);
}

async function removeSubgroupsFrom(
  tx: Tx,
  rights: Rights,
  group: AccessedGroup,
  subgroupIds: readonly number[],
): Promise<void> {
  if (!canRemoveMembers(rights, group)) throw insufficientPermission();
  const ids = await checkGroupIds(tx, subgroupIds);
  const present = await listSubgroupIds(tx, group.id);
  for (const id of ids) if (!present.has(id)) throw noSuchSubgroup(id);
  const people = await listGroupMembers(tx, ...ids);
  await followSight(tx, people, await listChannelsShownTo(tx, group.id), async () => {
    await deleteSubgroups(tx, group.id, ids);
    tx.emit(subgroupsRemoved(group.id, ids), EVERYONE, { rightsOf: named(people) });
  });
}

/** Members of the subgroups get the rights of the group, so their rights change too. */
async function linkSubgroups(tx: Tx, groupId: number, ids: readonly number[]): Promise<void> {
  const people = await listGroupMembers(tx, ...ids);
  await followSight(tx, people, await listChannelsShownTo(tx, groupId), async () => {
    await insertSubgroups(tx, groupId, ids);
    tx.emit(subgroupsAdded(groupId, ids), EVERYONE, { rightsOf: named(people) });
  });
}

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** The ids without duplicates; refuses them unless all are active people or bots. */
async function checkUsers(tx: Tx, given: readonly number[]): Promise<number[]> {
  const ids = ascending(given);
  const users = new Map((await listUsersById(tx, ids)).map((user) => [user.id, user]));
  for (const id of ids) {
    const user = users.get(id);
    if (user === undefined || !user.isActive || user.isSystem) throw invalidUserId(id);
  }
  return ids;
}

async function checkGroupIds(tx: Tx, given: readonly number[]): Promise<number[]> {
  const ids = ascending(given);
  const known = new Set(idsOf(await listGroups(tx, ids)));
  for (const id of ids) if (!known.has(id)) throw invalidGroupId(id);
  return ids;
}

/** The ids without duplicates; refuses them unless all are groups in use. */
async function checkSubgroups(tx: Tx, given: readonly number[]): Promise<number[]> {
  const ids = await checkGroupIds(tx, given);
  const groups = await listGroups(tx, ids);
  if (groups.some(({ isDeactivated }) => isDeactivated)) throw groupIsDeactivated();
  return ids;
}
