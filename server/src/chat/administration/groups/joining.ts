// Adds a new person to the groups that the invitation promised.
import { groupMembersAdded } from '../../../accounts/users/events.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { permissionsIn, readGroupPermissions } from '../../rights/permissions/access.ts';
import { lockGroups } from '../../rights/permissions/actions.ts';
import { canAddMembers, type Rights } from '../../rights/permissions/rights.ts';
import { insertMembers, listGroups } from './store.ts';

/** Those of the groups that are in use and that `rights` may add people to. Locks groups until the commit. */
export async function listGroupsToJoin(
  tx: Tx,
  rights: Rights,
  groupIds: readonly number[],
): Promise<number[]> {
  if (groupIds.length === 0) return [];
  await lockGroups(tx, 'to change');
  const table = await readGroupPermissions(tx, groupIds);
  return (await listGroups(tx, groupIds))
    .filter(
      (group) =>
        !group.isDeactivated &&
        canAddMembers(rights, { ...group, permissions: permissionsIn(table, group.id) }),
    )
    .map(({ id }) => id);
}

/** For somebody who has no client yet: nobody has to be told which channels they see now. */
export async function addToGroups(
  tx: Tx,
  userId: number,
  groupIds: readonly number[],
): Promise<void> {
  for (const id of groupIds) {
    await insertMembers(tx, id, [userId]);
    tx.emit(groupMembersAdded(id, [userId]), { everyone: true }, { rightsOf: [userId] });
  }
}
