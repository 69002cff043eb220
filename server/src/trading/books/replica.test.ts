import type { TimedBookChange } from '@rialto/matching';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBooks, type Books, type BookSnapshot } from './replica.ts';

const PRECISION = { quotePrecision: 2, basePrecision: 6 };

const snapshot: BookSnapshot = {
  updateId: 7,
  time: 1_760_000_000_000,
  limit: 5000,
  ...PRECISION,
  bids: [
    { priceTicks: 6425010, lots: 15000 },
    { priceTicks: 6424900, lots: 1200000 },
  ],
  asks: [
    { priceTicks: 6425150, lots: 400000 },
    { priceTicks: 6425200, lots: 100000 },
    { priceTicks: 6426000, lots: 2000000 },
  ],
};

const change = (
  updateId: number,
  levels: TimedBookChange['levels'],
  more: Partial<TimedBookChange> = {},
): TimedBookChange => ({
  symbol: 'btcusdt',
  updateId,
  time: 1_760_000_000_100,
  priceDecimals: 2,
  volumeDecimals: 6,
  levels,
  ...more,
});

function open(): Books {
  const books = createBooks();
  books.reset('btcusdt', snapshot);
  return books;
}

const read = (books: Books, limit = 100) =>
  JSON.parse(books.printJson('btcusdt', PRECISION, limit)) as Record<
    'bids' | 'asks',
    { price: string; volume: string }[]
  >;
const readDepth = (books: Books) =>
  JSON.parse(books.printDepth('btcusdt', PRECISION, 100)) as Record<string, string>;

describe('the copy of a book', () => {
  it('prints levels best first, with the precision of the market', () => {
    const books = open();
    expect(read(books)).toEqual({
      bids: [
        { price: '64250.10', volume: '0.015000' },
        { price: '64249.00', volume: '1.200000' },
      ],
      asks: [
        { price: '64251.50', volume: '0.400000' },
        { price: '64252.00', volume: '0.100000' },
        { price: '64260.00', volume: '2.000000' },
      ],
    });
    expect(read(books, 1).asks).toHaveLength(1);
    expect(books.findBest('btcusdt', PRECISION)).toEqual({
      updateId: 7,
      bid: { price: '64250.10', volume: '0.015000' },
      ask: { price: '64251.50', volume: '0.400000' },
    });
  });

  it('has the checksums of the given example, before and after its update', () => {
    const books = open();
    expect(readDepth(books)).toMatchObject({ updateId: '7', checksum: '447337750' });
    books.apply(
      change(8, [
        { side: 'buy', priceTicks: 6424900, lots: 0 },
        { side: 'sell', priceTicks: 6425150, lots: 390000 },
      ]),
    );
    expect(readDepth(books)).toMatchObject({
      symbol: 'btcusdt',
      updateId: '8',
      time: '1760000000100',
      checksum: '334072478',
    });
  });

  it('knows nothing of a market it has not heard of', () => {
    const books = createBooks();
    expect(books.has('btcusdt')).toBe(false);
    expect(read(books)).toEqual({ bids: [], asks: [] });
    expect(books.findBest('btcusdt', PRECISION)).toBeUndefined();
    expect(books.apply(change(1, []))).toBe(false);
  });

  it('applies changes in sequence, skips old ones and refuses a gap', () => {
    const books = open();
    const gone = [{ side: 'buy' as const, priceTicks: 6425010, lots: 0 }];
    expect(books.apply(change(9, gone))).toBe(false);
    expect(books.apply(change(7, gone))).toBe(true);
    expect(read(books).bids).toHaveLength(2);
    expect(books.apply(change(8, gone))).toBe(true);
    expect(read(books).bids).toEqual([{ price: '64249.00', volume: '1.200000' }]);
  });

  it('becomes more precise as soon as its market does', () => {
    const books = open();
    const finer = { quotePrecision: 3, basePrecision: 6 };
    expect(books.findBest('btcusdt', finer)?.bid?.price).toBe('64250.100');
    const added = [{ side: 'buy' as const, priceTicks: 642501010, lots: 100 }];
    expect(books.apply(change(8, added, { priceDecimals: 4 }))).toBe(true);
    expect(read(books).bids.slice(0, 2)).toEqual([
      { price: '64250.1010', volume: '0.000100' },
      { price: '64250.1000', volume: '0.015000' },
    ]);
  });

  it('asks for more when a cut-off side has too few levels left', () => {
    const books = createBooks();
    const bids = Array.from({ length: 1001 }, (_, n) => ({ priceTicks: 5000 - n, lots: 1 }));
    books.reset('btcusdt', { ...snapshot, bids, asks: [], limit: 1001 });
    const take = (updateId: number, priceTicks: number) =>
      books.apply(change(updateId, [{ side: 'buy', priceTicks, lots: 0 }]));
    expect(take(8, 5000)).toBe(true);
    // Levels beyond the cut are not known, so a change there is not kept.
    expect(books.apply(change(9, [{ side: 'buy', priceTicks: 10, lots: 5 }]))).toBe(true);
    expect(read(books, 2000).bids).toHaveLength(1000);
    expect(take(10, 4999)).toBe(false);
  });

  it('agrees with a plain map of prices after any changes', () => {
    const level = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      priceTicks: fc.integer({ min: 1, max: 30 }),
      lots: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(level, { maxLength: 60 }), (levels) => {
        const books = createBooks();
        books.reset('btcusdt', { ...snapshot, updateId: 0, bids: [], asks: [] });
        const plain = { buy: new Map<number, number>(), sell: new Map<number, number>() };
        for (const [index, one] of levels.entries()) {
          expect(books.apply(change(index + 1, [one]))).toBe(true);
          if (one.lots === 0) plain[one.side].delete(one.priceTicks);
          else plain[one.side].set(one.priceTicks, one.lots);
        }
        const printed = read(books, 1000);
        for (const [side, name] of [
          ['buy', 'bids'],
          ['sell', 'asks'],
        ] as const) {
          const expected = [...plain[side]]
            .sort(([a], [b]) => (side === 'buy' ? b - a : a - b))
            .map(([ticks, lots]) => [(ticks / 100).toFixed(2), (lots / 1e6).toFixed(6)]);
          expect(printed[name].map(({ price, volume }) => [price, volume])).toEqual(expected);
        }
      }),
    );
  });
});

describe('the indication of an auction', () => {
  const reference = 64_250n * 10n ** 18n;

  it('is computed from the visible book, which may cross, and follows it', () => {
    const books = open();
    const find = (at = reference) => books.findIndication('btcusdt', PRECISION, at);
    expect(find()).toEqual({ updateId: 7, at: undefined });
    books.apply(change(8, [{ side: 'buy', priceTicks: 6_426_000, lots: 300_000 }]));
    expect(find()).toEqual({
      updateId: 8,
      at: { priceTicks: 6_425_150, lots: 300_000, imbalanceLots: -100_000 },
    });
    // Another reference price may give another price.
    expect(find(64_251n * 10n ** 18n + 10n ** 17n * 9n)?.at?.priceTicks).toBe(6_425_190);
    books.apply(change(9, [{ side: 'buy', priceTicks: 6_426_000, lots: 0 }]));
    expect(find()).toEqual({ updateId: 9, at: undefined });
    expect(books.findIndication('ethusdt', PRECISION, reference)).toBeUndefined();
  });
});
