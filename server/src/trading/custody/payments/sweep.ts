// Fetches coins from deposit addresses of EVM chains into the hot wallet. A token needs gas at its address first. Nothing of
// this is in the ledger but what the network takes: the coins are the venue's before and after.
import { EVM_DEPOSIT_ACCOUNT, EVM_HOT_ACCOUNT, transferData } from '@rialto/chains';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { formatAmount, parseAmount } from '../../amount.ts';
import type { ChainNode } from '../chains/chain.ts';
import { toLedgerUnits } from '../chains/units.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import type { OwnNetwork } from '../networks.ts';
import {
  insertPayment,
  listSweepable,
  lockWallet,
  noteSwept,
  updateWallet,
  type OwnOutput,
  type Sweepable,
} from './store.ts';

/** Addresses that one look empties. */
const AT_ONCE_MAX = 10;
const GAS_OF_COIN = 21_000n;
const GAS_OF_TOKEN = 150_000n;
/** What is left for a higher fee: a sweep of all coins could not pay more later. */
const RESERVE = 3n;

export interface Sweeping {
  readonly own: OwnNetwork;
  readonly node: ChainNode;
  /** The address of the hot wallet. */
  readonly hot: string;
  readonly rate: bigint;
  /** By coin. */
  readonly terms: ReadonlyMap<string, CoinTerms>;
}

export async function sweepDeposits(ctx: Context, sweeping: Sweeping): Promise<void> {
  const { own, terms } = sweeping;
  for (const [coin, text] of Object.entries(own.sweeps)) {
    const term = terms.get(coin);
    const minimum = parseAmount(text);
    if (term === undefined || minimum === undefined) continue;
    const options = { coin, minimum, limit: AT_ONCE_MAX };
    for (const found of await listSweepable(ctx.db, own.network, options)) {
      if (term.contract === '') await sweepCoin(ctx, sweeping, term, found);
      else await sweepToken(ctx, sweeping, term, found);
    }
  }
}

async function sweepCoin(
  ctx: Context,
  { own, node, hot, rate }: Sweeping,
  term: CoinTerms,
  found: Sweepable,
): Promise<void> {
  const balance = await node.balanceOf(found.address, '');
  const value = balance - RESERVE * rate * GAS_OF_COIN;
  if (value <= 0n) return;
  const nonce = await node.countSent(found.address);
  const output = outputOf(hot, value, term);
  if (output === undefined) return;
  await insertFrom(ctx, own, found, term, {
    nonce,
    gas: GAS_OF_COIN,
    rate,
    to: hot,
    value,
    data: '0x',
    output,
  });
}

async function sweepToken(
  ctx: Context,
  sweeping: Sweeping,
  term: CoinTerms,
  found: Sweepable,
): Promise<void> {
  const { own, node, hot, rate } = sweeping;
  const [gas, units] = await Promise.all([
    node.balanceOf(found.address, ''),
    node.balanceOf(found.address, term.contract),
  ]);
  if (units === 0n) return;
  if (gas < rate * GAS_OF_TOKEN) {
    await sendGas(ctx, sweeping, term, found, RESERVE * rate * GAS_OF_TOKEN - gas);
    return;
  }
  const output = outputOf(hot, units, term);
  if (output === undefined) return;
  await insertFrom(ctx, own, found, term, {
    nonce: await node.countSent(found.address),
    gas: GAS_OF_TOKEN,
    rate,
    to: term.contract,
    value: 0n,
    data: `0x${Buffer.from(transferData(hot, units)).toString('hex')}`,
    output: { ...output, coin: term.coin },
  });
}

/** In whole coins; undefined where the ledger has no such number. */
function outputOf(address: string, units: bigint, term: CoinTerms): OwnOutput | undefined {
  const amount = toLedgerUnits(units, term.decimals);
  return amount === undefined ? undefined : { address, amount: formatAmount(amount) };
}

interface Transaction {
  readonly nonce: bigint;
  readonly gas: bigint;
  readonly rate: bigint;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly output: OwnOutput;
}

const fieldsOf = (path: string, chainId: string, one: Transaction): string =>
  JSON.stringify({
    path,
    chainId,
    nonce: String(one.nonce),
    to: one.to,
    value: String(one.value),
    data: one.data,
    gas: String(one.gas),
    maxFeePerGas: String(one.rate),
    maxPriorityFeePerGas: String(one.rate),
  });

/** Looked at again under the lock of the wallet: another process may have been faster. */
async function isStillFull(
  tx: Tx,
  network: string,
  coin: string,
  { address }: Sweepable,
): Promise<boolean> {
  const rows = await listSweepable(tx, network, { coin, minimum: 1n, limit: 1, address });
  return rows.length > 0;
}

/** From a deposit address. Of two processes one is first: the address has one transaction of this number. */
async function insertFrom(
  ctx: Context,
  { network, chainId }: OwnNetwork,
  found: Sweepable,
  term: CoinTerms,
  one: Transaction,
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    await lockWallet(tx, network);
    if (!(await isStillFull(tx, network, term.coin, found))) return;
    await insertPayment(tx, {
      network,
      kind: 'sweep',
      sender: found.address,
      nonce: one.nonce,
      unsigned: fieldsOf(`${EVM_DEPOSIT_ACCOUNT}/0/${found.index}`, chainId, one),
      fee: one.gas * one.rate,
      size: one.gas,
      outputs: [],
      ownOutputs: [one.output],
      at: new Date(ctx.clock.now()),
    });
    await noteSwept(tx, network, found, term.coin);
  });
}

/** From the hot wallet to a deposit address, so that it can send its tokens. */
async function sendGas(
  ctx: Context,
  { own, hot, rate, terms, node }: Sweeping,
  token: CoinTerms,
  found: Sweepable,
  value: bigint,
): Promise<void> {
  const { address, index } = found;
  const coin = [...terms.values()].find(({ contract }) => contract === '');
  const output = coin && outputOf(address, value, coin);
  if (output === undefined) return;
  const sent = await node.countSent(hot);
  await ctx.inTransaction(async (tx) => {
    const wallet = await lockWallet(tx, own.network);
    if (!(await isStillFull(tx, own.network, token.coin, found))) return;
    const nonce = wallet.nextNonce ?? sent;
    assert(nonce >= sent, 'nobody else signs with the key of the hot wallet');
    const one = { nonce, gas: GAS_OF_COIN, rate, to: address, value, data: '0x', output };
    await insertPayment(tx, {
      network: own.network,
      kind: 'gas',
      nonce,
      unsigned: fieldsOf(`${EVM_HOT_ACCOUNT}/0/0`, own.chainId, one),
      fee: GAS_OF_COIN * rate,
      size: GAS_OF_COIN,
      outputs: [],
      ownOutputs: [{ ...output, index }],
      at: new Date(ctx.clock.now()),
    });
    await updateWallet(tx, own.network, { nextNonce: nonce + 1n });
  });
}
