// Changes withdrawals and tells their owners, in one transaction. What no answer shows is told to nobody.
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { tell } from '../events.ts';
import { toWithdrawal, type WithdrawalRow } from './shapes.ts';
import {
  insertWithdrawal,
  listOwned,
  listQueuedOf,
  lockMany,
  updateMany,
  type Change,
} from './store.ts';

export async function addWithdrawal(
  tx: Tx,
  row: Parameters<typeof insertWithdrawal>[1],
): Promise<WithdrawalRow> {
  const added = await insertWithdrawal(tx, row);
  await tellWithdrawals(tx, [added.withdrawId]);
  return added;
}

export async function changeWithdrawal(
  tx: Tx,
  id: bigint,
  change: Change,
  at: Date,
): Promise<WithdrawalRow> {
  const [row] = await changeMany(tx, [id], change, at);
  assert(row !== undefined, 'a withdrawal that is changed has a row', { id });
  return row;
}

/** The same change for several. What is so already stays as it was, and nobody hears of it again. */
export async function changeMany(
  tx: Tx,
  ids: readonly bigint[],
  change: Change,
  at: Date,
): Promise<WithdrawalRow[]> {
  if (ids.length === 0) return [];
  const before = await lockMany(tx, ids);
  const isNews = (row: WithdrawalRow) => isShown(row, change);
  const news = before.filter(isNews).map(({ withdrawId }) => withdrawId);
  const rest = before.filter((row) => !isNews(row)).map(({ withdrawId }) => withdrawId);
  const changed = [
    ...(news.length === 0 ? [] : await updateMany(tx, news, { ...change, updatedAt: at })),
    ...(rest.length === 0 ? [] : await updateMany(tx, rest, change)),
  ];
  await tellWithdrawals(tx, news);
  return changed;
}

/** Tells the owners of what waits to be paid of a coin why it does. */
export async function explainQueued(
  tx: Tx,
  { coin, reason, at }: { readonly coin: string; readonly reason: string; readonly at: Date },
): Promise<void> {
  await changeMany(tx, await listQueuedOf(tx, coin), { statusReason: reason }, at);
}

/** Whether an answer of the API would differ. */
const isShown = (
  row: WithdrawalRow,
  { status, statusReason, txid, completedAt }: Change,
): boolean =>
  (status !== undefined && status !== row.status) ||
  (statusReason !== undefined && statusReason !== row.statusReason) ||
  (txid !== undefined && txid !== row.txid) ||
  (completedAt !== undefined && completedAt.getTime() !== row.completedAt?.getTime());

async function tellWithdrawals(tx: Tx, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  for (const row of await listOwned(tx, ids)) {
    tell(tx, row.userId, {
      type: 'withdrawal',
      op: 'update',
      accountId: String(row.accountId),
      withdrawal: toWithdrawal(row),
    });
  }
}
