// The value of a permission: a group, or a list of people and groups.
import { Type, type Static } from 'typebox';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';

/** A value names at most this many people and this many groups one by one; more belong into a group. */
const DIRECT_MAX = 10_000;

const ids = () => Type.Array(Type.Integer(), { maxItems: DIRECT_MAX });

export const GroupSettingValue = Type.Union([
  Type.Integer({ description: 'The id of a user group.' }),
  Type.Object(
    { direct_members: ids(), direct_subgroups: ids() },
    { description: 'People and groups, without a group made for them.' },
  ),
]);
export type GroupSettingValue = Readonly<
  | number
  | {
      readonly direct_members: readonly number[];
      readonly direct_subgroups: readonly number[];
    }
>;

/** The parameter of routes that change a setting. `old` guards against overwriting somebody else's change. */
export const GroupSettingChange = Type.Object({
  new: GroupSettingValue,
  old: Type.Optional(GroupSettingValue),
});
export type GroupSettingChange = Static<typeof GroupSettingChange>;

/** The people and groups of a value, in either form. */
export interface Parts {
  readonly members: readonly number[];
  readonly subgroups: readonly number[];
}

export const partsOf = (value: GroupSettingValue): Parts =>
  typeof value === 'number'
    ? { members: [], subgroups: [value] }
    : { members: value.direct_members, subgroups: value.direct_subgroups };

/** Normalises a value: sorted, each once, and a plain group id where that is enough. */
export function normalize(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value;
  const members = ascending(value.direct_members);
  const subgroups = ascending(value.direct_subgroups);
  const [only] = subgroups;
  if (members.length > 0 || subgroups.length > 1) {
    return { direct_members: members, direct_subgroups: subgroups };
  }
  return only ?? roleGroupId('role:nobody');
}

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

export const isSameValue = (a: GroupSettingValue, b: GroupSettingValue): boolean =>
  JSON.stringify(normalize(a)) === JSON.stringify(normalize(b));

/** Just these people. */
export const onlyPeople = (...userIds: readonly number[]): GroupSettingValue =>
  normalize({ direct_members: userIds, direct_subgroups: [] });

export const isNobody = (value: GroupSettingValue): boolean =>
  normalize(value) === roleGroupId('role:nobody');
