// The resolutions of candles: which are stored, which are summed from others, and where intervals
// begin. All in UTC; weeks begin on Monday, months on the first.
import { MINUTE_MS, HOUR_MS, DAY_MS } from '../../platform/std/time.ts';

/** Lengths of the candles that the projection keeps, in minutes. */
export const KEPT_MINUTES = [1, 60, 1440] as const;
export type KeptMinutes = (typeof KEPT_MINUTES)[number];

export const RESOLUTIONS = [
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

interface Fixed {
  readonly lengthMs: number;
  /** Where one of the intervals begins; 1970-01-05 was a Monday. */
  readonly anchorMs: number;
  readonly from: KeptMinutes;
}

const fixed = (lengthMs: number, from: KeptMinutes, anchorMs = 0): Fixed => ({
  lengthMs,
  anchorMs,
  from,
});

const FIXED: Readonly<Record<Exclude<Resolution, '1M'>, Fixed>> = {
  '1m': fixed(MINUTE_MS, 1),
  '3m': fixed(3 * MINUTE_MS, 1),
  '5m': fixed(5 * MINUTE_MS, 1),
  '15m': fixed(15 * MINUTE_MS, 1),
  '30m': fixed(30 * MINUTE_MS, 1),
  '1h': fixed(HOUR_MS, 60),
  '2h': fixed(2 * HOUR_MS, 60),
  '4h': fixed(4 * HOUR_MS, 60),
  '6h': fixed(6 * HOUR_MS, 60),
  '8h': fixed(8 * HOUR_MS, 60),
  '12h': fixed(12 * HOUR_MS, 60),
  '1d': fixed(DAY_MS, 1440),
  '3d': fixed(3 * DAY_MS, 1440),
  '1w': fixed(7 * DAY_MS, 1440, 4 * DAY_MS),
};

/** The stored candles that a resolution is summed from. */
export const keptFor = (resolution: Resolution): KeptMinutes =>
  resolution === '1M' ? 1440 : FIXED[resolution].from;

/**
 * How a query finds the interval of a stored candle: by length and a starting point, or by the
 * calendar.
 */
export const bucketOf = (
  resolution: Resolution,
): { readonly lengthMs: number; readonly anchorMs: number } | 'month' =>
  resolution === '1M' ? 'month' : FIXED[resolution];

/** The beginning of the interval that contains a moment. */
export function startOf(resolution: Resolution, ms: number): number {
  if (resolution === '1M') {
    const date = new Date(ms);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
  const { lengthMs, anchorMs } = FIXED[resolution];
  return ms - ((((ms - anchorMs) % lengthMs) + lengthMs) % lengthMs);
}

/**
 * The beginning of the interval `count` intervals after the one that begins at `startMs`; `count`
 * may be negative.
 */
export function shift(resolution: Resolution, startMs: number, count: number): number {
  if (resolution === '1M') {
    const date = new Date(startMs);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count);
  }
  return startMs + FIXED[resolution].lengthMs * count;
}
