// Tells owners what changed of their deposits. Called last in a transaction, when the cursor of the network has moved too.
import type { Tx } from '../../../platform/db/transaction.ts';
import { tell } from '../events.ts';
import { toDeposit } from './shapes.ts';
import { listOwned } from './told-store.ts';

/** Each once, as it is now. What belongs to nobody is told to nobody. */
export async function tellDeposits(tx: Tx, depositIds: readonly bigint[]): Promise<void> {
  if (depositIds.length === 0) return;
  for (const row of await listOwned(tx, [...new Set(depositIds)])) {
    tell(tx, row.userId, {
      type: 'deposit',
      op: 'update',
      accountId: String(row.accountId),
      deposit: toDeposit(row),
    });
  }
}
