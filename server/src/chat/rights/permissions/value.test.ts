import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { isNobody, isSameValue, normalize, onlyPeople, partsOf } from './value.ts';

const ids = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 6 });
const values = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.record({ direct_members: ids, direct_subgroups: ids }),
);

describe('a group-setting value', () => {
  it('is a group id when it names one group and no person', () => {
    expect(normalize({ direct_members: [], direct_subgroups: [12] })).toBe(12);
    expect(normalize({ direct_members: [], direct_subgroups: [12, 12] })).toBe(12);
    expect(normalize(12)).toBe(12);
  });

  it('is nobody when it names no one', () => {
    expect(normalize({ direct_members: [], direct_subgroups: [] })).toBe(
      roleGroupId('role:nobody'),
    );
    expect(isNobody({ direct_members: [], direct_subgroups: [] })).toBe(true);
    expect(isNobody(onlyPeople(3))).toBe(false);
  });

  it('is otherwise sorted, each once', () => {
    expect(normalize({ direct_members: [9, 3, 9], direct_subgroups: [12, 11] })).toEqual({
      direct_members: [3, 9],
      direct_subgroups: [11, 12],
    });
  });

  it('means the same after normalising, and normalising again changes nothing', () => {
    fc.assert(
      fc.property(values, (value) => {
        const once = normalize(value);
        expect(normalize(once)).toEqual(once);
        const [before, after] = [partsOf(value), partsOf(once)];
        expect(new Set(after.members)).toEqual(new Set(before.members));
        if (before.members.length + before.subgroups.length > 0) {
          expect(new Set(after.subgroups)).toEqual(new Set(before.subgroups));
        }
      }),
    );
  });

  it('is compared regardless of order', () => {
    fc.assert(
      fc.property(ids, ids, (members, groups) => {
        const shuffled = {
          direct_members: members.toReversed(),
          direct_subgroups: [...groups.toReversed(), ...groups],
        };
        expect(isSameValue({ direct_members: members, direct_subgroups: groups }, shuffled)).toBe(
          true,
        );
      }),
    );
    expect(isSameValue(onlyPeople(1), onlyPeople(1, 2))).toBe(false);
    expect(isSameValue(5, 6)).toBe(false);
  });
});
