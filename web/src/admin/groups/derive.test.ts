import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Group } from '../../state/entities.ts';
import { allMembers, difference, possibleSubgroups } from './derive.ts';

const group = (id: number, memberIds: number[], subgroupIds: number[] = []): [number, Group] => [
  id,
  {
    id,
    name: `group ${id}`,
    description: '',
    creatorId: null,
    dateCreated: null,
    memberIds,
    subgroupIds,
    isSystem: false,
    isDeactivated: false,
    permissions: {},
  },
];

const GROUPS = new Map([group(1, [7], [2]), group(2, [8], [3]), group(3, [7, 9]), group(4, [])]);

it('counts everybody once, through the groups inside', () => {
  expect([...allMembers(GROUPS, 1)].sort((a, b) => a - b)).toEqual([7, 8, 9]);
});

it('offers no group that would make a circle', () => {
  expect(possibleSubgroups(GROUPS, 3).map(({ id }) => id)).toEqual([4]);
  expect(possibleSubgroups(GROUPS, 1).map(({ id }) => id)).toEqual([2, 3, 4]);
  expect(possibleSubgroups(GROUPS, undefined)).toHaveLength(4);
});

it('leads from one list to the other', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(ids, ids, (before, after) => {
      const { add, remove } = difference(before, after);
      const reached = [...before.filter((id) => !remove.includes(id)), ...add];
      expect(new Set(reached)).toEqual(new Set(after));
    }),
  );
});
