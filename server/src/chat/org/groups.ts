// User groups, as far as there are any: the eight that roles make.
import { directMembers, ROLE_GROUPS, roleGroupId } from '../../accounts/users/role-groups.ts';
import type { User } from '../../accounts/user.ts';
import { systemGroupPermissions } from './permissions.ts';

export const groupRows = (users: readonly User[]) =>
  ROLE_GROUPS.map((group) => ({
    id: group.id,
    name: group.name,
    description: group.description,
    date_created: null,
    creator_id: null,
    members: directMembers(group, users),
    direct_subgroup_ids: group.subgroup === null ? [] : [roleGroupId(group.subgroup)],
    is_system_group: true,
    deactivated: false,
    ...systemGroupPermissions(),
  }));
