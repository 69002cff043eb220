import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillGaps, spanOf, type TradedInterval } from './candle.ts';
import { keptFor, RESOLUTIONS, shift, startOf } from './resolution.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const resolution = fc.constantFrom(...RESOLUTIONS);
const moment = fc.integer({ min: at('2015-01-01T00:00'), max: at('2040-01-01T00:00') });

describe('an interval', () => {
  it.each([
    ['1m', '2026-02-28T23:59'],
    ['3m', '2026-02-28T23:57'],
    ['5m', '2026-02-28T23:55'],
    ['15m', '2026-02-28T23:45'],
    ['30m', '2026-02-28T23:30'],
    ['1h', '2026-02-28T23:00'],
    ['2h', '2026-02-28T22:00'],
    ['4h', '2026-02-28T20:00'],
    ['6h', '2026-02-28T18:00'],
    ['8h', '2026-02-28T16:00'],
    ['12h', '2026-02-28T12:00'],
    ['1d', '2026-02-28T00:00'],
    // A Saturday: its week began on Monday.
    ['1w', '2026-02-23T00:00'],
    ['1M', '2026-02-01T00:00'],
  ] as const)('of %s that holds the last minute of February begins at %s', (name, begin) => {
    expect(startOf(name, at('2026-02-28T23:59:59.999'))).toBe(at(begin));
  });

  it('begins at or before every moment that it contains, and the next one after', () => {
    fc.assert(
      fc.property(resolution, moment, (name, ms) => {
        const start = startOf(name, ms);
        expect(start).toBeLessThanOrEqual(ms);
        expect(shift(name, start, 1)).toBeGreaterThan(ms);
        expect(startOf(name, start)).toBe(start);
        expect(startOf(name, shift(name, start, 1) - 1)).toBe(start);
        expect(shift(name, shift(name, start, 7), -7)).toBe(start);
        // It consists of whole stored candles.
        expect(start % (keptFor(name) * 60_000)).toBe(0);
      }),
    );
  });
});

describe('the requested span', () => {
  const nowMs = at('2026-03-01T10:30:20');

  it('is the last intervals up to now, including the current one', () => {
    expect(spanOf({ resolution: '1h', limit: 3, nowMs })).toEqual({
      firstMs: at('2026-03-01T08:00'),
      lastMs: at('2026-03-01T10:00'),
    });
  });

  it('begins with the first interval at or after from, and ends before to', () => {
    const from = at('2026-03-01T01:00') + 1;
    expect(
      spanOf({ resolution: '1h', from, limit: 100, nowMs, to: at('2026-03-01T04:00') }),
    ).toEqual({ firstMs: at('2026-03-01T02:00'), lastMs: at('2026-03-01T03:00') });
    expect(spanOf({ resolution: '1h', from: nowMs, limit: 10, nowMs })).toBeUndefined();
  });

  it('never has more than limit intervals, none of them in the future', () => {
    const optional = fc.option(moment, { nil: undefined });
    fc.assert(
      fc.property(
        resolution,
        optional,
        optional,
        fc.integer({ min: 1, max: 50 }),
        moment,
        (...all) => {
          const [name, from, to, limit, now] = all;
          const span = spanOf({ resolution: name, from, to, limit, nowMs: now });
          if (span === undefined) return;
          expect(span.lastMs).toBeLessThanOrEqual(now);
          if (from !== undefined) expect(span.firstMs).toBeGreaterThanOrEqual(from);
          if (to !== undefined) expect(span.lastMs).toBeLessThan(to);
          expect(span.lastMs).toBeLessThanOrEqual(shift(name, span.firstMs, limit - 1));
        },
      ),
    );
  });
});

describe('gaps', () => {
  const traded = (startMs: number, close: bigint): TradedInterval => ({
    startMs,
    open: 1n,
    high: 9n,
    low: 1n,
    close,
    volume: 5n,
    total: 7n,
    tradeCount: 2n,
  });

  it('repeat the close before them, and nothing comes before the first trade', () => {
    const span = { firstMs: 0, lastMs: 240_000 };
    const filled = fillGaps('1m', span, [traded(60_000, 3n), traded(180_000, 4n)], undefined);
    expect(
      filled.map(({ startMs, open, close, volume }) => [startMs, open, close, volume]),
    ).toEqual([
      [60_000, 1n, 3n, 5n],
      [120_000, 3n, 3n, 0n],
      [180_000, 1n, 4n, 5n],
      [240_000, 4n, 4n, 0n],
    ]);
    expect(fillGaps('1m', span, [], undefined)).toEqual([]);
    expect(fillGaps('1m', span, [], 8n).map(({ close }) => close)).toEqual([8n, 8n, 8n, 8n, 8n]);
  });
});
