// Full members: people who have been here for the organization's waiting period.
import type { Tx } from '../../platform/db/transaction.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { readWaitingDays, updateWaitingDays } from '../organization.ts';
import { groupMembersAdded, groupMembersRemoved } from './events.ts';
import { roleGroupId } from './role-groups.ts';
import { deleteMemberships, insertMemberships, listMembersByAge, lockMembership } from './store.ts';

/** Sets how long a new member waits to become a full one, and moves the affected people. */
export async function changeWaitingPeriod(tx: Tx, days: number, nowMs: number): Promise<number> {
  await updateWaitingDays(tx, days);
  return moveFullMembers(tx, nowMs);
}

/**
 * Makes full members of those who waited long enough, and new ones of the others; returns how many.
 */
export async function moveFullMembers(tx: Tx, nowMs: number): Promise<number> {
  await lockMembership(tx);
  const groupId = roleGroupId('role:fullmembers');
  const before = new Date(nowMs - (await readWaitingDays(tx)) * DAY_MS);
  const moved = await listMembersByAge(tx, before, groupId);
  for (const { id, isOld } of moved) {
    if (isOld) await insertMemberships(tx, id, [groupId]);
    else await deleteMemberships(tx, id, [groupId]);
  }
  const tell = (isOld: boolean, event: typeof groupMembersAdded | typeof groupMembersRemoved) => {
    const ids = moved.filter((one) => one.isActive && one.isOld === isOld).map(({ id }) => id);
    if (ids.length > 0) tx.emit(event(groupId, ids), { everyone: true }, { rightsOf: ids });
  };
  tell(true, groupMembersAdded);
  tell(false, groupMembersRemoved);
  return moved.length;
}
