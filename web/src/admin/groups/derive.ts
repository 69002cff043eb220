// Groups inside groups: who is in one in all, and which may be put inside without a circle.
import type { Group } from '../../state/entities.ts';

type Groups = ReadonlyMap<number, Group>;

/** The group and all inside it, near and far. */
function within(groups: Groups, groupId: number, seen: Set<number> = new Set()): Set<number> {
  if (seen.has(groupId)) return seen;
  seen.add(groupId);
  for (const id of groups.get(groupId)?.subgroupIds ?? []) within(groups, id, seen);
  return seen;
}

export function allMembers(groups: Groups, groupId: number): ReadonlySet<number> {
  const members = new Set<number>();
  for (const id of within(groups, groupId)) {
    for (const userId of groups.get(id)?.memberIds ?? []) members.add(userId);
  }
  return members;
}

/** Groups that can go inside: active, and not one that already contains this one. */
export const possibleSubgroups = (groups: Groups, groupId: number | undefined): Group[] =>
  [...groups.values()].filter(
    ({ id, isDeactivated, name }) =>
      !isDeactivated &&
      name !== 'role:nobody' &&
      name !== 'role:internet' &&
      (groupId === undefined || !within(groups, id).has(groupId)),
  );

/** What has to be added and removed to get from one list to the other. */
export const difference = (
  before: readonly number[],
  after: readonly number[],
): { add: number[]; remove: number[] } => ({
  add: after.filter((id) => !before.includes(id)),
  remove: before.filter((id) => !after.includes(id)),
});
