// The book against a twin that keeps every level in a map and sorts it anew each time.
import { crc32 as platformCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from './crc32.ts';
import { LEVELS_MAX, type Level, type Side } from './levels.ts';
import { LocalBook, type DepthData } from './local-book.ts';

const PRICE_DECIMALS = 2;
const print = (ticks: number, decimals: number): string => {
  const digits = String(ticks).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** Whole numbers of ticks and lots, sorted each time it is asked. */
class Twin {
  readonly sides: Record<Side, Map<number, number>> = { bids: new Map(), asks: new Map() };
  updateId = 1;

  set(side: Side, ticks: number, lots: number): void {
    if (lots === 0) this.sides[side].delete(ticks);
    else this.sides[side].set(ticks, lots);
  }

  visible(side: Side, max: number): Level[] {
    return [...this.sides[side]]
      .sort(([a], [b]) => (side === 'asks' ? a - b : b - a))
      .slice(0, max)
      .map(([ticks, lots]) => ({ price: print(ticks, PRICE_DECIMALS), volume: print(lots, 3) }));
  }

  checksum(): string {
    const [bids, asks] = [this.visible('bids', 25), this.visible('asks', 25)];
    const texts: string[] = [];
    for (let at = 0; at < 25; at += 1) {
      for (const level of [bids[at], asks[at]]) if (level) texts.push(level.price, level.volume);
    }
    return String(platformCrc32(texts.join(':')));
  }

  snapshot(max: number): DepthData {
    return {
      symbol: 'btcusdt',
      updateId: String(this.updateId),
      bids: this.visible('bids', max),
      asks: this.visible('asks', max),
      checksum: this.checksum(),
    };
  }

  /** What changed between two views, with levels that left the range removed. */
  difference(before: DepthData, max: number): DepthData {
    const after = this.snapshot(max);
    const changed = (side: Side): Level[] => {
      const [old, now] = [before[side], after[side]].map(
        (levels) => new Map(levels.map(({ price, volume }) => [price, volume])),
      ) as [Map<string, string>, Map<string, string>];
      const gone = [...old.keys()].filter((price) => !now.has(price));
      return [
        ...gone.map((price) => ({ price, volume: '0.000' })),
        ...[...now].filter(([price, volume]) => old.get(price) !== volume).map(toLevel),
      ];
    };
    return {
      ...after,
      prevUpdateId: before.updateId,
      bids: changed('bids'),
      asks: changed('asks'),
    };
  }
}

const toLevel = ([price, volume]: [string, string]): Level => ({ price, volume });

const change = fc.record({
  side: fc.constantFrom<Side>('bids', 'asks'),
  // Across a power of ten, so that texts of different length are compared.
  ticks: fc.integer({ min: 1, max: 1200 }),
  lots: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 999_999 })),
});

describe('a local book', () => {
  it('takes the CRC-32 of the specification', () => {
    expect(crc32('123456789')).toBe(0xcbf43926);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(crc32(text)).toBe(platformCrc32(text));
      }),
    );
  });

  it('follows the example of the specification', () => {
    const book = new LocalBook('btcusdt');
    const snapshot = {
      symbol: 'btcusdt',
      updateId: '90210',
      bids: [
        { price: '64250.10', volume: '0.015000' },
        { price: '64249.00', volume: '1.200000' },
      ],
      asks: [
        { price: '64251.50', volume: '0.400000' },
        { price: '64252.00', volume: '0.100000' },
        { price: '64260.00', volume: '2.000000' },
      ],
      checksum: '447337750',
    };
    expect(book.replace(snapshot)).toBeUndefined();
    const update = {
      symbol: 'btcusdt',
      prevUpdateId: '90210',
      updateId: '90213',
      bids: [{ price: '64249.00', volume: '0.000000' }],
      asks: [{ price: '64251.50', volume: '0.390000' }],
      checksum: '334072478',
    };
    expect(book.apply(update)).toBeUndefined();
    expect([book.updateId, book.checksum]).toEqual(['90213', '334072478']);
    expect(book.bestBid).toEqual({ price: '64250.10', volume: '0.015000' });
    expect(book.spread).toMatch(/^1\.40?$/);
  });

  it('equals the twin after any changes, also at the end of the visible range', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(change, { minLength: 1, maxLength: 120 }), {
          minLength: 1,
          maxLength: 12,
        }),
        // The range is never shorter than what the checksum covers.
        fc.integer({ min: 25, max: 60 }),
        (batches, max) => {
          const twin = new Twin();
          const book = new LocalBook('btcusdt');
          let view = twin.snapshot(max);
          expect(book.replace(view)).toBeUndefined();
          for (const batch of batches) {
            for (const { side, ticks, lots } of batch) twin.set(side, ticks, lots);
            twin.updateId += batch.length;
            expect(book.apply(twin.difference(view, max))).toBeUndefined();
            view = twin.snapshot(max);
            expect({ bids: book.bids, asks: book.asks }).toEqual({
              bids: view.bids,
              asks: view.asks,
            });
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('notices a missing difference, a changed level and a side in the wrong order', () => {
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 4, maxLength: 40 }),
        fc.constantFrom('gap', 'checksum', 'disorder'),
        (changes, kind) => {
          const twin = new Twin();
          const book = new LocalBook('btcusdt');
          twin.set('bids', 100, 5);
          twin.set('bids', 99, 5);
          for (const { side, ticks, lots } of changes) twin.set(side, ticks, lots);
          twin.set('bids', 2000, 5);
          twin.set('bids', 1999, 5);
          const right = twin.snapshot(LEVELS_MAX);
          if (kind === 'gap') {
            book.replace(right);
            expect(book.apply({ ...right, prevUpdateId: '0' })).toBe('gap');
          } else if (kind === 'checksum') {
            const [best, ...rest] = right.bids as [Level, ...Level[]];
            const wrong = { ...right, bids: [{ ...best, volume: '7.777' }, ...rest] };
            expect(book.replace(wrong)).toBe('checksum');
          } else {
            expect(book.replace({ ...right, bids: [...right.bids].reverse() })).toBe('disorder');
          }
        },
      ),
    );
  });

  it('stays bounded when differences only add', () => {
    const book = new LocalBook('btcusdt');
    const level = (ticks: number): Level => ({ price: print(ticks, 2), volume: '1.000' });
    const bids = Array.from({ length: LEVELS_MAX }, (_, at) => level(5000 - at));
    book.replace({ symbol: 'btcusdt', updateId: '1', bids, asks: [], checksum: '' });
    const more = { symbol: 'btcusdt', prevUpdateId: '1', updateId: '2', asks: [], checksum: '' };
    expect(book.apply({ ...more, bids: [level(6000)] })).toBe('disorder');
  });

  it('walks to a volume exactly', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 900 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 5000 }),
        (ticks, wantedLots) => {
          const twin = new Twin();
          for (const tick of ticks) twin.set('asks', tick, tick);
          const book = new LocalBook('btcusdt');
          book.replace(twin.snapshot(LEVELS_MAX));
          const walk = book.walk('buy', print(wantedLots, 3));
          let [left, total, levels] = [BigInt(wantedLots), 0n, 0];
          for (const tick of ticks.toSorted((a, b) => a - b)) {
            if (left === 0n) break;
            const taken = BigInt(tick) < left ? BigInt(tick) : left;
            total += taken * BigInt(tick);
            left -= taken;
            levels += 1;
          }
          expect([walk.levels, walk.isComplete]).toEqual([levels, left === 0n]);
          expect(toUnits(walk.total)).toBe(total);
          expect(toUnits(walk.volume)).toBe((BigInt(wantedLots) - left) * 100n);
        },
      ),
    );
  });
});

/** In units of 10^-5: ticks times lots. */
function toUnits(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(5, '0'));
}
