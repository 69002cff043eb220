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
import { composeEvm, GAS, type EvmTransfer } from './evm.ts';
import { insertPayment, type OwnOutput } from './store.ts';
import { listSweepable, listUnassigned, noteSwept, type Sweepable } from './sweep-store.ts';
import { lockWallet, updateWallet } from './wallet-store.ts';

/** Addresses that one look empties. */
const AT_ONCE_MAX = 10;
/** What is left for a higher fee: a sweep of all coins could not pay more later. */
const RESERVE = 3n;

export interface Sweeping {
  readonly own: OwnNetwork;
  readonly node: ChainNode;
  /** The address of the hot wallet. */
  readonly hot: string;
  readonly rate: bigint;
  readonly tip: bigint;
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
    const full = await listSweepable(ctx.db, own.network, options);
    for (const found of [...full, ...(await listUnassigned(ctx.db, own.network, options))]) {
      if (term.contract === '') await sweepCoin(ctx, sweeping, term, found);
      else await sweepToken(ctx, sweeping, term, found);
    }
  }
}

async function sweepCoin(
  ctx: Context,
  { own, node, hot, rate, tip }: Sweeping,
  term: CoinTerms,
  found: Sweepable,
): Promise<void> {
  const balance = await node.balanceOf(found.address, '');
  const value = balance - RESERVE * rate * GAS.plain;
  if (value <= 0n) return noteEmpty(ctx, own, term, found);
  const nonce = await node.countSent(found.address);
  const output = outputOf(hot, value, term);
  if (output === undefined) return;
  await insertFrom(ctx, own, found, term, {
    nonce,
    gas: GAS.plain,
    rate,
    tip,
    to: hot,
    value,
    output,
  });
}

async function sweepToken(
  ctx: Context,
  sweeping: Sweeping,
  term: CoinTerms,
  found: Sweepable,
): Promise<void> {
  const { own, node, hot, rate, tip } = sweeping;
  const [gas, units] = await Promise.all([
    node.balanceOf(found.address, ''),
    node.balanceOf(found.address, term.contract),
  ]);
  if (units === 0n) return noteEmpty(ctx, own, term, found);
  if (gas < rate * GAS.token) {
    await sendGas(ctx, sweeping, term, found, RESERVE * rate * GAS.token - gas);
    return;
  }
  const output = outputOf(hot, units, term);
  if (output === undefined) return;
  await insertFrom(ctx, own, found, term, {
    nonce: await node.countSent(found.address),
    gas: GAS.token,
    rate,
    tip,
    to: term.contract,
    value: 0n,
    data: transferData(hot, units),
    output: { ...output, coin: term.coin },
  });
}

/** In whole coins; undefined where the ledger has no such number. */
function outputOf(address: string, units: bigint, term: CoinTerms): OwnOutput | undefined {
  const amount = toLedgerUnits(units, term.decimals);
  return amount === undefined ? undefined : { address, amount: formatAmount(amount) };
}

interface Transaction extends Omit<EvmTransfer, 'path' | 'chainId'> {
  readonly output: OwnOutput;
}

/** Looked at again under the lock of the wallet: another process may have been faster. */
async function isStillFull(
  tx: Tx,
  network: string,
  coin: string,
  { address, isUnassigned }: Sweepable,
): Promise<boolean> {
  const options = { coin, minimum: 1n, limit: 1, address };
  const rows = await (isUnassigned ? listUnassigned : listSweepable)(tx, network, options);
  return rows.length > 0;
}

/** Most addresses that a rescan adds have never had anything: the next look is for others. */
async function noteEmpty(
  ctx: Context,
  { network }: OwnNetwork,
  { coin }: CoinTerms,
  found: Sweepable,
): Promise<void> {
  if (found.isUnassigned) await noteSwept(ctx.db, network, found, coin);
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
      unsigned: composeEvm({ ...one, path: `${EVM_DEPOSIT_ACCOUNT}/0/${found.index}`, chainId }),
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
  { own, hot, rate, tip, terms, node }: Sweeping,
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
    await insertPayment(tx, {
      network: own.network,
      kind: 'gas',
      nonce,
      unsigned: composeEvm({
        path: `${EVM_HOT_ACCOUNT}/0/0`,
        chainId: own.chainId,
        nonce,
        to: address,
        value,
        gas: GAS.plain,
        rate,
        tip,
      }),
      fee: GAS.plain * rate,
      size: GAS.plain,
      outputs: [],
      ownOutputs: [{ ...output, index }],
      at: new Date(ctx.clock.now()),
    });
    await updateWallet(tx, own.network, { nextNonce: nonce + 1n });
  });
}
