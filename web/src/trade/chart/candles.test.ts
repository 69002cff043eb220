import type { Candle } from '@rialto/sdk';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstChange, lastClosedMs, layOut, mergeCandles } from './candles.ts';

const candle = (time: number, tradeCount = 1, isClosed = true): Candle => ({
  time: String(time),
  open: '1',
  high: '1',
  low: '1',
  close: String(tradeCount),
  volume: '1',
  total: '1',
  tradeCount: String(tradeCount),
  isClosed,
});
const times = (all: readonly Candle[]) => all.map(({ time }) => Number(time));

it('each open time is there once, in order, and the younger picture wins whichever came first', () => {
  const old = candle(60, 2, false);
  const young = candle(60, 5);
  expect(mergeCandles([candle(0), old], [young])).toEqual([candle(0), young]);
  expect(mergeCandles([candle(0), young], [old])).toEqual([candle(0), young]);
  expect(times(mergeCandles([candle(120)], [candle(0), candle(60)]))).toEqual([0, 60, 120]);
});

it('the order in which pieces arrive makes no difference', () => {
  const pieces = fc.array(
    fc.array(
      fc
        .record({ at: fc.integer({ min: 0, max: 9 }), trades: fc.integer({ min: 0, max: 9 }) })
        .map(({ at, trades }) => candle(at * 60, trades)),
    ),
  );
  fc.assert(
    fc.property(pieces, (all) => {
      const merge = (parts: readonly (readonly Candle[])[]) =>
        parts.reduce<readonly Candle[]>(mergeCandles, []);
      expect(merge(all)).toEqual(merge(all.toReversed()));
    }),
  );
});

it('what may have changed begins after the last interval that is over', () => {
  expect(lastClosedMs([candle(0), candle(60), candle(120, 1, false)])).toBe(60);
  expect(lastClosedMs([])).toBeUndefined();
});

it('leaves a place empty where nothing was traded', () => {
  const places = layOut([candle(0), candle(60, 0), candle(240)], 60);
  expect(places.map(({ openMs, candle: one }) => [openMs, one !== undefined])).toEqual([
    [0, true],
    [60, false],
    [120, false],
    [180, false],
    [240, true],
  ]);
});

it('knows from where on to draw again', () => {
  const first = [candle(0), candle(60, 1, false)];
  const before = layOut(first, 60);
  expect(firstChange(before, layOut(first, 60))).toBeUndefined();
  expect(firstChange(before, layOut(mergeCandles(first, [candle(60, 2)]), 60))).toBe(1);
  expect(firstChange(before, layOut(mergeCandles(first, [candle(120)]), 60))).toBe(2);
  expect(firstChange(before, layOut(mergeCandles(first, [candle(-60)]), 60))).toBe(0);
});
