// The groups that exist because roles exist. Nobody edits them: membership follows from the role.
// Their rows and how they nest come with the migrations; their members are stored like those of
// other groups, so that one query finds every group of a person.
import { DAY_MS } from '../../platform/std/time.ts';
import { ROLE, type RoleCode } from '../roles.ts';

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

/** In order of their ids, which are fixed: custom groups start above them. */
export const ROLE_GROUPS: readonly RoleGroup[] = Object.entries(GROUPS).map(([name, given]) => ({
  ...given,
  name,
  subgroup: given.subgroup as RoleGroupName | null,
}));

export const roleGroupId = (name: RoleGroupName): number => GROUPS[name].id;

/**
 * The groups that `role` is a direct member of, by id. A member within the organization's waiting
 * period is not a full member yet.
 */
export const groupsOfRole = (role: RoleCode, isNew = false): number[] =>
  ROLE_GROUPS.filter(
    ({ id, roles }) =>
      roles.includes(role) &&
      !(isNew && role === ROLE.member && id === roleGroupId('role:fullmembers')),
  ).map(({ id }) => id);

/** Whether the group is for roles above `role`. */
export const isGroupAbove = (groupId: number, role: RoleCode): boolean => {
  const group = ROLE_GROUPS.find(({ id }) => id === groupId);
  return group !== undefined && group.roles.some((one) => one < role);
};

/** Whether a member who joined at `joined` still waits to become a full one. */
export const isNewMember = (joined: Date, waitingDays: number, nowMs: number): boolean =>
  nowMs - joined.getTime() < waitingDays * DAY_MS;
