// Ends the invitations of a person who is deactivated.
import type { Tx } from '../../../platform/db/transaction.ts';
import { tellInvitesChanged } from './announce.ts';
import { expireAllOf } from './store.ts';

/** Nobody may join on the word of a deactivated person. */
export async function expireInvitationsOf(tx: Tx, userId: number, nowMs: number): Promise<void> {
  if ((await expireAllOf(tx, userId, new Date(nowMs))) > 0) await tellInvitesChanged(tx, [userId]);
}
