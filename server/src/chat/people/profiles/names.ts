// Rules of the organization about names.
import { hasAtLeast, ROLE } from '../../../accounts/roles.ts';
import { lockNames } from '../../../accounts/users/access.ts';
import {
  badName,
  NAME_LIKE_ADMINISTRATOR,
  NAME_OF_ANOTHER,
} from '../../../accounts/users/errors.ts';
import { listAlike } from '../../../accounts/users/names.ts';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { foldName } from '../../../platform/names/fold.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';

/**
 * Whether somebody may have the name that was just given to them, beside the names that others have. Two people of
 * one name are possible and told apart by their ids; but a guest takes nobody's name, nobody looks like an
 * administrator by characters of other scripts, and an organization may want all names to be different. Call it
 * last: others who settle names wait until the transaction ends.
 */
export async function checkNameAmongOthers(
  tx: Db,
  { id, role }: Pick<User, 'id' | 'role'>,
  given: string,
): Promise<void> {
  const name = given.trim();
  const { require_unique_names: mustDiffer } = await readOrganizationSettings(tx);
  const isAlone = mustDiffer === true || role === ROLE.guest;
  if (isAlone) await lockNames(tx);
  const others = await listAlike(tx, name, id);
  if (mustDiffer === true && others.length > 0) {
    throw badName('Unique names required in this organization.');
  }
  if (role === ROLE.guest && others.length > 0) throw badName(NAME_OF_ANOTHER);
  if (hasAtLeast(role, 'administrator')) return;
  const isLikeOne = others.some(
    (other) =>
      hasAtLeast(other.role, 'administrator') && foldName(other.fullName) !== foldName(name),
  );
  if (isLikeOne) throw badName(NAME_LIKE_ADMINISTRATOR);
}

/** Whether people may change their own name; administrators always may. */
export async function mayRenameSelf(db: Db, actor: User): Promise<boolean> {
  if (hasAtLeast(actor.role, 'administrator')) return true;
  return (await readOrganizationSettings(db))['name_changes_disabled'] !== true;
}
