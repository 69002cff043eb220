// Makes payments out of the queue. The payment, what it spends and the new status of its withdrawals are one commit; the
// unsigned text is stored, so that after a crash the signer is asked for the very same transaction.
import {
  CHANGE_BRANCH,
  composePsbt,
  EVM_HOT_ACCOUNT,
  openAccount,
  readUtxoAddress,
  transferData,
  utxoAddress,
  type SeedAccount,
} from '@rialto/chains';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { formatAmount, parseAmount } from '../../amount.ts';
import { insertChangeAddress } from '../addresses/actions.ts';
import { toChainUnits } from '../chains/units.ts';
import { UTXO_CHAINS, type UtxoParams } from '../chains/utxo/params.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import type { OwnNetwork } from '../networks.ts';
import type { WithdrawalRow } from '../withdrawals/shapes.ts';
import { takeQueued, updateMany } from '../withdrawals/access.ts';
import { choose } from './compose.ts';
import { composeEvm, GAS } from './evm.ts';
import type { SignerKeys } from './signer.ts';
import { insertPayment, type PaymentOutput } from './store.ts';
import { listFreeCoins, lockWallet, spendCoins, updateWallet } from './wallet-store.ts';

/** Payouts of one transaction. */
const BATCH_MAX = 50;
/** Coins that are looked at for one payment. */
const COINS_MAX = 2000;
/** Payments of the hot wallet that are not in a block yet (EVM): a stuck one holds up all after it. */
const IN_FLIGHT_MAX = 16;

export interface Preparing {
  readonly own: OwnNetwork;
  readonly keys: SignerKeys;
  /** Smallest units by virtual byte, or by gas. */
  readonly rate: bigint;
  /** Of that to who mines (EVM). */
  readonly tip: bigint;
  readonly scannedHeight: number;
  /** By coin. */
  readonly terms: ReadonlyMap<string, CoinTerms>;
  /** How many transactions of the hot wallet the chain has (EVM). */
  readonly sent?: bigint;
}

/** Returns how many payments were made. */
export function preparePayments(ctx: Context, preparing: Preparing): Promise<number> {
  return ctx.inTransaction((tx) =>
    preparing.own.ownChain.family === 'utxo'
      ? prepareUtxo(ctx, tx, preparing)
      : prepareEvm(ctx, tx, preparing),
  );
}

/** In the smallest units of the chain. */
function unitsOf(row: WithdrawalRow, terms: ReadonlyMap<string, CoinTerms>): bigint {
  const coin = terms.get(row.coin);
  assert(coin !== undefined, 'a withdrawal has a coin of its network', { coin: row.coin });
  const units = toChainUnits(row.amount - row.fee, coin.decimals);
  assert(units !== undefined && units > 0n, 'a withdrawal is a whole number of units');
  return units;
}

const outputOf = (row: WithdrawalRow): PaymentOutput => ({
  withdrawId: row.withdrawId,
  address: row.address,
  coin: row.coin,
  amount: formatAmount(row.amount - row.fee),
});

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
  const plan = choose(coins, payouts, rate);
  if (plan === undefined) {
    // Said once: the rows are looked at every second.
    const untold = batch.filter(({ statusReason }) => statusReason !== 'hot_funds');
    const ids = untold.map(({ withdrawId }) => withdrawId);
    await updateMany(tx, ids, { statusReason: 'hot_funds' }, at);
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
  await updateMany(tx, ids, { status: 'signing', statusReason: '' }, at);
  return 1;
}

function paramsOf({ network, chain }: OwnNetwork): UtxoParams {
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

async function prepareEvm(
  ctx: Context,
  tx: Tx,
  { own, rate, tip, terms, sent = 0n }: Preparing,
): Promise<number> {
  const { network, chainId } = own;
  const wallet = await lockWallet(tx, network);
  const first = wallet.nextNonce ?? sent;
  // More than we made: somebody else signs with our key.
  if (sent > first) throw new ForeignSignature(network, sent, first);
  const room = IN_FLIGHT_MAX - Number(first - sent);
  const waiting = room > 0 ? await takeQueued(tx, network, room) : [];
  const at = new Date(ctx.clock.now());
  for (const [place, row] of waiting.entries()) {
    const nonce = first + BigInt(place);
    const coin = terms.get(row.coin);
    assert(coin !== undefined, 'a withdrawal has a coin of its network', { coin: row.coin });
    const units = unitsOf(row, terms);
    const isToken = coin.contract !== '';
    const gas = isToken ? GAS.token : GAS.coin;
    const unsigned = composeEvm({
      path: `${EVM_HOT_ACCOUNT}/0/0`,
      chainId,
      nonce,
      to: isToken ? coin.contract : row.address,
      value: isToken ? 0n : units,
      ...(isToken ? { data: transferData(row.address, units) } : {}),
      gas,
      rate,
      tip,
    });
    await insertPayment(tx, {
      network,
      kind: 'payout',
      nonce,
      unsigned,
      fee: gas * rate,
      size: gas,
      outputs: [outputOf(row)],
      at,
    });
    await updateMany(tx, [row.withdrawId], { status: 'signing', statusReason: '' }, at);
  }
  await updateWallet(tx, network, { nextNonce: first + BigInt(waiting.length) });
  return waiting.length;
}

/** Nothing is paid on the network until operators have looked. */
export class ForeignSignature extends Error {
  override name = 'ForeignSignature';
  constructor(network: string, sent: bigint, made: bigint) {
    super(
      `The hot wallet of ${network} has sent ${sent} transactions, and we made ${made}: somebody else has its key, or the database is an old copy.`,
    );
  }
}
