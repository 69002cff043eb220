import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPage, type Sized } from './page.ts';

const side = (...sizes: number[]): Sized[] => sizes.map((bytes, id) => ({ id, bytes }));
const sizesOf = (messages: readonly Sized[]) => messages.map(({ bytes }) => bytes);

describe('a page of messages within a limit of bytes', () => {
  it('is whole when everything fits', () => {
    const sides = { older: side(1, 2), own: side(3), newer: side(4) };
    expect(cutPage(sides, 10)).toEqual(sides);
  });

  it('gives each side half, and what the other side does not use', () => {
    const both = cutPage({ older: side(10, 10, 10), own: side(20), newer: side(10, 10, 10) }, 60);
    expect([sizesOf(both.older), sizesOf(both.newer)]).toEqual([
      [10, 10],
      [10, 10],
    ]);
    const one = cutPage({ older: side(10, 10, 10), own: [], newer: side(10) }, 35);
    expect([sizesOf(one.older), sizesOf(one.newer)]).toEqual([[10, 10], [10]]);
  });

  it('has the anchor and one message of each side, however large they are', () => {
    const { older, own, newer } = cutPage(
      { older: side(900, 1), own: side(900), newer: side(900, 1) },
      10,
    );
    expect([sizesOf(older), sizesOf(own), sizesOf(newer)]).toEqual([[900], [900], [900]]);
  });

  it('has no holes and stays within its bytes, except for what must be there', () => {
    const sizes = fc.array(fc.nat({ max: 1000 }), { maxLength: 30 });
    fc.assert(
      fc.property(
        sizes,
        fc.option(fc.nat(1000)),
        sizes,
        fc.nat(20_000),
        (older, own, newer, max) => {
          const sides = {
            older: side(...older),
            own: own === null ? [] : side(own),
            newer: side(...newer),
          };
          const kept = cutPage(sides, max);
          expect(kept.older).toEqual(sides.older.slice(0, kept.older.length));
          expect(kept.newer).toEqual(sides.newer.slice(0, kept.newer.length));
          expect(kept.own).toEqual(sides.own);
          expect(kept.older.length === 0).toBe(older.length === 0);
          expect(kept.newer.length === 0).toBe(newer.length === 0);
          const sum = (list: readonly Sized[]) => list.reduce((all, { bytes }) => all + bytes, 0);
          const room = Math.max(0, max - sum(kept.own));
          const isWithin = sum(kept.older) + sum(kept.newer) <= room;
          expect(isWithin || kept.older.length === 1 || kept.newer.length === 1).toBe(true);
        },
      ),
    );
  });
});
