// Applies a change of role: the row, the events, and the groups that follow from it.
import type { Tx } from '../../platform/db/transaction.ts';
import { readWaitingDays } from '../organization.ts';
import { ROLE, type RoleCode } from '../roles.ts';
import type { User } from '../user.ts';
import { groupMembersAdded, groupMembersRemoved, roleUpdated } from './events.ts';
import { groupsOfRole, isNewMember } from './role-groups.ts';
import { visibilitiesBetween } from './sight.ts';
import { deleteMemberships, hasVisibility, insertMemberships, updateUser } from './store.ts';

/** Gives a person or a bot another role. The caller checks whether that is allowed. */
export async function setRole(tx: Tx, user: User, role: RoleCode): Promise<void> {
  // Another role has its own time in which a second factor has to be added.
  await updateUser(tx, user.id, { role, factorDueAt: null });
  const endsQueues = await seesOthers(tx, user.role, role);
  tx.emit(roleUpdated(user.id, role, endsQueues), { everyone: true }, { rightsOf: [user.id] });
  const isNew = isNewMember(user.dateJoined, await readWaitingDays(tx), Date.now());
  await leaveGroups(tx, user, groupsOfRole(user.role, isNew));
  await joinGroups(tx, user, groupsOfRole(role, isNew));
}

/** Whether people with these roles see other addresses, or other people. */
async function seesOthers(tx: Tx, before: RoleCode, after: RoleCode): Promise<boolean> {
  if ((before === ROLE.guest) !== (after === ROLE.guest)) return true;
  const visibilities = visibilitiesBetween(before, after);
  return visibilities.length > 0 && hasVisibility(tx, visibilities);
}

export async function joinGroups(tx: Tx, user: User, groupIds: readonly number[]): Promise<void> {
  await insertMemberships(tx, user.id, groupIds);
  if (!user.isActive) return;
  for (const id of groupIds) tx.emit(groupMembersAdded(id, [user.id]), { everyone: true });
}

async function leaveGroups(tx: Tx, user: User, groupIds: readonly number[]): Promise<void> {
  await deleteMemberships(tx, user.id, groupIds);
  if (!user.isActive) return;
  for (const id of groupIds) tx.emit(groupMembersRemoved(id, [user.id]), { everyone: true });
}
