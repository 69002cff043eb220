// What the venue holds on a chain as of a block, by the word of a node: of the Bitcoin family the outputs that the watcher
// knows, each of which the node must still have; of EVM chains the balances of every address.
import type { BlockRef, ChainNode } from '../chains/chain.ts';
import { OddAnswer } from '../chains/chain.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import type { HeldOutput } from './ledger-store.ts';

/** Smallest units by address, without those that have none. */
export type Holdings = ReadonlyMap<string, bigint>;

export const sumOf = (holdings: Holdings): bigint =>
  [...holdings.values()].reduce((sum, units) => sum + units, 0n);

/** Why nothing can be compared now; the next run tries again. */
export class Postponed extends Error {
  override name = 'Postponed';
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(`Nothing can be compared now: ${reason}.`, options);
    this.reason = reason;
  }
}

/**
 * Outputs are asked for as they are at the tip, so the tip must be the block to which the watcher has read, before and
 * after: what one of our payments has spent since the block counts, and what anybody else has spent does not.
 */
export async function readUtxoHoldings(
  node: ChainNode,
  scanned: BlockRef,
  outputs: readonly (Pick<HeldOutput, 'txid' | 'vout' | 'units' | 'isSpentLater'> & {
    readonly address: string | undefined;
  })[],
): Promise<Holdings> {
  await requireTip(node, scanned);
  const open = outputs.filter(({ isSpentLater }) => !isSpentLater);
  const answers = await node.unspentOf(open);
  await requireTip(node, scanned);
  const holdings = new Map<string, bigint>();
  const add = (address: string, units: bigint) =>
    holdings.set(address, (holdings.get(address) ?? 0n) + units);
  for (const [n, { address }] of open.entries()) {
    const found = answers[n];
    // Spent by somebody else, or at no address of ours whatever the table says.
    if (found === undefined || address === undefined || found.address !== address) continue;
    add(address, found.units);
  }
  for (const { address, units } of outputs.filter(({ isSpentLater }) => isSpentLater)) {
    if (address !== undefined) add(address, units);
  }
  return holdings;
}

async function requireTip(node: ChainNode, { hash }: BlockRef): Promise<void> {
  if ((await node.tip()).hash !== hash) throw new Postponed('chain_moves');
}

export async function readEvmHoldings(
  node: ChainNode,
  block: BlockRef,
  { contract }: Pick<CoinTerms, 'contract'>,
  addresses: readonly string[],
): Promise<Holdings> {
  const balances = await node.balancesAt(addresses, contract, block);
  if (balances.length !== addresses.length) throw new OddAnswer('A balance is missing.');
  return new Map(
    addresses.flatMap((address, n): [string, bigint][] => {
      const units = balances[n] ?? 0n;
      return units === 0n ? [] : [[address, units]];
    }),
  );
}

/** How the chain counts a coin. A token says so itself: the definition of the coin may be wrong, and is what is checked. */
export async function readDecimals(
  node: ChainNode,
  block: BlockRef,
  { contract, decimals }: Pick<CoinTerms, 'contract' | 'decimals'>,
): Promise<number> {
  if (contract === '') return decimals;
  return (await node.decimalsAt(contract, block)) ?? decimals;
}
