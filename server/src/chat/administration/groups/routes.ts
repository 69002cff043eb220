// Routes to read, create, change and deactivate user groups, and for their members and subgroups.
import { Type } from 'typebox';
import type { ApiContext } from '../../../platform/context.ts';
import { chatRoute } from '../../http/route.ts';
import { accessPerson } from '../../rights/sight/access.ts';
import { listGroupMembers, listInnerGroups } from '../../rights/permissions/access.ts';
import { permissionChangeParams, permissionParams } from '../../rights/permissions/params.ts';
import { accessGroup } from './access.ts';
import { changeGroup, changeMembers, createGroup, deactivateGroup } from './actions.ts';
import { nothingToDo } from './errors.ts';
import { GroupObject } from './events.ts';
import { GROUP_DESCRIPTION_MAX } from './rules.ts';
import { readGroups } from './state.ts';

/** Guests and bots may not use these routes. */
const FOR_PEOPLE = { allow: 'member', bots: false } as const;

/** Enough to name everybody in a large organization. */
const IDS_MAX = 100_000;
const ids = () => Type.Array(Type.Integer(), { maxItems: IDS_MAX });

export const postCreateGroup = chatRoute({
  ...FOR_PEOPLE,
  audit: ['group create'],
  name: 'create-user-group',
  method: 'POST',
  path: '/user_groups/create',
  summary: 'Makes a user group.',
  params: Type.Object({
    name: Type.String(),
    description: Type.String({ maxLength: GROUP_DESCRIPTION_MAX }),
    members: ids(),
    subgroups: Type.Optional(ids()),
    ...permissionParams('group'),
  }),
  returns: Type.Object({ group_id: Type.Integer() }),
  handle: async (ctx, actor, { name, description, members, subgroups = [], ...permissions }) => ({
    group_id: await createGroup(ctx, actor, {
      name,
      description,
      memberIds: members,
      subgroupIds: subgroups,
      permissions,
    }),
  }),
});

export const getGroups = chatRoute({
  ...FOR_PEOPLE,
  name: 'get-user-groups',
  grows: 'organization',
  method: 'GET',
  path: '/user_groups',
  summary: 'Every user group, those of roles included.',
  params: Type.Object({ include_deactivated_groups: Type.Optional(Type.Boolean()) }),
  returns: Type.Object({ user_groups: Type.Array(GroupObject) }),
  handle: async (ctx, _actor, { include_deactivated_groups = false }) => ({
    user_groups: await readGroups(ctx.db, { includeDeactivated: include_deactivated_groups }),
  }),
});

export const patchGroup = chatRoute({
  ...FOR_PEOPLE,
  audit: ['group change'],
  name: 'update-user-group',
  method: 'PATCH',
  path: '/user_groups/{user_group_id:int}',
  summary: 'Changes the name, the description or the permissions of a group.',
  params: Type.Object({
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String({ maxLength: GROUP_DESCRIPTION_MAX })),
    deactivated: Type.Optional(Type.Boolean({ description: 'False puts it into use again.' })),
    ...permissionChangeParams('group'),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_group_id, name, description, deactivated, ...permissions }) => {
    await changeGroup(ctx, actor, user_group_id, {
      name,
      description,
      isDeactivated: deactivated,
      permissions,
    });
    return {};
  },
});

export const postDeactivateGroup = chatRoute({
  ...FOR_PEOPLE,
  audit: ['group deactivate'],
  name: 'deactivate-user-group',
  method: 'POST',
  path: '/user_groups/{user_group_id:int}/deactivate',
  summary: 'Puts a group out of use, unless a setting or another group still uses it.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_group_id }) => {
    await deactivateGroup(ctx, actor, user_group_id);
    return {};
  },
});

export const getGroupMembers = chatRoute({
  ...FOR_PEOPLE,
  name: 'get-user-group-members',
  grows: 'organization',
  method: 'GET',
  path: '/user_groups/{user_group_id:int}/members',
  summary: 'Who is in a group.',
  params: Type.Object({
    direct_member_only: Type.Optional(
      Type.Boolean({ description: 'Without those who are in it through a subgroup.' }),
    ),
  }),
  returns: Type.Object({ members: Type.Array(Type.Integer()) }),
  handle: async (ctx, _actor, { user_group_id, direct_member_only = false }) => ({
    members: await readMembers(ctx, user_group_id, direct_member_only),
  }),
});

export const getIsGroupMember = chatRoute({
  ...FOR_PEOPLE,
  name: 'get-is-user-group-member',
  method: 'GET',
  path: '/user_groups/{user_group_id:int}/members/{user_id:int}',
  summary: 'Whether somebody is in a group.',
  params: Type.Object({ direct_member_only: Type.Optional(Type.Boolean()) }),
  returns: Type.Object({ is_user_group_member: Type.Boolean() }),
  handle: async (ctx, actor, { user_group_id, user_id, direct_member_only = false }) => {
    await accessPerson(ctx, ctx.db, actor, user_id);
    const members = await readMembers(ctx, user_group_id, direct_member_only);
    return { is_user_group_member: members.includes(user_id) };
  },
});

async function readMembers(ctx: ApiContext, id: number, isDirect: boolean): Promise<number[]> {
  const group = await accessGroup(ctx.db, id);
  if (!isDirect) return listGroupMembers(ctx.db, group.id);
  const [row] = await readGroups(ctx.db, { includeDeactivated: true, ids: [group.id] });
  return row?.members ?? [];
}

export const postGroupMembers = chatRoute({
  ...FOR_PEOPLE,
  audit: ['group members'],
  name: 'update-user-group-members',
  method: 'POST',
  path: '/user_groups/{user_group_id:int}/members',
  summary: 'Lets people and groups into a group, or out of it.',
  params: Type.Object({
    delete: Type.Optional(ids()),
    add: Type.Optional(ids()),
    delete_subgroups: Type.Optional(ids()),
    add_subgroups: Type.Optional(ids()),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_group_id, add_subgroups, delete_subgroups, ...people }) => {
    if (isNothing(people.add, people.delete, add_subgroups, delete_subgroups)) {
      throw nothingToDo('add', 'delete', 'add_subgroups', 'delete_subgroups');
    }
    await changeMembers(ctx, actor, user_group_id, {
      add: people.add,
      remove: people.delete,
      addSubgroups: add_subgroups,
      removeSubgroups: delete_subgroups,
    });
    return {};
  },
});

export const getSubgroups = chatRoute({
  ...FOR_PEOPLE,
  name: 'get-user-group-subgroups',
  grows: 'organization',
  method: 'GET',
  path: '/user_groups/{user_group_id:int}/subgroups',
  summary: 'Which groups are in a group.',
  params: Type.Object({ direct_subgroup_only: Type.Optional(Type.Boolean()) }),
  returns: Type.Object({ subgroups: Type.Array(Type.Integer()) }),
  handle: async (ctx, _actor, { user_group_id, direct_subgroup_only = false }) => {
    const { id } = await accessGroup(ctx.db, user_group_id);
    const [row] = await readGroups(ctx.db, { includeDeactivated: true, ids: [id] });
    const direct = row?.direct_subgroup_ids ?? [];
    return { subgroups: direct_subgroup_only ? direct : await listInnerGroups(ctx.db, direct) };
  },
});

export const postSubgroups = chatRoute({
  ...FOR_PEOPLE,
  audit: ['group members'],
  name: 'update-user-group-subgroups',
  method: 'POST',
  path: '/user_groups/{user_group_id:int}/subgroups',
  summary: 'Puts groups into a group, or takes them out.',
  params: Type.Object({ delete: Type.Optional(ids()), add: Type.Optional(ids()) }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { user_group_id, add, ...gone }) => {
    if (isNothing(add, gone.delete)) throw nothingToDo('add', 'delete');
    await changeMembers(ctx, actor, user_group_id, {
      addSubgroups: add,
      removeSubgroups: gone.delete,
    });
    return {};
  },
});

const isNothing = (...lists: readonly (readonly number[] | undefined)[]): boolean =>
  lists.every((list) => list === undefined || list.length === 0);
