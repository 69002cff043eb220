// The groups that exist because roles exist. Nobody edits them: who is in one follows from the role, so
// their membership is computed and never stored.
import type { RoleCode } from '../roles.ts';
import type { User } from '../user.ts';

export interface RoleGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The roles of its direct members. */
  readonly roles: readonly RoleCode[];
  readonly subgroup: RoleGroupName | null;
}

export type RoleGroupName = keyof typeof GROUPS;

const GROUPS = {
  'role:internet': group(1, 'Everyone on the Internet', [], 'role:everyone'),
  'role:everyone': group(
    2,
    'Everyone in this organization, including guests',
    [600],
    'role:members',
  ),
  'role:members': group(
    3,
    'Members of this organization, not including guests',
    [400],
    'role:fullmembers',
  ),
  // New accounts do not wait here, so every member is a full member at once.
  'role:fullmembers': group(
    4,
    'Members of this organization, not including new accounts and guests',
    [400],
    'role:moderators',
  ),
  'role:moderators': group(
    5,
    'Moderators of this organization, including administrators',
    [300],
    'role:administrators',
  ),
  'role:administrators': group(
    6,
    'Administrators of this organization, including owners',
    [200],
    'role:owners',
  ),
  'role:owners': group(7, 'Owners of this organization', [100], null),
  'role:nobody': group(8, 'Nobody', [], null),
} as const;

function group(
  id: number,
  description: string,
  roles: readonly RoleCode[],
  subgroup: string | null,
) {
  return { id, description, roles, subgroup };
}

/** In order of their ids, which are fixed: groups that people make start above them. */
export const ROLE_GROUPS: readonly RoleGroup[] = Object.entries(GROUPS).map(([name, given]) => ({
  ...given,
  name,
  subgroup: given.subgroup as RoleGroupName | null,
}));

export const roleGroupId = (name: RoleGroupName): number => GROUPS[name].id;

/** The groups that somebody with `role` is a direct member of, by id. */
export const groupsOfRole = (role: RoleCode): number[] =>
  ROLE_GROUPS.filter(({ roles }) => roles.includes(role)).map(({ id }) => id);

/** Direct members: people and bots that are active, by id. */
export function directMembers(group: RoleGroup, users: readonly User[]): number[] {
  return users
    .filter(({ isActive, role }) => isActive && group.roles.includes(role))
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}
