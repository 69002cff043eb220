// What a market cost at some moment, from its candles of one minute. The price of a moment is the last one of the minutes
// before it: never one that its reader could not have known.
import type { Candle, Trading } from '@rialto/sdk';

export type CandleSource = (
  symbol: string,
  span: { readonly from: number; readonly to: number },
) => Promise<readonly Pick<Candle, 'time' | 'close'>[]>;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The oldest is forgotten first. */
const HOURS_KEPT = 200;

export interface PriceHistory {
  /** Undefined where nothing was traded in the two hours before. */
  priceAt(symbol: string, atMs: number): Promise<string | undefined>;
}

export function createPriceHistory(
  source: CandleSource,
  nowMs: () => number = Date.now,
): PriceHistory {
  const hours = new Map<string, ReturnType<CandleSource>>();
  const hourOf = (symbol: string, startMs: number): ReturnType<CandleSource> => {
    const key = `${symbol} ${startMs}`;
    const known = hours.get(key);
    if (known !== undefined) return known;
    const asked = source(symbol, { from: startMs, to: startMs + HOUR_MS });
    hours.set(key, asked);
    const forget = () => hours.delete(key);
    asked.catch(forget);
    // An hour that is not over yet gets more candles: it is asked again.
    if (startMs + HOUR_MS > nowMs()) setTimeout(forget, MINUTE_MS);
    for (const [oldest] of hours) {
      if (hours.size <= HOURS_KEPT) break;
      hours.delete(oldest);
    }
    return asked;
  };
  return {
    async priceAt(symbol, atMs) {
      const hour = Math.floor(atMs / HOUR_MS) * HOUR_MS;
      for (const start of [hour, hour - HOUR_MS]) {
        const price = lastBefore(await hourOf(symbol, start), atMs);
        if (price !== undefined) return price;
      }
      return undefined;
    },
  };
}

/** The close of the last candle that was over by then. */
export function lastBefore(
  candles: readonly Pick<Candle, 'time' | 'close'>[],
  atMs: number,
): string | undefined {
  const over = candles.filter(({ time }) => Number(time) + MINUTE_MS <= atMs);
  const latest = over.reduce<(typeof over)[number] | undefined>(
    (last, one) => (last === undefined || Number(one.time) > Number(last.time) ? one : last),
    undefined,
  );
  return latest?.close === '' ? undefined : latest?.close;
}

export const candlesOf =
  (trading: Trading): CandleSource =>
  (symbol, { from, to }) =>
    trading.public.candlesticks({ symbol, resolution: '1m', from, to, limit: 60 });
