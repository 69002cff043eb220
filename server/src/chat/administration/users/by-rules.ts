// What a provider's rules say about a person: their role and their groups, in one transaction.
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import { accessUserForUpdate, lockMembership } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { moveByRules } from '../groups/by-rules.ts';
import { changePersonIn } from './actions.ts';

/** The operator wrote the rules. They have an administrator's rights: owners are neither made nor unmade. */
const RULES = { id: 0, role: ROLE.administrator, via: 'rules of a provider' } as const;

export async function applyRules(
  tx: Tx,
  { id }: User,
  given: {
    readonly role: RoleCode | undefined;
    readonly groups: { readonly join: readonly string[]; readonly leave: readonly string[] };
  },
): Promise<void> {
  await lockMembership(tx);
  const user = await accessUserForUpdate(tx, id);
  const { role } = given;
  if (role !== undefined && role !== user.role && user.role !== ROLE.owner && role > ROLE.owner) {
    await changePersonIn(tx, RULES, id, { role });
  }
  await moveByRules(tx, user, given.groups);
}
