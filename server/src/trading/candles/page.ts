// The candles of a span: the newer part from memory, and what of the older part is needed. Pure.
import type { RecentCandles } from '../replica/fold.ts';
import type { Span, TradedInterval } from './candle.ts';
import { shift, startOf, type Resolution } from './resolution.ts';

export interface CandlePlan {
  /** Intervals with trades, oldest first; the first may lack what is older than memory. */
  readonly newer: readonly TradedInterval[];
  /** The last price before the span; unknown while an older part is needed. */
  readonly previousClose: bigint | undefined;
  /** Undefined if memory has all of the span. */
  readonly older: OlderPart | undefined;
}

export interface OlderPart {
  /** Stored candles that begin before this moment are missing. */
  readonly beforeMs: number;
  /** The tables need to have this engine event; otherwise trades would be missing between both parts. */
  readonly engineSeq: number;
}

/** `kept` has the candles of the length that the resolution is summed from. */
export function planCandles(kept: RecentCandles, resolution: Resolution, span: Span): CandlePlan {
  const { firstMs, lastMs } = span;
  const endMs = shift(resolution, lastMs, 1);
  const { fromMs, older } = kept;
  const first = kept.candles.findIndex(({ startMs }) => startMs >= firstMs);
  const from = first === -1 ? kept.candles.length : first;
  const own = kept.candles.slice(from).filter(({ startMs }) => startMs < endMs);
  const newer = sumUp(resolution, own);
  if (older === undefined || firstMs >= fromMs) {
    const previousClose = kept.candles[from - 1]?.close ?? older?.close;
    return { newer, previousClose, older: undefined };
  }
  const { engineSeq } = older;
  return { newer, previousClose: undefined, older: { beforeMs: fromMs, engineSeq } };
}

/** Intervals of a resolution from candles that follow each other. */
function sumUp(resolution: Resolution, candles: readonly TradedInterval[]): TradedInterval[] {
  const summed: TradedInterval[] = [];
  for (const candle of candles) append(summed, startOf(resolution, candle.startMs), candle);
  return summed;
}

/** The older and the newer part as one: the interval in which memory begins is in both. */
export function joinParts(
  older: readonly TradedInterval[],
  newer: readonly TradedInterval[],
): TradedInterval[] {
  const joined = [...older];
  for (const interval of newer) append(joined, interval.startMs, interval);
  return joined;
}

function append(intervals: TradedInterval[], startMs: number, next: TradedInterval): void {
  const last = intervals.at(-1);
  if (last?.startMs !== startMs) {
    const { open, high, low, close, volume, total, tradeCount } = next;
    intervals.push({ startMs, open, high, low, close, volume, total, tradeCount });
    return;
  }
  intervals[intervals.length - 1] = {
    startMs,
    open: last.open,
    high: next.high > last.high ? next.high : last.high,
    low: next.low < last.low ? next.low : last.low,
    close: next.close,
    volume: last.volume + next.volume,
    total: last.total + next.total,
    tradeCount: last.tradeCount + next.tradeCount,
  };
}
