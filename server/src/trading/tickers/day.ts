// The last 24 hours of a market, from the candles in memory. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/std/time.ts';
import type { MarketMemory } from '../replica/fold.ts';
import type { DayStatistics } from './ticker.ts';

/** Where the 24 hours begin: at a minute. */
export const openOf = (nowMs: number): number =>
  Math.floor((nowMs - DAY_MS) / MINUTE_MS) * MINUTE_MS;

/**
 * The trades from a moment, which begins a minute: minutes up to the next full hour, then hours, so that a market costs
 * some eighty candles and not 1,440.
 */
export function sumDay(candles: MarketMemory['candles'], openMs: number): DayStatistics {
  const hourMs = Math.ceil(openMs / HOUR_MS) * HOUR_MS;
  const minutes = candles[1];
  const first = minutes.candles.findIndex(({ startMs }) => startMs >= openMs);
  const from = first === -1 ? minutes.candles.length : first;
  const previousClose = minutes.candles[from - 1]?.close ?? minutes.older?.close;
  let open: bigint | undefined;
  let high: bigint | undefined;
  let low: bigint | undefined;
  let last = previousClose;
  let volume = 0n;
  let total = 0n;
  let tradeCount = 0n;
  const own = [
    ...minutes.candles.slice(from).filter(({ startMs }) => startMs < hourMs),
    ...candles[60].candles.filter(({ startMs }) => startMs >= hourMs),
  ];
  for (const candle of own) {
    open ??= candle.open;
    if (high === undefined || candle.high > high) high = candle.high;
    if (low === undefined || candle.low < low) low = candle.low;
    last = candle.close;
    volume += candle.volume;
    total += candle.total;
    tradeCount += candle.tradeCount;
  }
  return { open, high, low, last, previousClose, volume, total, tradeCount };
}
