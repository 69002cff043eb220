// Rules of the organization about names.
import { hasAtLeast } from '../../accounts/roles.ts';
import { isNameTaken } from '../../accounts/users/access.ts';
import type { User } from '../../accounts/user.ts';
import type { Db } from '../../platform/db/pool.ts';
import { badRequest } from '../http/errors.ts';
import { readOrganizationSettings } from '../org/access.ts';

/** Refuses a name that somebody else has, where the organization wants names to be different. */
export async function checkNameUnique(db: Db, userId: number, name: string): Promise<void> {
  const { require_unique_names: mustDiffer } = await readOrganizationSettings(db);
  if (mustDiffer === true && (await isNameTaken(db, name.trim(), userId))) {
    throw badRequest('Unique names required in this organization.');
  }
}

/** Whether people may change their own name; administrators always may. */
export async function mayRenameSelf(db: Db, actor: User): Promise<boolean> {
  if (hasAtLeast(actor.role, 'administrator')) return true;
  return (await readOrganizationSettings(db))['name_changes_disabled'] !== true;
}
