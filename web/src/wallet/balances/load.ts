// What the page of balances asks for, in one go.
import type { Balance, Trading } from '@rialto/sdk';
import type { CoinName } from './derive.ts';
import type { Pair } from './value.ts';

export interface Loaded {
  readonly accountId: string;
  readonly balances: readonly Balance[];
  readonly names: ReadonlyMap<string, CoinName>;
  readonly pairs: readonly Pair[];
  /** Decimals of prices in a quote coin: the finest of its markets. */
  readonly quoteDecimals: ReadonlyMap<string, number>;
}

export async function loadBalances(trading: Trading, signal: AbortSignal): Promise<Loaded> {
  const [info, balances, coins, markets, tickers] = await Promise.all([
    trading.account.info({}, { signal }),
    trading.account.balances({}, { signal }),
    trading.public.coinsInfo({}, { signal }),
    trading.public.markets({}, { signal }),
    trading.public.tickers({}, { signal }),
  ]);
  const lasts = new Map(tickers.map(({ symbol, last }) => [symbol, last]));
  const quoteDecimals = new Map<string, number>();
  for (const { quote, quotePrecision } of markets) {
    // Values are for reading: two decimals are enough even where prices have more.
    quoteDecimals.set(quote, Math.min(2, Number(quotePrecision)));
  }
  return {
    accountId: info.accountId,
    balances,
    names: new Map(coins.map((coin) => [coin.symbol, coin])),
    pairs: markets.map(({ symbol, base, quote }) => ({
      symbol,
      base,
      quote,
      last: lasts.get(symbol) ?? '',
    })),
    quoteDecimals,
  };
}
