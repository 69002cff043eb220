// A short summary of each market, for the web pages.

import { formatAtLeast } from '../amount.ts';
import type { TradingContext } from '../context.ts';
import { selectMarkets } from '../markets/access.ts';
import { toTicker } from './ticker.ts';

/** What a page shows of a market. */
export interface Price {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Of the last trade; empty before the first. */
  readonly last: string;
  /** Of the last 24 hours; empty without a trade. */
  readonly changePercent: string;
  readonly isOpen: boolean;
}

/** Every listed market with its last price, as old as public market data is. */
export async function listPrices(ctx: TradingContext): Promise<Price[]> {
  const statistics = await ctx.statistics();
  const markets = await selectMarkets(ctx, undefined);
  return markets.map((market) => {
    const { symbol, base, quote, phase, quotePrecision } = market;
    const day = statistics.dayOf(symbol);
    const { units } = statistics.lastPriceOf(market);
    const { changePercent } = toTicker(market, day, undefined, statistics);
    const last = units > 0n ? formatAtLeast(units, quotePrecision) : '';
    return { symbol, base, quote, last, changePercent, isOpen: phase === 'continuous' };
  });
}
