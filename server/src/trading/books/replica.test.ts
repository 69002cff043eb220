import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBooks, type BookSnapshot, type LevelChange } from './replica.ts';

const snapshot: BookSnapshot = {
  seq: 7n,
  basePrecision: 6,
  quotePrecision: 2,
  bids: [
    { priceTicks: 6424900n, volumeLots: 1200000n },
    { priceTicks: 6425010n, volumeLots: 15000n },
  ],
  asks: [
    { priceTicks: 6425200n, volumeLots: 100000n },
    { priceTicks: 6425150n, volumeLots: 400000n },
  ],
};

describe('the copy of a book', () => {
  it('prints levels best first, with the precision of the market', () => {
    const books = createBooks();
    books.reset('btcusdt', snapshot);
    expect(books.print('btcusdt', 100)).toEqual({
      bids: [
        { price: '64250.10', volume: '0.015000' },
        { price: '64249.00', volume: '1.200000' },
      ],
      asks: [
        { price: '64251.50', volume: '0.400000' },
        { price: '64252.00', volume: '0.100000' },
      ],
    });
    expect(books.print('btcusdt', 1).bids).toHaveLength(1);
    expect(JSON.parse(books.printJson('btcusdt', 1))).toEqual(books.print('btcusdt', 1));
  });

  it('knows nothing of a market it has not heard of', () => {
    const books = createBooks();
    expect(books.print('btcusdt', 10)).toEqual({ bids: [], asks: [] });
    expect(books.printJson('btcusdt', 10)).toBe('{"bids":[],"asks":[]}');
    expect(books.apply('btcusdt', 1n, [])).toBe(false);
  });

  it('takes changes in sequence, passes over old ones and refuses a gap', () => {
    const books = createBooks();
    books.reset('btcusdt', snapshot);
    const gone: LevelChange = { side: 'bids', priceTicks: 6425010n, volumeLots: 0n };
    expect(books.apply('btcusdt', 9n, [gone])).toBe(false);
    expect(books.apply('btcusdt', 7n, [gone])).toBe(true);
    expect(books.print('btcusdt', 10).bids).toHaveLength(2);
    expect(books.printJson('btcusdt', 10)).toContain('64250.10');
    expect(books.apply('btcusdt', 8n, [gone])).toBe(true);
    expect(books.printJson('btcusdt', 10)).not.toContain('64250.10');
  });

  it('agrees with a plain map of prices after any changes', () => {
    const change = fc.record({
      side: fc.constantFrom('bids' as const, 'asks' as const),
      priceTicks: fc.bigInt(1n, 30n),
      volumeLots: fc.bigInt(0n, 3n),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const books = createBooks();
        const options = { basePrecision: 0, quotePrecision: 0, bids: [], asks: [] };
        books.reset('m', { seq: 0n, ...options });
        const plain = { bids: new Map<bigint, bigint>(), asks: new Map<bigint, bigint>() };
        for (const [index, one] of changes.entries()) {
          books.apply('m', BigInt(index + 1), [one]);
          if (one.volumeLots === 0n) plain[one.side].delete(one.priceTicks);
          else plain[one.side].set(one.priceTicks, one.volumeLots);
        }
        for (const side of ['bids', 'asks'] as const) {
          const expected = [...plain[side]]
            .sort(([a], [b]) => Number(side === 'bids' ? b - a : a - b))
            .map(([price, volume]) => ({ price: String(price), volume: String(volume) }));
          expect(books.print('m', 1000)[side]).toEqual(expected);
        }
      }),
    );
  });
});
