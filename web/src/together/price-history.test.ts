import { describe, expect, it, vi } from 'vitest';
import { createPriceHistory, lastBefore } from './price-history.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const candle = (minute: number, close: string) => ({
  time: String(10 * HOUR + minute * MINUTE),
  close,
});

describe('the price of a moment', () => {
  const candles = [candle(2, '102'), candle(0, '100'), candle(1, '101')];

  it('is the close of the last minute that was over', () => {
    expect(lastBefore(candles, 10 * HOUR + 2 * MINUTE)).toBe('101');
    expect(lastBefore(candles, 10 * HOUR + 3 * MINUTE - 1)).toBe('101');
    expect(lastBefore(candles, 10 * HOUR + 3 * MINUTE)).toBe('102');
  });

  it('is unknown before the first', () => {
    expect(lastBefore(candles, 10 * HOUR + 59_999)).toBeUndefined();
    expect(lastBefore([], 10 * HOUR)).toBeUndefined();
  });
});

describe('a history', () => {
  it('asks once for each hour, and looks into the hour before if it has to', async () => {
    const source = vi.fn(async (_symbol: string, { from }: { from: number }) =>
      from === 10 * HOUR ? [candle(59, '110')] : [],
    );
    const history = createPriceHistory(source, () => 20 * HOUR);
    expect(await history.priceAt('btcusdt', 11 * HOUR + 5)).toBe('110');
    expect(await history.priceAt('btcusdt', 11 * HOUR + 9 * MINUTE)).toBe('110');
    expect(source.mock.calls.map(([, { from }]) => from)).toEqual([11 * HOUR, 10 * HOUR]);
  });

  it('asks again after a failure', async () => {
    const source = vi
      .fn<() => Promise<ReturnType<typeof candle>[]>>()
      .mockRejectedValueOnce(new Error('no network'))
      .mockResolvedValue([candle(0, '100')]);
    const history = createPriceHistory(source, () => 20 * HOUR);
    await expect(history.priceAt('btcusdt', 10 * HOUR + 5 * MINUTE)).rejects.toThrow();
    expect(await history.priceAt('btcusdt', 10 * HOUR + 5 * MINUTE)).toBe('100');
  });
});
