// Computes group membership from the groups that a client has: a pure version of the recursive query.

export interface GroupNode {
  readonly id: number;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
}

/** Every group that somebody is in, through subgroups too. */
export function groupsOfUser(groups: readonly GroupNode[], userId: number): Set<number> {
  const found = new Set<number>();
  const supergroups = new Map<number, number[]>();
  const open: number[] = [];
  for (const { id, members, direct_subgroup_ids } of groups) {
    if (members.includes(userId)) open.push(id);
    for (const subgroup of direct_subgroup_ids) {
      const above = supergroups.get(subgroup);
      if (above === undefined) supergroups.set(subgroup, [id]);
      else above.push(id);
    }
  }
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(supergroups.get(id) ?? []));
  }
  return found;
}
