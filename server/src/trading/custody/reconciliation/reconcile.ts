// Compares a network with the ledger, coin by coin. One transaction reads what the venue says, as of the newest block that
// has all confirmations; then every node is asked for that block. What is missing stops the coin in the commit of the report.
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { pause } from '../../../platform/std/wait.ts';
import { AMOUNT_DECIMALS, parseAmount } from '../../amount.ts';
import { listCoinDefinitions } from '../../coins/access.ts';
import { listVenueAddresses } from '../addresses/access.ts';
import type { BlockRef, ChainNode } from '../chains/chain.ts';
import { toChainUnits } from '../chains/units.ts';
import { listColdOutputs, type ColdOutput } from '../cold/access.ts';
import { termsOf, type CoinTerms } from '../deposits/rules.ts';
import type { OwnNetwork } from '../networks.ts';
import { findBlock, findNetwork } from '../watch/access.ts';
import {
  differenceOf,
  FINE_DECIMALS,
  formatFine,
  outcomeOf,
  toFine,
  type Compared,
  type Terms,
} from './difference.ts';
import {
  Postponed,
  readDecimals,
  readEvmHoldings,
  readUtxoHoldings,
  sumOf,
  type Holdings,
} from './holdings.ts';
import {
  hasReversals,
  listHeldOutputs,
  readJournalSeq,
  readLedgerTerms,
  type HeldOutput,
  type LedgerTerms,
} from './ledger-store.ts';
import { insertReport, type NewReport } from './report-store.ts';
import { stopCoin } from './stop.ts';

/** A chain that grows meanwhile is asked again. */
const TRIES_MAX = 5;
const TRY_AGAIN_MS = 1000;
const PAGE_OUTPUTS = 1000;

export interface Comparing {
  readonly own: OwnNetwork;
  readonly nodes: readonly ChainNode[];
}

/** What was found about a coin on a network. */
export interface Comparison {
  readonly network: string;
  readonly coin: string;
  readonly block: BlockRef;
  readonly journalSeq: bigint;
  readonly decimals: number;
  readonly holdings: Holdings;
  readonly terms: Terms;
  readonly difference: bigint;
  readonly outcome: Compared;
}

export interface Reconciled {
  readonly compared: readonly Comparison[];
  /** Whether every coin could be compared. */
  readonly isWhole: boolean;
}

/** The coins of a network, each with its report. */
export async function reconcileNetwork(ctx: Context, comparing: Comparing): Promise<Reconciled> {
  const { network } = comparing.own;
  const coins = [...termsOf(await listCoinDefinitions(ctx.db), network).values()];
  const found: Comparison[] = [];
  for (const coin of coins) {
    const compared = await compareCoin(ctx, comparing, coin).catch((error: unknown) => {
      if (error instanceof Postponed) return error;
      // A node that is silent or odd is the watcher's to tell, and here a reason to wait.
      ctx.log.warn({ err: error, network, coin: coin.coin }, 'A coin could not be compared.');
      return new Postponed('node_down', { cause: error });
    });
    await record(ctx, { network, coin: coin.coin }, compared);
    if (!(compared instanceof Postponed)) found.push(compared);
  }
  return { compared: found, isWhole: found.length === coins.length };
}

async function compareCoin(
  ctx: Context,
  comparing: Comparing,
  coin: CoinTerms,
): Promise<Comparison> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await compareOnce(ctx, comparing, coin);
    } catch (error) {
      const isPassing = error instanceof Postponed && error.reason === 'chain_moves';
      if (!isPassing || tries === TRIES_MAX) throw error;
      await pause(TRY_AGAIN_MS);
    }
  }
}

interface Snapshot {
  readonly scanned: BlockRef;
  readonly block: BlockRef;
  readonly journalSeq: bigint;
  readonly ledger: LedgerTerms;
  readonly addresses: ReadonlyMap<string, string>;
  readonly outputs: readonly HeldOutput[];
  readonly cold: readonly ColdOutput[];
}

async function compareOnce(
  ctx: Context,
  { own, nodes }: Comparing,
  coin: CoinTerms,
): Promise<Comparison> {
  const snapshot = await ctx.inTransaction((tx) => takeSnapshot(ctx, tx, own, coin), {
    isolation: 'repeatable read',
  });
  const { block, journalSeq, ledger } = snapshot;
  const answers = await Promise.all(nodes.map((node) => askNode(node, own, coin, snapshot)));
  const [first] = answers;
  if (first === undefined) throw new Postponed('node_down');
  const { holdings, decimals } = first;
  if (answers.some((one) => one.decimals !== decimals || sumOf(one.holdings) !== sumOf(holdings))) {
    throw new Postponed('nodes_disagree');
  }
  const terms = toTerms(ledger, sumOf(holdings), decimals);
  const difference = differenceOf(terms);
  const { network } = own;
  const outcome = outcomeOf(difference);
  return {
    network,
    coin: coin.coin,
    block,
    journalSeq,
    decimals,
    holdings,
    terms,
    difference,
    outcome,
  };
}

/** All that the venue says, as of one moment. */
async function takeSnapshot(
  ctx: Context,
  tx: Db,
  own: OwnNetwork,
  { coin, contract, confirmations }: CoinTerms,
): Promise<Snapshot> {
  const { network, ownChain } = own;
  const state = await findNetwork(tx, network);
  if (state === undefined) throw new Postponed('not_watched');
  if (state.status === 'paused') throw new Postponed(`paused: ${state.reason}`);
  if (await hasReversals(tx, network)) throw new Postponed('reversal');
  const { scanned } = state;
  // The newest block with all confirmations: what is credited is in it or below.
  const block = await findBlock(tx, network, scanned.height - confirmations + 1);
  if (block === undefined) throw new Postponed('too_early');
  const { height } = block;
  const rows = await listVenueAddresses(ctx, tx, network);
  const pays = Object.keys({ ...own.withdrawals, ...own.sweeps }).length > 0;
  if (ownChain.family === 'evm' && pays && !rows.some(({ purpose }) => purpose === 'hot')) {
    throw new Postponed('hot_wallet_unknown');
  }
  return {
    scanned,
    block,
    journalSeq: await readJournalSeq(tx),
    ledger: await readLedgerTerms(tx, { network, coin, height, isNative: contract === '' }),
    addresses: new Map(rows.map((row) => [`${row.purpose}/${row.index}`, row.address])),
    outputs: ownChain.family === 'utxo' ? await listOutputs(tx, network, height) : [],
    cold: ownChain.family === 'utxo' ? await listColdOutputs(tx, network, height) : [],
  };
}

async function listOutputs(tx: Db, network: string, height: number): Promise<HeldOutput[]> {
  const outputs: HeldOutput[] = [];
  for (let after = { txid: '', vout: 0 }; ;) {
    const page = await listHeldOutputs(tx, network, height, { after, limit: PAGE_OUTPUTS });
    outputs.push(...page);
    if (page.length < PAGE_OUTPUTS) return outputs;
    after = page.at(-1) ?? after;
  }
}

async function askNode(
  node: ChainNode,
  { ownChain, tiers }: OwnNetwork,
  coin: CoinTerms,
  { scanned, block, addresses, outputs, cold }: Snapshot,
): Promise<{ readonly holdings: Holdings; readonly decimals: number }> {
  if ((await node.hashAt(block.height)) !== block.hash) throw new Postponed('chain_moves');
  if (ownChain.family === 'evm') {
    const decimals = await readDecimals(node, block, coin);
    // What is finer is no unit of ours; the definition of the coin refuses it too.
    if (decimals > FINE_DECIMALS) throw new Postponed('decimals');
    // The cold wallet belongs to the venue too, though no key of it is near.
    const aside = tiers[coin.coin]?.cold;
    const all = [...new Set([...addresses.values(), ...(aside === undefined ? [] : [aside])])];
    return { decimals, holdings: await readEvmHoldings(node, block, coin, all) };
  }
  const placed = outputs.map((output) => ({
    ...output,
    address: addresses.get(`${output.purpose}/${output.index}`),
  }));
  return {
    decimals: coin.decimals,
    holdings: await readUtxoHoldings(node, scanned, [
      ...placed,
      ...cold.map(({ amount, ...output }) => ({
        ...output,
        units: toChainUnits(parseAmount(amount) ?? 0n, coin.decimals) ?? 0n,
      })),
    ]),
  };
}

function toTerms(ledger: LedgerTerms, units: bigint, decimals: number): Terms {
  const ofChain = (count: bigint) => toFine(count, decimals);
  const ofLedger = (amount: bigint) => toFine(amount, AMOUNT_DECIMALS);
  return {
    onChain: ofChain(units),
    custody: ofLedger(ledger.custody),
    uncredited:
      ofChain(ledger.untoldUnits) + ofLedger(ledger.creditsPending - ledger.creditedLater),
    unsettled: ofLedger(ledger.paidUntold + ledger.settlementsPending - ledger.settledLater),
    costs: ofChain(ledger.costsUntoldUnits) + ofLedger(ledger.costsPending - ledger.costsLater),
  };
}

/** For a graph and an alarm, where the last digits do not matter. */
export function tellDifference(
  { metrics }: Pick<Context, 'metrics'>,
  {
    network,
    coin,
    difference,
    at,
  }: {
    readonly network: string;
    readonly coin: string;
    readonly difference: bigint;
    readonly at: Date;
  },
): void {
  metrics.custodyDifference({ network, coin }, Number(difference) / 10 ** FINE_DECIMALS, at);
}

/** The report and what follows from it are one commit. */
async function record(
  ctx: Context,
  place: { readonly network: string; readonly coin: string },
  compared: Comparison | Postponed,
): Promise<void> {
  const at = new Date(ctx.clock.now());
  if (compared instanceof Postponed) {
    const { reason } = compared;
    await insertReport(ctx.db, { ...place, at, outcome: 'postponed', reason });
    return;
  }
  const { outcome, difference, terms, block, journalSeq } = compared;
  const report: NewReport = {
    ...place,
    at,
    outcome,
    height: block.height,
    blockHash: block.hash,
    journalSeq,
    terms,
    difference,
  };
  const stopped = await ctx.inTransaction(async (tx) => {
    const reportId = await insertReport(tx, report);
    return outcome === 'shortfall' ? stopCoin(tx, { ...place, reportId, at }) : [];
  });
  if (stopped.length > 0) ringEngine(ctx);
  tellDifference(ctx, { ...place, difference, at });
  if (outcome === 'equal') return;
  const about = { ...place, difference: formatFine(difference), block, stopped };
  if (outcome === 'surplus') {
    ctx.log.error(
      about,
      'There is more on the chain than the ledger knows of. Find out whose it is.',
    );
    return;
  }
  ctx.log.error(
    about,
    'Coins are missing on the chain. Withdrawals of the coin are paused, and its markets only cancel, until operators let them run after a comparison without a difference.',
  );
}
