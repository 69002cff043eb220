// Pays more for what does not get into a block: on EVM chains the same transaction with a higher fee, in the Bitcoin family a
// child that pays for its parent. Either way at most one of all versions is mined.
import { CHANGE_BRANCH, composePsbt } from '@rialto/chains';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { OwnNetwork } from '../networks.ts';
import { planChild } from './compose.ts';
import { raiseEvm } from './evm.ts';
import { drawChange, seedAccount } from './prepare.ts';
import type { SignerKeys } from './signer.ts';
import {
  insertAttempt,
  insertPayment,
  listAttempts,
  listStuck,
  lockPayment,
  updatePayment,
  type Attempt,
} from './store.ts';

type Stuck = Attempt & { readonly isUrgent: boolean };

import { insertSpentCoin, isSpent, lockWallet } from './wallet-store.ts';

const AT_ONCE_MAX = 20;

export interface Raising {
  readonly own: OwnNetwork;
  readonly keys: SignerKeys;
  /** What the network asks for now, within the bounds of the configuration. */
  readonly rate: bigint;
  readonly tip: bigint;
  readonly rateMax: bigint;
  /** What was signed so long ago should be in a block. */
  readonly afterMs: number;
}

export async function raiseFees(ctx: Context, raising: Raising): Promise<void> {
  const before = new Date(ctx.clock.now() - raising.afterMs);
  const { network, ownChain } = raising.own;
  for (const stuck of await listStuck(ctx.db, network, { before, limit: AT_ONCE_MAX })) {
    await ctx.inTransaction(async (tx) => {
      const wallet = await lockWallet(tx, network);
      const payment = await lockPayment(tx, stuck.paymentId);
      const [newest] = await listAttempts(tx, stuck.paymentId);
      const isOpen = payment?.state === 'broadcasting' || payment?.state === 'confirming';
      if (!isOpen || newest?.n !== stuck.n || newest.height !== null) return;
      if (ownChain.family === 'evm') await payMore(ctx, tx, stuck, raising);
      else await payByChild(ctx, tx, stuck, raising, wallet.nextChange);
    });
  }
}

async function payMore(
  ctx: Context,
  tx: Tx,
  { paymentId, n, unsigned, size, purpose, isUrgent }: Stuck,
  { own, rate, tip, rateMax }: Raising,
): Promise<void> {
  const next = raiseEvm(unsigned, { rate, tip }, { isUrgent });
  // What the network asks for is paid already: it will be mined.
  if (next === undefined) return;
  const at = new Date(ctx.clock.now());
  if (next.rate > rateMax) {
    await updatePayment(tx, paymentId, { reason: 'fee_spike', isUrgent: false }, at);
    return;
  }
  const place = { network: own.network, paymentId, n: n + 1 };
  const version = { purpose, unsigned: next.unsigned, fee: size * next.rate, size };
  await insertAttempt(tx, place, version);
  const change = { state: 'signing', reason: 'raised', retryAt: null, isUrgent: false } as const;
  await updatePayment(tx, paymentId, change, at);
}

async function payByChild(
  ctx: Context,
  tx: Tx,
  parent: Stuck,
  { own, keys, rate: asked, rateMax }: Raising,
  nextChange: number,
): Promise<void> {
  const { txid, change, paymentId, isUrgent } = parent;
  if (isUrgent) {
    await updatePayment(tx, paymentId, { isUrgent: false }, new Date(ctx.clock.now()));
  }
  if (txid === null || change === undefined) return;
  const { network } = own;
  // Operators want it sooner than what the network asks for: half as much again as it pays.
  const more = (parent.fee * 3n) / (parent.size * 2n) + 1n;
  const urgent = more > rateMax ? rateMax : more;
  const rate = isUrgent && urgent > asked ? urgent : asked;
  const { vout, index, units } = change;
  // What the network asks for is paid already, or the change pays for something else: a child, or a later payment.
  if (rate * parent.size <= parent.fee || (await isSpent(tx, network, { txid, vout }))) return;
  const at = new Date(ctx.clock.now());
  const plan = planChild(parent, units, rate);
  if (plan === undefined) {
    await updatePayment(tx, paymentId, { reason: 'fee_spike' }, at);
    return;
  }
  await drawChange(ctx, tx, own, nextChange);
  const unsigned = composePsbt(seedAccount(own, keys), {
    inputs: [{ txid, vout, units, place: { branch: CHANGE_BRANCH, index } }],
    outputs: [],
    change: { units: plan.change, place: { branch: CHANGE_BRANCH, index: nextChange } },
  });
  const child = await insertPayment(tx, {
    network,
    kind: 'child',
    nonce: null,
    unsigned: JSON.stringify(unsigned),
    fee: plan.fee,
    size: plan.size,
    change: { vout: 0, index: nextChange, units: plan.change },
    outputs: [],
    at,
  });
  const coin = { txid, vout, branch: CHANGE_BRANCH, index, units };
  await insertSpentCoin(tx, network, coin, child);
  await updatePayment(tx, paymentId, { reason: `paid for by P${child}` }, at);
}
