import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WatchedBook } from './book.ts';

const level = (price: string, volume: string) => ({ price, volume });

it('has the checksums of the documentation, before and after a difference', () => {
  const book = new WatchedBook({
    updateId: '90210',
    bids: [level('64250.10', '0.015000'), level('64249.00', '1.200000')],
    asks: [
      level('64251.50', '0.400000'),
      level('64252.00', '0.100000'),
      level('64260.00', '2.000000'),
    ],
    checksum: '447337750',
  });
  expect(book.checksum()).toBe('447337750');
  const update = {
    prevUpdateId: '90210',
    updateId: '90213',
    bids: [level('64249.00', '0.000000')],
    asks: [level('64251.50', '0.390000')],
    checksum: '334072478',
  };
  expect(book.apply(update)).toBe(true);
  expect(book.checksum()).toBe('334072478');
  // The same once more does not follow, and changes nothing.
  expect(book.apply(update)).toBe(false);
  expect(book.checksum()).toBe('334072478');
});

/** Around where a digit is added, which is where text and numbers differ. */
const LEVELS = fc.array(
  fc.tuple(fc.integer({ min: 9_970, max: 10_030 }), fc.integer({ min: 0, max: 3 })),
);

it('keeps each side in order, as a table of numbers would', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(LEVELS, LEVELS)), (updates) => {
      const book = new WatchedBook({ updateId: '0', bids: [], asks: [], checksum: '0' });
      const twins = [new Map<number, number>(), new Map<number, number>()];
      for (const [index, sides] of updates.entries()) {
        const [bids = [], asks = []] = sides.map((side, at) =>
          side.map(([price, volume]) => {
            if (volume === 0) twins[at]?.delete(price);
            else twins[at]?.set(price, volume);
            return level((price / 100).toFixed(2), volume.toFixed(6));
          }),
        );
        const [prevUpdateId, updateId] = [String(index), String(index + 1)];
        book.apply({ prevUpdateId, updateId, bids, asks, checksum: '' });
      }
      const shown = (twin: Map<number, number> | undefined, sign: number) =>
        [...(twin ?? [])]
          .toSorted(([a], [b]) => sign * (a - b))
          .map(([price, volume]) => level((price / 100).toFixed(2), volume.toFixed(6)));
      expect(book.bids.levels).toEqual(shown(twins[0], -1));
      expect(book.asks.levels).toEqual(shown(twins[1], 1));
    }),
  );
});
