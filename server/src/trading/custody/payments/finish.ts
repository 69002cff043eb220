// Ends payments that have their confirmations: the ledger settles the withdrawals and pays what the network took.
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { encodeCommand, type NewCommand } from '../../engine/command.ts';
import { insertCustodyCommands } from '../../operators/access.ts';
import { toLedgerUnits } from '../chains/units.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import { addEvidence, movementNames } from '../evidence.ts';
import type { OwnNetwork } from '../networks.ts';
import { movementOf } from '../withdrawals/shapes.ts';
import { lockWithdrawal } from '../withdrawals/access.ts';
import { changeWithdrawal } from '../withdrawals/change.ts';
import { listChildren } from './end-store.ts';
import {
  listAttempts,
  listOutputs,
  listPayments,
  lockPayment,
  updatePayment,
  type Attempt,
} from './store.ts';

const AT_ONCE_MAX = 50;
/** Whatever becomes of a later version: what is mined is paid. */
const OPEN = ['signing', 'broadcasting', 'confirming', 'needs_operator'] as const;

export async function finishPayments(
  ctx: Context,
  {
    own,
    scannedHeight,
    terms,
  }: {
    readonly own: OwnNetwork;
    readonly scannedHeight: number;
    /** By coin. */
    readonly terms: ReadonlyMap<string, CoinTerms>;
  },
): Promise<void> {
  const options = { at: new Date(ctx.clock.now()), limit: AT_ONCE_MAX };
  const open = await listPayments(ctx.db, own.network, OPEN, options);
  for (const { paymentId } of open) {
    const mined = (await listAttempts(ctx.db, paymentId)).find(({ height }) => height !== null);
    if (mined?.height === null || mined === undefined) continue;
    const outputs = await listOutputs(ctx.db, paymentId);
    const needed = Math.max(1, ...outputs.map(({ coin }) => terms.get(coin)?.confirmations ?? 1));
    if (scannedHeight - mined.height + 1 < needed) continue;
    await ctx.inTransaction((tx) => finish(ctx, tx, own.network, paymentId, terms));
    ringEngine(ctx);
  }
}

async function finish(
  ctx: Context,
  tx: Tx,
  network: string,
  paymentId: bigint,
  terms: ReadonlyMap<string, CoinTerms>,
): Promise<void> {
  const payment = await lockPayment(tx, paymentId);
  if (payment === undefined || payment.state === 'done') return;
  // Looked at again under the lock: a block may have gone meanwhile.
  const mined = (await listAttempts(tx, paymentId)).find(({ height }) => height !== null);
  if (mined === undefined) return;
  const at = new Date(ctx.clock.now());
  const isPaid = mined.purpose === 'pay' && !mined.hasFailed;
  for (const { withdrawId } of await listOutputs(tx, paymentId)) {
    await end(tx, network, withdrawId, isPaid, at);
  }
  // What spent its change can never be mined.
  if (mined.purpose === 'void') {
    for (const child of await listChildren(tx, paymentId)) {
      await updatePayment(tx, child.paymentId, { state: 'done', reason: 'failed' }, at);
    }
  }
  await bookCost(tx, network, paymentId, mined, terms);
  await updatePayment(tx, paymentId, { state: 'done', reason: isPaid ? '' : 'failed' }, at);
}

async function end(
  tx: Tx,
  network: string,
  withdrawId: bigint,
  isPaid: boolean,
  at: Date,
): Promise<void> {
  const row = await lockWithdrawal(tx, withdrawId);
  assert(row !== undefined, 'what is paid is a withdrawal', { withdrawId });
  const withdrawalId = movementOf(withdrawId);
  const type = isPaid ? 'settle_withdrawal' : 'cancel_withdrawal';
  const who = `custody ${network}`;
  const [commandId] = await insertCustodyCommands(tx, [encodeCommand({ type, withdrawalId })], who);
  assert(commandId !== undefined, 'a row has an id');
  const status = isPaid ? 'completed' : 'failed';
  const change = { status, statusReason: '', commandId, isBooked: false } as const;
  await changeWithdrawal(tx, withdrawId, { ...change, ...(isPaid ? { completedAt: at } : {}) }, at);
  if (!isPaid) return;
  const cause = movementNames.withdrawal(withdrawalId);
  const amount = row.fee - row.amount;
  await addEvidence(tx, [
    { cause, coin: row.coin, network, amount, source: 'chain', who, commandId },
  ]);
}

/** What the network took comes out of the venue's own money, in the network's own coin. */
async function bookCost(
  tx: Tx,
  network: string,
  paymentId: bigint,
  { fee }: Attempt,
  terms: ReadonlyMap<string, CoinTerms>,
): Promise<void> {
  const coin = [...terms.values()].find(({ contract }) => contract === '');
  const amount = coin && toLedgerUnits(fee, coin.decimals);
  // Without a listed coin of the network nobody counts what it costs.
  if (coin === undefined || amount === undefined || amount === 0n) return;
  const costId = `P${paymentId}`;
  const who = `custody ${network}`;
  const command: NewCommand = { type: 'book_chain_cost', costId, network, coin: coin.coin, amount };
  const [commandId] = await insertCustodyCommands(tx, [encodeCommand(command)], who);
  assert(commandId !== undefined, 'a row has an id');
  const cause = movementNames.chainCost(costId);
  await addEvidence(tx, [
    { cause, coin: coin.coin, network, amount: -amount, source: 'chain', who, commandId },
  ]);
}
