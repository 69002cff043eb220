import type { Clock } from '../../platform/std/clock.ts';
import type { MarketDefinition } from '../markets/market.ts';
import type { LastPrice, Memory } from '../replica/fold.ts';
import type { Replica } from '../replica/reader.ts';
import { openOf, sumDay } from './day.ts';
import type { DayStatistics } from './ticker.ts';

export interface Statistics {
  readonly timeMs: number;
  readonly openMs: number;
  /** The last 24 hours of a market. */
  dayOf(symbol: string): DayStatistics;
  /** The price of its last trade. */
  lastPriceOf(market: MarketDefinition): LastPrice;
  /** The last price of each hour with a trade, oldest first. */
  listHourlyCloses(symbol: string, sinceMs: number): readonly bigint[];
}

/** The last 24 hours of every market at the moment of the call. Days that have not changed since are summed once. */
export function openStatistics(replica: Replica, clock: Clock): () => Promise<Statistics> {
  let memory: Memory | undefined;
  let seq = -1;
  let summedFromMs = 0;
  let days = new Map<string, DayStatistics>();
  return async () => {
    const current = await replica.present();
    const timeMs = Math.floor(clock.now());
    const openMs = openOf(timeMs);
    if (memory !== current || seq !== current.seq || summedFromMs !== openMs) {
      days = new Map();
      memory = current;
      ({ seq } = current);
      summedFromMs = openMs;
    }
    const summed = days;
    return {
      timeMs,
      openMs,
      dayOf(symbol) {
        const known = summed.get(symbol);
        if (known !== undefined) return known;
        const day = sumDay(current.market(symbol).candles, openMs);
        summed.set(symbol, day);
        return day;
      },
      // What has not changed since the start stands in the definition.
      lastPriceOf: ({ symbol, lastPrice, lastTradeMs }) =>
        current.market(symbol).lastPrice ?? { units: lastPrice, timeMs: lastTradeMs },
      listHourlyCloses: (symbol, sinceMs) =>
        current
          .market(symbol)
          .candles[60].candles.filter(({ startMs }) => startMs >= sinceMs)
          .map(({ close }) => close),
    };
  };
}

/** Of a market that nothing is known of yet. */
export const NO_TRADES: DayStatistics = {
  open: undefined,
  high: undefined,
  low: undefined,
  last: undefined,
  previousClose: undefined,
  volume: 0n,
  total: 0n,
  tradeCount: 0n,
};
