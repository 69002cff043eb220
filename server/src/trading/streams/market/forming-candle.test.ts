import { describe, expect, it } from 'vitest';
import { Random } from '../../../../../packages/matching/sim/random.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/std/time.ts';
import { fillGaps, type TradedInterval } from '../../candles/candle.ts';
import { startOf } from '../../candles/resolution.ts';
import type { TradeOnTape } from '../../trades/trade.ts';
import { openOf } from '../../tickers/day.ts';
import { DayWindow } from './day-window.ts';
import { FormingCandle } from './forming-candle.ts';

const NOW = 1_760_000_000_000;

const trade = (timeMs: number, price: bigint, volume = 1n): TradeOnTape => ({
  tradeId: 1n,
  price,
  volume,
  total: price * volume,
  takerSide: 'buy',
  timeMs: BigInt(timeMs),
});

/** The slow twin: all trades of each interval, summed from the beginning. */
function sum(trades: readonly TradeOnTape[], lengthMs: number): TradedInterval[] {
  const groups = Map.groupBy(trades, ({ timeMs }) => Number(timeMs) - (Number(timeMs) % lengthMs));
  return [...groups].map(([startMs, own]) => {
    const prices = own.map(({ price }) => price);
    return {
      startMs,
      open: prices[0] ?? 0n,
      high: prices.reduce((a, b) => (a > b ? a : b)),
      low: prices.reduce((a, b) => (a < b ? a : b)),
      close: prices.at(-1) ?? 0n,
      volume: own.reduce((a, { volume }) => a + volume, 0n),
      total: own.reduce((a, { total }) => a + total, 0n),
      tradeCount: BigInt(own.length),
    };
  });
}

/** Trades at random moments, in the order of their times. */
function* trading(random: Random, stepMs: number): Generator<TradeOnTape> {
  let timeMs = NOW;
  for (;;) {
    timeMs += random.between(0, stepMs);
    yield trade(timeMs, BigInt(random.between(90, 110)), BigInt(random.between(1, 9)));
  }
}

describe('a candle', () => {
  it.each([1n, 2n, 3n, 4n])('told by every tick is what all trades sum up to (seed %s)', (seed) => {
    const random = new Random(seed);
    const candle = new FormingCandle('1m', NOW, undefined, undefined);
    const told = new Map<number, { interval: TradedInterval; isClosed: boolean }>();
    const trades: TradeOnTape[] = [];
    const tick = (nowMs: number) => {
      for (const push of candle.tick(nowMs)) {
        // A closed candle is not opened again.
        if (told.get(push.interval.startMs)?.isClosed === true) expect(push.isClosed).toBe(true);
        told.set(push.interval.startMs, push);
      }
    };
    let lastMs = NOW;
    for (const next of trading(random, 40_000)) {
      lastMs = Number(next.timeMs);
      // The clock of this process may be ahead of the engine's, but not by a whole interval.
      if (random.chance(0.7)) tick(lastMs + random.between(0, 50_000));
      candle.take(next);
      trades.push(next);
      if (trades.length === 500) break;
    }
    tick(lastMs + 2 * MINUTE_MS);
    const first = startOf('1m', NOW);
    const lastStart = startOf('1m', lastMs + 2 * MINUTE_MS);
    const expected = fillGaps(
      '1m',
      { firstMs: first, lastMs: lastStart },
      sum(trades, MINUTE_MS),
      undefined,
    );
    const found = [...told.values()].sort((a, b) => a.interval.startMs - b.interval.startMs);
    expect(found.map(({ interval }) => interval)).toEqual(expected);
    expect(found.map(({ isClosed }) => isClosed)).toEqual([
      ...expected.slice(1).map(() => true),
      false,
    ]);
  });

  it('is told once while nothing changes, and not at all before the first trade', () => {
    const candle = new FormingCandle('1m', NOW, undefined, undefined);
    expect(candle.tick(NOW)).toEqual([]);
    expect(candle.tick(NOW + MINUTE_MS)).toEqual([]);
    candle.take(trade(NOW + MINUTE_MS, 7n));
    expect(candle.tick(NOW + MINUTE_MS)).toHaveLength(1);
    expect(candle.tick(NOW + MINUTE_MS)).toEqual([]);
  });

  it('of an interval without trades repeats the close before it', () => {
    const candle = new FormingCandle('1h', NOW, undefined, 42n);
    expect(candle.current).toMatchObject({ open: 42n, close: 42n, volume: 0n, tradeCount: 0n });
    candle.take(trade(NOW + 1, 50n));
    expect(candle.current).toMatchObject({ open: 50n, high: 50n, low: 50n, tradeCount: 1n });
  });
});

describe('the last 24 hours', () => {
  it.each([1n, 2n, 3n])('are what the trades of its minutes sum up to (seed %s)', (seed) => {
    const random = new Random(seed);
    const window = new DayWindow({ previousClose: undefined, candles: [] });
    const trades: TradeOnTape[] = [];
    for (const next of trading(random, DAY_MS / 40)) {
      window.take(next);
      trades.push(next);
      const openMs = openOf(Number(next.timeMs) + random.between(0, 1000));
      const inside = trades.filter(({ timeMs }) => Number(timeMs) >= openMs);
      const before = trades.filter(({ timeMs }) => Number(timeMs) < openMs).at(-1)?.price;
      const [all] = sum(inside, Number.MAX_SAFE_INTEGER);
      expect(window.sum(openMs)).toEqual({
        open: all?.open,
        high: all?.high,
        low: all?.low,
        last: all?.close ?? before,
        previousClose: before,
        volume: all?.volume ?? 0n,
        total: all?.total ?? 0n,
        tradeCount: all?.tradeCount ?? 0n,
      });
      if (trades.length === 300) break;
    }
  });
});
