// Candles of one market and one interval, oldest first, each open time once. Pure.
import type { Candle } from '@rialto/sdk';
import type { Interval } from '../address.ts';

const MINUTE_MS = 60_000;

export const INTERVAL_MS: Readonly<Record<Interval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
  '1d': 1440 * MINUTE_MS,
};

/** More than a screen shows; the oldest go first. */
const KEPT_MAX = 5000;

export const openMs = ({ time }: Candle): number => Number(time);

/** Of two pictures of one interval, the one with more trades is younger; with as many, the closed one. */
function younger(a: Candle, b: Candle): Candle {
  const [first, second] = [BigInt(a.tradeCount), BigInt(b.tradeCount)];
  if (first !== second) return first > second ? a : b;
  return a.isClosed && !b.isClosed ? a : b;
}

/** Both together. What did not change stays the same object. */
export function mergeCandles(known: readonly Candle[], more: readonly Candle[]): readonly Candle[] {
  const byTime = new Map(known.map((candle) => [openMs(candle), candle]));
  for (const candle of more) {
    const other = byTime.get(openMs(candle));
    byTime.set(openMs(candle), other === undefined ? candle : younger(other, candle));
  }
  return [...byTime.values()].sort((a, b) => openMs(a) - openMs(b)).slice(-KEPT_MAX);
}

/** The open time of the last interval that is over: everything after it may have changed. */
export const lastClosedMs = (candles: readonly Candle[]): number | undefined => {
  const last = candles.findLast(({ isClosed }) => isClosed);
  return last && openMs(last);
};

/** A place on the axis: with a candle, or empty because nothing was traded then. */
export interface Place {
  readonly openMs: number;
  readonly candle: Candle | undefined;
}

/** Every interval from the first to the last, also those in which nothing happened. */
export function layOut(candles: readonly Candle[], intervalMs: number): readonly Place[] {
  const places: Place[] = [];
  for (const candle of candles) {
    const at = openMs(candle);
    const before = places.at(-1)?.openMs;
    for (let gap = (before ?? at) + intervalMs; gap < at && places.length < KEPT_MAX;) {
      places.push({ openMs: gap, candle: undefined });
      gap += intervalMs;
    }
    places.push({ openMs: at, candle: candle.tradeCount === '0' ? undefined : candle });
  }
  return places;
}

/** From which place on two layouts differ; undefined if they are the same. */
export function firstChange(before: readonly Place[], after: readonly Place[]): number | undefined {
  if (after.length < before.length) return 0;
  for (let at = 0; at < after.length; at += 1) {
    const [old, now] = [before[at], after[at]];
    if (old?.openMs !== now?.openMs || old?.candle !== now?.candle) return at;
  }
  return undefined;
}
