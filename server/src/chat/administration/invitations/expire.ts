// What becomes of invitations when their inviter goes.
import type { Tx } from '../../../platform/db/transaction.ts';
import { tellInvitesChanged } from './announce.ts';
import { expireAllOf } from './store.ts';

/** Nobody comes in by the word of somebody who is not here any more. */
export async function expireInvitationsOf(tx: Tx, userId: number, nowMs: number): Promise<void> {
  if ((await expireAllOf(tx, userId, new Date(nowMs))) > 0) await tellInvitesChanged(tx, [userId]);
}
