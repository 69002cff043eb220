import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';

export const nameTaken = (name: string) => badRequest(`User group '${name}' already exists.`);

export const noNewData = () => badRequest('No new data supplied');

export const nothingToDo = (...names: readonly string[]) => {
  const [last, ...others] = names.map((name) => `"${name}"`).reverse();
  return badRequest(
    `Nothing to do. Specify at least one of ${others.reverse().join(', ')} or ${last ?? ''}.`,
  );
};

export const alreadyMember = (id: number) =>
  badRequest(`User ${id} is already a member of this group`);

export const noSuchMember = (id: number) =>
  badRequest(`There is no member '${id}' in this user group`);

export const alreadySubgroup = (id: number) =>
  badRequest(`User group ${id} is already a subgroup of this group.`);

export const noSuchSubgroup = (id: number) =>
  badRequest(`User group ${id} is not a subgroup of this group.`);

export const wouldBeCircular = (id: number) =>
  badRequest(`User group ${id} is already a subgroup of one of the passed subgroups.`);

/** Where a group is used; every entry has `type` and `settings`. */
export type Objection =
  | {
      readonly type: 'subgroup';
      readonly settings: readonly [];
      readonly supergroup_ids: readonly number[];
    }
  | {
      readonly type: 'channel';
      readonly channel_id: number;
      readonly settings: readonly string[];
    }
  | {
      readonly type: 'user_group';
      readonly group_id: number;
      readonly settings: readonly string[];
    }
  | { readonly type: 'realm'; readonly settings: readonly string[] };

export const groupInUse = (objections: readonly Objection[]) =>
  new Refusal({
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    message: 'Cannot deactivate user group in use.',
    status: 400,
    fields: { objections },
  });
