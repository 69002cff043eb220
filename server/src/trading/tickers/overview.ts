// Everything that the pages of markets show of a market: its day, its names, and its prices hour by hour.
import { HOUR_MS } from '../../platform/std/time.ts';
import { formatAmount, formatAtLeast } from '../amount.ts';
import type { TradingContext } from '../context.ts';
import { selectMarkets } from '../markets/access.ts';
import type { Phase } from '../markets/market.ts';
import { toTicker } from './ticker.ts';

const HOURS = 24;

export interface MarketOverview {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Names of the base coin; its symbol where no coin is defined. */
  readonly nameEn: string;
  readonly nameFa: string;
  readonly phase: Phase;
  /** Why, in an operator's words; empty if nobody said so. */
  readonly phaseReason: string;
  /** Of the last trade; empty before the first, like high, low and the change. */
  readonly last: string;
  readonly high: string;
  readonly low: string;
  /** Of the last 24 hours. */
  readonly changePercent: string;
  /** Traded in the last 24 hours, in the base and in the quote coin. */
  readonly volume: string;
  readonly total: string;
  /** Units of 10^-18, to sort by. */
  readonly lastUnits: bigint;
  readonly totalUnits: bigint;
  /** The last price of each hour of the day that had a trade, oldest first. */
  readonly closes: readonly bigint[];
}

/** Lists every market, as old as public market data is. */
export async function listOverviews(ctx: TradingContext): Promise<MarketOverview[]> {
  const [statistics, { bySymbol: coins }, markets] = await Promise.all([
    ctx.statistics(),
    ctx.coins(),
    selectMarkets(ctx, undefined),
  ]);
  const sinceMs = statistics.timeMs - HOURS * HOUR_MS;
  return markets.map((market) => {
    const { symbol, base, quote, phase, phaseReason, quotePrecision } = market;
    const day = statistics.dayOf(symbol);
    const { units: lastPrice } = statistics.lastPriceOf(market);
    const { changePercent, high, low, volume } = toTicker(market, day, undefined, statistics);
    const coin = coins.get(base);
    return {
      symbol,
      base,
      quote,
      nameEn: coin?.nameEn ?? base.toUpperCase(),
      nameFa: coin?.nameFa ?? base.toUpperCase(),
      phase,
      phaseReason,
      last: lastPrice > 0n ? formatAtLeast(lastPrice, quotePrecision) : '',
      high,
      low,
      changePercent,
      volume,
      total: formatAmount(day.total),
      lastUnits: lastPrice,
      totalUnits: day.total,
      closes: statistics.listHourlyCloses(symbol, sinceMs),
    };
  });
}
