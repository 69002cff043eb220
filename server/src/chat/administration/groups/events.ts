import { Type, type Static } from 'typebox';
import { GroupMembersAdded, GroupMembersRemoved } from '../../../accounts/users/events.ts';
import { permissionFields } from '../../rights/permissions/params.ts';
import type { GroupSettingValue } from '../../rights/permissions/value.ts';

/** A group as clients know it. */
export const GroupObject = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    date_created: Type.Union([Type.Integer(), Type.Null()], { description: 'UNIX seconds' }),
    creator_id: Type.Union([Type.Integer(), Type.Null()]),
    members: Type.Array(Type.Integer(), { description: 'Active, ascending.' }),
    direct_subgroup_ids: Type.Array(Type.Integer()),
    is_system_group: Type.Boolean(),
    deactivated: Type.Boolean(),
    ...permissionFields('group'),
  },
  { additionalProperties: false },
);
export type GroupObject = Static<typeof GroupObject>;

const type = Type.Literal('user_group');
const closed = { additionalProperties: false } as const;

export const GroupAdded = Type.Object(
  { type, op: Type.Literal('add'), group: GroupObject },
  closed,
);

/** Each event changes one attribute. */
export const GroupUpdated = Type.Object(
  {
    type,
    op: Type.Literal('update'),
    group_id: Type.Integer(),
    data: Type.Partial(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        deactivated: Type.Boolean(),
        ...permissionFields('group'),
      }),
      closed,
    ),
  },
  closed,
);

export const GroupRemoved = Type.Object(
  { type, op: Type.Literal('remove'), group_id: Type.Integer() },
  closed,
);

const subgroups = <const Op extends string>(op: Op) =>
  Type.Object(
    {
      type,
      op: Type.Literal(op),
      group_id: Type.Integer(),
      direct_subgroup_ids: Type.Array(Type.Integer()),
    },
    closed,
  );
export const SubgroupsAdded = subgroups('add_subgroups');
export const SubgroupsRemoved = subgroups('remove_subgroups');

export type GroupEvent =
  | Static<typeof GroupAdded>
  | Static<typeof GroupUpdated>
  | Static<typeof GroupRemoved>
  | Static<typeof GroupMembersAdded>
  | Static<typeof GroupMembersRemoved>
  | Static<typeof SubgroupsAdded>
  | Static<typeof SubgroupsRemoved>;

export const GROUP_EVENTS = [
  GroupAdded,
  GroupUpdated,
  GroupRemoved,
  GroupMembersAdded,
  GroupMembersRemoved,
  SubgroupsAdded,
  SubgroupsRemoved,
] as const;

export const groupAdded = (group: GroupObject): GroupEvent => ({
  type: 'user_group',
  op: 'add',
  group,
});

export const groupUpdated = (
  groupId: number,
  data: Readonly<Record<string, string | boolean | GroupSettingValue>>,
): GroupEvent => ({
  type: 'user_group',
  op: 'update',
  group_id: groupId,
  data,
});

export const groupRemoved = (groupId: number): GroupEvent => ({
  type: 'user_group',
  op: 'remove',
  group_id: groupId,
});

export const subgroupsAdded = (groupId: number, ids: readonly number[]): GroupEvent => ({
  type: 'user_group',
  op: 'add_subgroups',
  group_id: groupId,
  direct_subgroup_ids: [...ids],
});

export const subgroupsRemoved = (groupId: number, ids: readonly number[]): GroupEvent => ({
  type: 'user_group',
  op: 'remove_subgroups',
  group_id: groupId,
  direct_subgroup_ids: [...ids],
});
