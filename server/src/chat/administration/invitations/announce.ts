// Tells clients that the list of invitations changed.
import { ROLE } from '../../../accounts/roles.ts';
import { listActiveByRole } from '../../../accounts/users/access.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { invitesChanged } from './events.ts';

/** Administrators see every invitation, and other people their own. */
export async function tellInvitesChanged(tx: Tx, inviterIds: readonly number[]): Promise<void> {
  const administrators = await listActiveByRole(tx, ROLE.administrator);
  const ids = new Set([...administrators.map(({ id }) => id), ...inviterIds]);
  tx.emit(invitesChanged(), { users: [...ids].sort((a, b) => a - b) });
}
