// What can be chosen for a permission, and what a choice by hand means to the API.
import type { Group, GroupSetting, PermissionRule } from '../../state/entities.ts';

/** From the most people to the fewest. */
const SYSTEM_ORDER: readonly string[] = [
  'role:internet',
  'role:everyone',
  'role:members',
  'role:fullmembers',
  'role:moderators',
  'role:administrators',
  'role:owners',
  'role:nobody',
];

/** The groups that the rule allows, those of the system first. What is chosen now stays among them. */
export function groupChoices(
  groups: readonly Group[],
  rule: PermissionRule | undefined,
  chosen?: number,
): readonly Group[] {
  const rank = ({ name, isSystem }: Group) =>
    isSystem ? SYSTEM_ORDER.indexOf(name) : SYSTEM_ORDER.length;
  return groups
    .filter((group) => group.id === chosen || rule === undefined || isAllowed(group, rule))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

function isAllowed({ name, isSystem }: Group, rule: PermissionRule): boolean {
  if (!isSystem) return !rule.require_system_group;
  if (rule.allowed_system_groups.length > 0) return rule.allowed_system_groups.includes(name);
  if (name === 'role:internet') return rule.allow_internet_group;
  if (name === 'role:nobody') return rule.allow_nobody_group;
  return name !== 'role:everyone' || rule.allow_everyone_group;
}

/** One group alone is that group; everything else is a set without a name. Undefined where nobody is chosen. */
export function settingFrom(
  people: readonly number[],
  groups: readonly number[],
): GroupSetting | undefined {
  const [first] = groups;
  if (people.length === 0) {
    if (first === undefined) return undefined;
    if (groups.length === 1) return first;
  }
  return { direct_members: [...people], direct_subgroups: [...groups] };
}

/** The people and groups of a value, for choosing by hand. A group that stands for nobody adds nobody. */
export function partsOf(
  value: GroupSetting | undefined,
  groups: readonly Group[],
): { readonly people: readonly number[]; readonly groups: readonly number[] } {
  if (value === undefined) return { people: [], groups: [] };
  if (typeof value === 'object') {
    return { people: value.direct_members, groups: value.direct_subgroups };
  }
  const isNobody = groups.some(({ id, name }) => id === value && name === 'role:nobody');
  return { people: [], groups: isNobody ? [] : [value] };
}

/** Groups that the system makes have names in every language; others have the one they were given. */
export const groupLabel = (name: string, t: Readonly<Record<string, unknown>>): string => {
  const label = Object.hasOwn(t, name) ? t[name] : undefined;
  return typeof label === 'string' ? label : name;
};
