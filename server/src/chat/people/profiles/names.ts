// The organization's rules about names.
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
 * Checks a name that was just set against the names of others. Two people may have the same name; their ids tell them
 * apart. But a guest cannot take anybody's name, nobody may imitate an administrator's name with characters of other
 * scripts, and an organization may require unique names. Call it last: it makes other changes of names wait until the
 * commit.
 */
export async function checkNameAmongOthers(
  tx: Db,
  { id, role }: Pick<User, 'id' | 'role'>,
  given: string,
): Promise<void> {
  const name = given.trim();
  // Before the settings are read: an organization that begins to require unique names takes the same lock.
  await lockNames(tx);
  const { require_unique_names: mustDiffer } = await readOrganizationSettings(tx);
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

/** Somebody who returns keeps their name, unless it must be unique and was taken meanwhile. */
export async function checkReturningName(
  tx: Db,
  { id, fullName }: Pick<User, 'id' | 'fullName'>,
): Promise<void> {
  await lockNames(tx);
  const { require_unique_names: mustDiffer } = await readOrganizationSettings(tx);
  if (mustDiffer !== true || (await listAlike(tx, fullName, id)).length === 0) return;
  throw badName('Unique names required in this organization.');
}

/** Whether a person may change their own name. Administrators always may. */
export async function mayRenameSelf(db: Db, actor: User): Promise<boolean> {
  if (hasAtLeast(actor.role, 'administrator')) return true;
  return (await readOrganizationSettings(db))['name_changes_disabled'] !== true;
}
