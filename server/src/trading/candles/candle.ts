// Fills stored candles to intervals without gaps. An interval without trades repeats the close
// before it, so charts and indicators need no logic for gaps.
import { Type, type Static } from 'typebox';
import { formatAmount, formatAtLeast } from '../amount.ts';
import type { Precision } from '../books/print.ts';
import { Count, Decimal, Millis } from '../values.ts';
import { shift, startOf, type Resolution } from './resolution.ts';

export const Candle = Type.Object(
  {
    time: Millis('When the interval begins.'),
    open: Decimal('Price of the first trade; without trades, the close before.'),
    high: Decimal('Highest price.'),
    low: Decimal('Lowest price.'),
    close: Decimal('Price of the last trade.'),
    volume: Decimal('Traded volume, in the base currency.'),
    total: Decimal('Traded value, in the quote currency.'),
    tradeCount: Count('Number of trades.'),
    isClosed: Type.Boolean({ description: 'Whether the interval is over.' }),
  },
  { title: 'Candle' },
);
export type Candle = Static<typeof Candle>;

/** An interval with trades; amounts in units of 10^-18. */
export interface TradedInterval {
  readonly startMs: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
  readonly total: bigint;
  readonly tradeCount: bigint;
}

/** Candles of one length, from a moment on. */
export interface CandlesSince {
  /** The last price before the moment; undefined when there was none. */
  readonly previousClose: bigint | undefined;
  /** Oldest first. */
  readonly candles: readonly TradedInterval[];
}

/** First and last interval of an answer, by their start. */
export interface Span {
  readonly firstMs: number;
  readonly lastMs: number;
}

export interface SpanRequest {
  readonly resolution: Resolution;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly nowMs: number;
}

/**
 * The requested intervals: those that begin at or after `from` and before `to`, from the oldest;
 * without `from`, the last `limit` of them. None begins in the future. Undefined when there is
 * none.
 */
export function spanOf({ resolution, from, to, limit, nowMs }: SpanRequest): Span | undefined {
  const end = Math.min(to ?? Number.POSITIVE_INFINITY, nowMs + 1);
  const newestMs = startOf(resolution, end - 1);
  if (from === undefined) {
    return { firstMs: shift(resolution, newestMs, 1 - limit), lastMs: newestMs };
  }
  const holding = startOf(resolution, from);
  const firstMs = holding === from ? from : shift(resolution, holding, 1);
  if (firstMs > newestMs) return undefined;
  return { firstMs, lastMs: Math.min(newestMs, shift(resolution, firstMs, limit - 1)) };
}

/**
 * Fills the gaps. Nothing comes before the market's first trade, when `previousClose` is unknown.
 */
export function fillGaps(
  resolution: Resolution,
  { firstMs, lastMs }: Span,
  traded: readonly TradedInterval[],
  previousClose: bigint | undefined,
): TradedInterval[] {
  const filled: TradedInterval[] = [];
  let close = previousClose;
  let next = 0;
  for (let startMs = firstMs; startMs <= lastMs; startMs = shift(resolution, startMs, 1)) {
    const found = traded[next];
    if (found?.startMs === startMs) {
      filled.push(found);
      close = found.close;
      next += 1;
    } else if (close !== undefined) {
      const prices = { open: close, high: close, low: close, close };
      filled.push({ startMs, ...prices, volume: 0n, total: 0n, tradeCount: 0n });
    }
  }
  return filled;
}

export function toCandle(
  interval: TradedInterval,
  { quotePrecision, basePrecision }: Precision,
  resolution: Resolution,
  nowMs: number,
): Candle {
  const price = (units: bigint) => formatAtLeast(units, quotePrecision);
  return {
    time: String(interval.startMs),
    open: price(interval.open),
    high: price(interval.high),
    low: price(interval.low),
    close: price(interval.close),
    volume: formatAtLeast(interval.volume, basePrecision),
    total: formatAmount(interval.total),
    tradeCount: String(interval.tradeCount),
    isClosed: shift(resolution, interval.startMs, 1) <= nowMs,
  };
}
