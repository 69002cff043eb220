// Ends a payment that was never signed: its withdrawals go back to their accounts, and what it would have spent is free.
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { deleteSpends } from '../cold/access.ts';
import { lockWithdrawal } from '../withdrawals/access.ts';
import { giveBack } from '../withdrawals/proceed.ts';
import { forgetSwept, freeCoins, freeNonce } from './end-store.ts';
import { listOutputs, updatePayment, type PaymentRow } from './store.ts';
import { lockWallet } from './wallet-store.ts';

/** The caller holds the payment, has seen that it has no bytes, and rings the engine afterwards. */
export async function dropPayment(
  ctx: Context,
  tx: Tx,
  { paymentId, network, kind, sender, nonce }: PaymentRow,
): Promise<void> {
  await lockWallet(tx, network);
  for (const { withdrawId } of await listOutputs(tx, paymentId)) {
    const row = await lockWithdrawal(tx, withdrawId);
    assert(row !== undefined, 'what is paid is a withdrawal', { withdrawId });
    await giveBack(ctx, tx, row, 'rejected', 'not_signed');
  }
  await freeCoins(tx, paymentId);
  if (kind === 'from_cold') await deleteSpends(tx, paymentId);
  else if (sender !== '') await forgetSwept(tx, network, sender);
  else if (nonce !== null) await freeNonce(tx, network, nonce);
  const change = { state: 'done', reason: 'dropped', retryAt: null, nonce: null } as const;
  await updatePayment(tx, paymentId, change, new Date(ctx.clock.now()));
}
