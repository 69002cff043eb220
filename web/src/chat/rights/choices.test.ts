import { describe, expect, it } from 'vitest';
import type { Group, PermissionRule } from '../../state/entities.ts';
import { groupChoices, partsOf, settingFrom } from './choices.ts';

const group = (id: number, name: string): Group => ({
  id,
  name,
  description: '',
  creatorId: null,
  dateCreated: null,
  memberIds: [],
  subgroupIds: [],
  isSystem: name.startsWith('role:'),
  isDeactivated: false,
  permissions: {},
});
const GROUPS = [
  group(1, 'role:nobody'),
  group(20, 'desk'),
  group(2, 'role:everyone'),
  group(3, 'role:members'),
  group(4, 'role:internet'),
  group(5, 'role:owners'),
];
const RULE: PermissionRule = {
  require_system_group: false,
  allow_internet_group: false,
  allow_nobody_group: true,
  allow_everyone_group: false,
  allowed_system_groups: [],
};
const ids = (rule?: PermissionRule, chosen?: number) =>
  groupChoices(GROUPS, rule, chosen).map(({ id }) => id);

describe('what is offered', () => {
  it('is what the server takes, those of the system first', () => {
    expect(ids(RULE)).toEqual([3, 5, 1, 20]);
    expect(ids({ ...RULE, allow_everyone_group: true, allow_nobody_group: false })).toEqual([
      2, 3, 5, 20,
    ]);
    expect(ids()).toHaveLength(GROUPS.length);
  });

  it('is only the named groups of the system where the rule says so', () => {
    const rule = { ...RULE, require_system_group: true, allowed_system_groups: ['role:owners'] };
    expect(ids(rule)).toEqual([5]);
  });

  it('has what is chosen now, whatever the rule', () => {
    expect(ids(RULE, 2)).toContain(2);
  });
});

describe('choosing by hand', () => {
  it('one group alone is that group', () => {
    expect(settingFrom([], [20])).toBe(20);
    expect(settingFrom([], [])).toBeUndefined();
    expect(settingFrom([7], [])).toEqual({ direct_members: [7], direct_subgroups: [] });
    expect(settingFrom([], [3, 20])).toEqual({ direct_members: [], direct_subgroups: [3, 20] });
  });

  it('begins with what there is', () => {
    expect(partsOf(20, GROUPS)).toEqual({ people: [], groups: [20] });
    expect(partsOf(1, GROUPS)).toEqual({ people: [], groups: [] });
    expect(partsOf({ direct_members: [7], direct_subgroups: [20] }, GROUPS)).toEqual({
      people: [7],
      groups: [20],
    });
  });
});
