// Groups.
import { expect } from 'vitest';
import { roleGroupId } from '../../accounts/users/role-groups.ts';
import { as, group, member, owner, type Case, unique } from './test-world.ts';

export const GROUPS: Readonly<Record<string, Case>> = {
  // Groups.
  'create-user-group': async () => {
    const name = unique('fresh group ');
    return {
      ask: () => as.post('/user_groups/create', { name, description: 'why', members: [owner.id] }),
      expected: [
        {
          act: 'group create',
          subject: name,
          after: expect.objectContaining({ name, description: 'why', memberIds: [owner.id] }),
        },
      ],
    };
  },
  'update-user-group': async () => {
    const { id, name } = await group();
    return {
      ask: () =>
        as.patch(`/user_groups/${id}`, {
          description: 'other',
          can_join_group: { new: roleGroupId('role:members') },
        }),
      expected: [
        {
          act: 'group change',
          subject: name,
          before: expect.objectContaining({
            description: 'ours',
            can_join_group: expect.anything(),
          }),
          after: expect.objectContaining({
            description: 'other',
            can_join_group: roleGroupId('role:members'),
          }),
          details: { groupId: id },
        },
      ],
    };
  },
  'deactivate-user-group': async () => {
    const { id, name } = await group();
    return {
      ask: () => as.post(`/user_groups/${id}/deactivate`),
      expected: [{ act: 'group deactivate', subject: name, after: { isDeactivated: true } }],
    };
  },
  'update-user-group-members': async () => {
    const { id, name } = await group();
    const person = await member();
    return {
      ask: () => as.post(`/user_groups/${id}/members`, { add: [person.id], delete: [owner.id] }),
      expected: [
        {
          act: 'group members',
          subject: name,
          before: { members: [owner.id] },
          after: { members: [person.id] },
        },
      ],
    };
  },
  'update-user-group-subgroups': async () => {
    const { id, name } = await group();
    return {
      ask: () => as.post(`/user_groups/${id}/subgroups`, { add: [roleGroupId('role:members')] }),
      expected: [
        {
          act: 'group members',
          subject: name,
          before: { subgroups: [] },
          after: { subgroups: [roleGroupId('role:members')] },
        },
      ],
    };
  },
};
