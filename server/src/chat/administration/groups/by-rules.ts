// Groups that a provider's rules name: a person joins and leaves them at each sign-in, whoever may edit them here.
import { noteChange } from '../../../accounts/audit/actions.ts';
import { groupMembersAdded, groupMembersRemoved } from '../../../accounts/users/events.ts';
import type { User } from '../../../accounts/user.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { followSight } from '../../channels/subscriptions/sight.ts';
import { listChannelsShownTo } from '../../rights/permissions/access.ts';
import { lockGroups } from '../../rights/permissions/actions.ts';
import { deleteMembers, insertMembers, listGroups, type GroupWithMembers } from './store.ts';

/** Groups that do not exist, that follow from roles or that are deactivated are left alone. */
export async function moveByRules(
  tx: Tx,
  user: User,
  { join, leave }: { readonly join: readonly string[]; readonly leave: readonly string[] },
): Promise<void> {
  if (join.length === 0 && leave.length === 0) return;
  await lockGroups(tx, 'to change');
  const groups = (await listGroups(tx)).filter((group) => !group.isSystem && !group.isDeactivated);
  for (const group of groups) {
    const isMember = group.memberIds.includes(user.id);
    if (join.includes(group.name) && !isMember) await move(tx, user, group, true);
    else if (leave.includes(group.name) && isMember) await move(tx, user, group, false);
  }
}

async function move(
  tx: Tx,
  user: User,
  { id, name }: GroupWithMembers,
  isJoining: boolean,
): Promise<void> {
  const ids = [user.id];
  await followSight(tx, ids, await listChannelsShownTo(tx, id), async () => {
    await (isJoining ? insertMembers : deleteMembers)(tx, id, ids);
    const tell = isJoining ? groupMembersAdded : groupMembersRemoved;
    tx.emit(tell(id, ids), { everyone: true }, { rightsOf: ids });
  });
  noteChange(tx, {
    act: 'group members',
    subject: name,
    before: { members: isJoining ? [] : ids },
    after: { members: isJoining ? ids : [] },
    details: { groupId: id, by: 'rules of a provider' },
  });
}
