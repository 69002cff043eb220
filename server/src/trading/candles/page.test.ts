import { expect, it } from 'vitest';
import { DAY_MS } from '../../platform/std/time.ts';
import { createRandom } from '../../testing/random.ts';
import { emptyMarket, type RecentCandle } from '../replica/fold.ts';
import type { Span, TradedInterval } from './candle.ts';
import { joinParts, planCandles } from './page.ts';
import { RESOLUTIONS, keptFor, shift, startOf, type Resolution } from './resolution.ts';

const START_MS = Date.UTC(2025, 9, 9, 7);

/** The slow twin, and also what the tables answer. */
function sum(
  candles: readonly TradedInterval[],
  resolution: Resolution,
  { firstMs, lastMs }: Span,
  beforeMs = Infinity,
): TradedInterval[] {
  const endMs = Math.min(shift(resolution, lastMs, 1), beforeMs);
  const inside = candles.filter(({ startMs }) => startMs >= firstMs && startMs < endMs);
  const groups = Map.groupBy(inside, ({ startMs }) => startOf(resolution, startMs));
  const total = (own: readonly TradedInterval[], of: (one: TradedInterval) => bigint) =>
    own.reduce((all, one) => all + of(one), 0n);
  return [...groups].map(([startMs, own]) => ({
    startMs,
    open: own[0]?.open ?? 0n,
    high: own.map(({ high }) => high).reduce((a, b) => (a > b ? a : b)),
    low: own.map(({ low }) => low).reduce((a, b) => (a < b ? a : b)),
    close: own.at(-1)?.close ?? 0n,
    volume: total(own, ({ volume }) => volume),
    total: total(own, (one) => one.total),
    tradeCount: total(own, ({ tradeCount }) => tradeCount),
  }));
}

const print = (intervals: readonly TradedInterval[]): string =>
  intervals.map((interval) => Object.values(interval).join(' ')).join('\n');

it.each(RESOLUTIONS)('candles of %s are the same, wherever memory begins', (resolution) => {
  const random = createRandom(RESOLUTIONS.indexOf(resolution) + 1);
  const lengthMs = keptFor(resolution) * 60_000;
  const any = () => BigInt(1 + random.below(1000));
  let startMs = START_MS - (START_MS % lengthMs);
  const all = Array.from({ length: 120 }, (_, index): RecentCandle => {
    startMs += lengthMs * (1 + random.below(3));
    const [open, close, volume, total] = [any(), any(), any(), any()];
    const [high, low] = open > close ? [open, close] : [close, open];
    const amounts = { open, high, low, close, volume, total, tradeCount: any() };
    return { startMs, ...amounts, engineSeq: index };
  });
  let joined = 0;
  for (let count = 0; count < 300; count += 1) {
    const begins = random.below(all.length);
    const gone = all[begins - 1];
    const kept = {
      ...emptyMarket().candles[keptFor(resolution)],
      candles: all.slice(begins),
      fromMs: all[begins]?.startMs ?? 0,
      older: gone,
    };
    const firstMs = startOf(resolution, random.pick(all).startMs - random.below(2) * DAY_MS);
    const span = { firstMs, lastMs: shift(resolution, firstMs, random.below(60)) };
    const { newer, previousClose, older } = planCandles(kept, resolution, span);
    const found = older === undefined ? [] : sum(all, resolution, span, older.beforeMs);
    expect(print(joinParts(found, newer))).toBe(print(sum(all, resolution, span)));
    if (older === undefined) {
      const before = all.findLast((candle) => candle.startMs < firstMs);
      expect(previousClose).toBe(before?.close);
    } else {
      expect(older.engineSeq).toBe(gone?.engineSeq);
      if (newer.length > 0) joined += 1;
    }
  }
  expect(joined).toBeGreaterThan(10);
});
