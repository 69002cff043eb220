// Finds groups, or refuses. Everybody except guests may see all of them.
import type { Db } from '../../../platform/db/pool.ts';
import { permissionsIn, readGroupPermissions } from '../../rights/permissions/access.ts';
import { groupIsDeactivated, invalidGroup } from '../../rights/permissions/errors.ts';
import type { GroupFacts } from '../../rights/permissions/rights.ts';
import { findGroup, type Group } from './store.ts';

export type AccessedGroup = Group & GroupFacts;

/** The group with its permissions, deactivated or not. */
export async function accessAnyGroup(db: Db, id: number): Promise<AccessedGroup> {
  const group = await findGroup(db, id);
  if (group === undefined) throw invalidGroup();
  const table = await readGroupPermissions(db, [group.id]);
  return { ...group, permissions: permissionsIn(table, group.id) };
}

/** The group with its permissions, if it is not deactivated. */
export async function accessGroup(db: Db, id: number): Promise<AccessedGroup> {
  const group = await accessAnyGroup(db, id);
  if (group.isDeactivated) throw groupIsDeactivated();
  return group;
}
