// What the hot wallet can pay with. On EVM chains a node says what is there, and what payments under way will take comes off
// it: a transaction that cannot be paid for would hold up every later one.
import { parseAmount } from '../../amount.ts';
import type { ChainNode } from '../chains/chain.ts';
import { toChainUnits } from '../chains/units.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import type { OwnNetwork } from '../networks.ts';
import type { Committed } from './hot-store.ts';

/** Smallest units of the chain by contract; an empty one is the chain's own coin. */
export type Funds = Map<string, bigint>;

type Terms = ReadonlyMap<string, CoinTerms>;

/** The least that a node says, of the chain's own coin and of every token that leaves the wallet. */
export async function readFunds(
  { withdrawals, tiers }: OwnNetwork,
  nodes: readonly ChainNode[],
  hot: string,
  terms: Terms,
): Promise<Funds> {
  const named = Object.keys({ ...withdrawals, ...tiers });
  const contracts = new Set(['', ...named.flatMap((coin) => terms.get(coin)?.contract ?? [])]);
  const funds: Funds = new Map();
  for (const contract of contracts) {
    const asked = Promise.all(nodes.map((node) => node.balanceOf(hot, contract)));
    // A contract that does not say what is there holds up its own coin, and no other.
    const said = contract === '' ? await asked : await asked.catch(() => [0n]);
    funds.set(
      contract,
      said.reduce((low, one) => (one < low ? one : low)),
    );
  }
  return funds;
}

/** Without what payments under way take at most. Pure. */
export function withoutCommitted(
  funds: Funds,
  committed: readonly Committed[],
  terms: Terms,
): Funds {
  const left: Funds = new Map(funds);
  const take = (contract: string, units: bigint) =>
    left.set(contract, (left.get(contract) ?? 0n) - units);
  for (const { unsigned, outputs } of committed) {
    const { value, gas, maxFeePerGas } = JSON.parse(unsigned) as Fields;
    take('', BigInt(value) + BigInt(gas) * BigInt(maxFeePerGas));
    for (const { coin, amount } of outputs) {
      const term = terms.get(coin);
      const units = term && toChainUnits(parseAmount(amount) ?? 0n, term.decimals);
      if (term !== undefined && term.contract !== '') take(term.contract, units ?? 0n);
    }
  }
  return left;
}

interface Fields {
  readonly value: string;
  readonly gas: string;
  readonly maxFeePerGas: string;
}

export interface Bounds {
  readonly floor: bigint;
  readonly target: bigint;
  readonly ceiling: bigint;
  readonly cold: string;
}

/** The tier of a coin in smallest units; undefined where the file has none. */
export function boundsOf({ tiers }: OwnNetwork, term: CoinTerms): Bounds | undefined {
  const tier = tiers[term.coin];
  if (tier === undefined) return undefined;
  // What is finer than the chain is rounded down: a bound is no payment.
  const unitsOf = (text: string) => {
    const amount = parseAmount(text) ?? 0n;
    return term.decimals >= 18
      ? amount * 10n ** BigInt(term.decimals - 18)
      : amount / 10n ** BigInt(18 - term.decimals);
  };
  const { floor, target, ceiling, cold } = tier;
  return { floor: unitsOf(floor), target: unitsOf(target), ceiling: unitsOf(ceiling), cold };
}
