// Makes payments out of the queue. The payment, what it spends and the new status of its withdrawals are one commit; the
// unsigned text is stored, so that after a crash the signer is asked for the very same transaction.
import {
  CHANGE_BRANCH,
  composePsbt,
  openAccount,
  readUtxoAddress,
  utxoAddress,
  type SeedAccount,
} from '@rialto/chains';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { parseAmount } from '../../amount.ts';
import { insertChangeAddress } from '../addresses/actions.ts';
import { UTXO_CHAINS, type UtxoParams } from '../chains/utxo/params.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import type { OwnNetwork } from '../networks.ts';
import type { WithdrawalRow } from '../withdrawals/shapes.ts';
import { takeQueued } from '../withdrawals/access.ts';
import { changeMany } from '../withdrawals/change.ts';
import { choose, type OwnCoin, type Payout } from './compose.ts';
import { boundsOf } from './hot.ts';
import { prepareEvm } from './prepare-evm.ts';
import { outputOf, unitsOf, type Preparing } from './preparing.ts';
import type { SignerKeys } from './signer.ts';
import { insertPayment } from './store.ts';
import { listFreeCoins, lockWallet, spendCoins, updateWallet } from './wallet-store.ts';

/** Payouts of one transaction. */
const BATCH_MAX = 50;
/** Coins that are looked at for one payment. */
export const COINS_MAX = 2000;

/** Returns how many payments were made. */
export function preparePayments(ctx: Context, preparing: Preparing): Promise<number> {
  return ctx.inTransaction((tx) =>
    preparing.wallet === undefined
      ? prepareUtxo(ctx, tx, preparing)
      : prepareEvm(ctx, tx, { ...preparing, ...preparing.wallet }),
  );
}

async function prepareUtxo(
  ctx: Context,
  tx: Tx,
  { own, keys, rate, scannedHeight, terms }: Preparing,
): Promise<number> {
  const { network } = own;
  const params = paramsOf(own);
  const wallet = await lockWallet(tx, network);
  const waiting = await takeQueued(tx, network, BATCH_MAX);
  const batch = withinBatch(own, waiting);
  if (batch.length === 0) return 0;
  const payouts = batch.map((row) => {
    const script = readUtxoAddress(params.network, row.address);
    assert(script !== undefined, 'the address of a withdrawal was read before');
    return { units: unitsOf(row, terms), scriptBytes: script.length };
  });
  const coins = await listFreeCoins(tx, network, scannedHeight, COINS_MAX);
  const at = new Date(ctx.clock.now());
  const floor = floorOf(own, terms);
  const within = withinFloor(coins, payouts, floor);
  const plan = choose(coins, within, rate);
  if (plan === undefined || isBelow(coins, payouts.slice(0, plan.count), plan.fee, floor)) {
    const ids = batch.map(({ withdrawId }) => withdrawId);
    // Without the floor there would be enough.
    const statusReason = choose(coins, payouts.slice(0, 1), rate) ? 'hot_floor' : 'hot_funds';
    await changeMany(tx, ids, { statusReason }, at);
    return 0;
  }
  const place = { branch: CHANGE_BRANCH, index: wallet.nextChange };
  if (plan.change > 0n) await drawChange(ctx, tx, own, place.index);
  const paid = batch.slice(0, plan.count);
  const unsigned = composePsbt(seedAccount(own, keys), {
    inputs: plan.coins.map(({ txid, vout, units, branch, index }) => ({
      txid,
      vout,
      units,
      place: { branch, index },
    })),
    outputs: paid.map(({ address }, n) => ({ address, units: payouts[n]?.units ?? 0n })),
    ...(plan.change > 0n ? { change: { units: plan.change, place } } : {}),
  });
  const paymentId = await insertPayment(tx, {
    network,
    kind: 'payout',
    nonce: null,
    unsigned: JSON.stringify(unsigned),
    fee: plan.fee,
    size: BigInt(plan.size),
    ...(plan.change > 0n
      ? { change: { vout: paid.length, index: place.index, units: plan.change } }
      : {}),
    outputs: paid.map(outputOf),
    at,
  });
  await spendCoins(tx, network, plan.coins, paymentId);
  const ids = paid.map(({ withdrawId }) => withdrawId);
  await changeMany(tx, ids, { status: 'signing', statusReason: '' }, at);
  return 1;
}

/** What must stay in the hot wallet of the network's own coin. */
function floorOf(own: OwnNetwork, terms: ReadonlyMap<string, CoinTerms>): bigint {
  const term = [...terms.values()].find(({ contract }) => contract === '');
  return (term && boundsOf(own, term)?.floor) ?? 0n;
}

const sumOf = (all: readonly { readonly units: bigint }[]): bigint =>
  all.reduce((sum, { units }) => sum + units, 0n);

const isBelow = (
  coins: readonly OwnCoin[],
  payouts: readonly Payout[],
  fee: bigint,
  floor: bigint,
): boolean => floor > 0n && sumOf(coins) - sumOf(payouts) - fee < floor;

/** The first ones that leave the floor, but for the fee. */
function withinFloor(
  coins: readonly OwnCoin[],
  payouts: readonly Payout[],
  floor: bigint,
): readonly Payout[] {
  let count = payouts.length;
  while (count > 1 && isBelow(coins, payouts.slice(0, count), 0n, floor)) count -= 1;
  return payouts.slice(0, count);
}

export function paramsOf({ network, chain }: OwnNetwork): UtxoParams {
  const params = UTXO_CHAINS[chain];
  assert(params !== undefined, 'the chain is of the Bitcoin family', { network });
  return params;
}

/** The account by which the signer finds the keys of a transaction. */
export function seedAccount(own: OwnNetwork, keys: SignerKeys): SeedAccount {
  const account = keys.networks[own.network]?.['account'];
  assert(account !== undefined, 'the signer knows the network', { network: own.network });
  return {
    network: paramsOf(own).network,
    account: openAccount(own.publicKey),
    fingerprint: Number.parseInt(keys.fingerprint, 16),
    path: account.path,
  };
}

/** Uses the next address for change. The caller holds the wallet. */
export async function drawChange(
  ctx: Context,
  tx: Tx,
  own: OwnNetwork,
  index: number,
): Promise<void> {
  const key = openAccount(own.publicKey).publicKey({ branch: CHANGE_BRANCH, index });
  const address = utxoAddress(paramsOf(own).network, key);
  await insertChangeAddress(ctx, tx, { network: own.network, index, address });
  await updateWallet(tx, own.network, { nextChange: index + 1 });
}

/** The next addresses for change, which a lost database may have used. */
export async function drawManyChanges(
  ctx: Context,
  tx: Tx,
  own: OwnNetwork,
  count: number,
): Promise<void> {
  const { nextChange } = await lockWallet(tx, own.network);
  for (let n = 0; n < count; n += 1) await drawChange(ctx, tx, own, nextChange + n);
}

/** The first ones whose sum one transaction may pay; one at least, and of one coin. */
function withinBatch(own: OwnNetwork, waiting: readonly WithdrawalRow[]): WithdrawalRow[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const most = parseAmount(own.withdrawals[first.coin]?.batchMax ?? '0') ?? 0n;
  const batch: WithdrawalRow[] = [];
  let sum = 0n;
  for (const row of waiting.filter(({ coin }) => coin === first.coin)) {
    sum += row.amount - row.fee;
    if (batch.length > 0 && sum > most) break;
    batch.push(row);
  }
  return batch;
}
