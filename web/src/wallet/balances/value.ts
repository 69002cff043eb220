// What coins are worth in another one, by the last prices. Exact decimals; what has no price has no value.
import { decimal } from '@rialto/sdk';

export interface Pair {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Of the last trade; empty before the first. */
  readonly last: string;
}

export interface Price {
  readonly price: string;
  /** The markets whose prices were taken, in order; none for the coin itself. */
  readonly via: readonly string[];
}

/** Enough for a rate of the cheapest coin in the dearest one. */
const RATE_DECIMALS = 18;

/** The price of one `coin` in `quote`: of their own market, or over one other coin. */
export function priceOf(coin: string, quote: string, pairs: readonly Pair[]): Price | undefined {
  if (coin === quote) return { price: '1', via: [] };
  const direct = directPrice(coin, quote, pairs);
  if (direct !== undefined) return direct;
  for (const middle of quotesOf(pairs)) {
    const first = directPrice(coin, middle, pairs);
    const second = directPrice(middle, quote, pairs);
    if (first !== undefined && second !== undefined) {
      return {
        price: decimal.multiply(first.price, second.price),
        via: [...first.via, ...second.via],
      };
    }
  }
  return undefined;
}

function directPrice(coin: string, quote: string, pairs: readonly Pair[]): Price | undefined {
  for (const { symbol, base, quote: own, last } of pairs) {
    if (last === '' || decimal.isZero(last)) continue;
    if (base === coin && own === quote) return { price: last, via: [symbol] };
    if (base === quote && own === coin) {
      return { price: decimal.divide('1', last, RATE_DECIMALS), via: [symbol] };
    }
  }
  return undefined;
}

/** Coins that others are priced in, the most used first. */
export function quotesOf(pairs: readonly Pair[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { quote } of pairs) counts.set(quote, (counts.get(quote) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([quote]) => quote);
}

/** Cut to so many decimals, never rounded up. */
export const cut = (amount: string, decimals: number): string =>
  decimal.roundDown(amount, decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`);

/** How many decimals a decimal has. */
export const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;
