import { describe, expect, it } from 'vitest';
import { Random } from '../../../../../packages/matching/sim/random.ts';
import { checksumOf, type Level } from '../../books/print.ts';
import { createBooks } from '../../books/replica.ts';
import { DepthView } from './depth-view.ts';

const PRECISION = { quotePrecision: 2, basePrecision: 3 };

/** What a client has: levels by price, nothing else. */
type Watched = Record<'bids' | 'asks', Map<number, number>>;

const watch = ({ bids, asks }: { bids: readonly Level[]; asks: readonly Level[] }): Watched => ({
  bids: new Map(bids.map(({ priceTicks, lots }) => [priceTicks, lots])),
  asks: new Map(asks.map(({ priceTicks, lots }) => [priceTicks, lots])),
});

function apply(watched: Map<number, number>, changes: readonly Level[]): void {
  for (const { priceTicks, lots } of changes) {
    if (lots === 0)
      expect(watched.delete(priceTicks), 'a level is removed that is there').toBe(true);
    else watched.set(priceTicks, lots);
  }
}

const sorted = (levels: Map<number, number>, side: 'bids' | 'asks'): Level[] =>
  [...levels]
    .map(([priceTicks, lots]) => ({ priceTicks, lots }))
    .sort((a, b) => (side === 'bids' ? -1 : 1) * (a.priceTicks - b.priceTicks));

/** The slow twin: a whole book as two maps, of which the best levels are sorted out each time. */
class SlowBook {
  readonly bids = new Map<number, number>();
  readonly asks = new Map<number, number>();
  set(side: 'buy' | 'sell', priceTicks: number, lots: number): void {
    const levels = side === 'buy' ? this.bids : this.asks;
    if (lots === 0) levels.delete(priceTicks);
    else levels.set(priceTicks, lots);
  }
  best(side: 'bids' | 'asks', range: number): Level[] {
    return sorted(this[side], side).slice(0, range);
  }
}

describe.each([1, 2, 3, 10, 50])('with a range of %i levels', (range) => {
  it.each([1n, 2n, 3n])(
    'snapshot and differences are the best levels of the book, every checksum right (seed %s)',
    (seed) => {
      const random = new Random(seed);
      const books = createBooks();
      const slow = new SlowBook();
      books.reset('btcusdt', {
        updateId: 0,
        time: 1,
        bids: [],
        asks: [],
        limit: 5000,
        ...PRECISION,
      });
      const see = () => {
        const seen = books.view('btcusdt', PRECISION);
        if (seen === undefined) throw new Error('The book is there.');
        return seen;
      };
      const view = new DepthView(see(), range);
      const watched = watch(view.sides);
      let updateId = 0;
      let seenId = 0;
      for (let round = 0; round < 200; round += 1) {
        const touched = { bids: new Set<number>(), asks: new Set<number>() };
        const changes = random.between(0, 6);
        for (let n = 0; n < changes; n += 1) {
          updateId += 1;
          const levels = Array.from({ length: random.between(1, 4) }, () => ({
            side: random.chance(0.5) ? ('buy' as const) : ('sell' as const),
            priceTicks: random.between(1, range * 3 + 4),
            lots: random.chance(0.45) ? 0 : random.between(1, 9),
          }));
          const timed = { symbol: 'btcusdt', updateId, time: round, levels };
          expect(books.apply({ ...timed, priceDecimals: 2, volumeDecimals: 3 })).toBe(true);
          for (const { side, priceTicks, lots } of levels) {
            touched[side === 'buy' ? 'bids' : 'asks'].add(priceTicks);
            slow.set(side, priceTicks, lots);
          }
        }
        const differences = view.follow(see(), touched);
        expect(differences.prevUpdateId).toBe(seenId);
        expect(differences.updateId).toBe(updateId);
        seenId = updateId;
        for (const side of ['bids', 'asks'] as const) {
          const prices = differences[side].map(({ priceTicks }) => priceTicks);
          expect(new Set(prices).size, 'each price once').toBe(prices.length);
          apply(watched[side], differences[side]);
          const expected = slow.best(side, range);
          expect(sorted(watched[side], side)).toEqual(expected);
          expect(view.sides[side]).toEqual(expected);
        }
        const truth = { bids: slow.best('bids', range), asks: slow.best('asks', range) };
        expect(checksumOf(view, view.sides)).toBe(checksumOf(PRECISION, truth));
      }
    },
  );
});

it('the checksums are those of the specification', () => {
  const at = (priceTicks: number, lots: number) => ({ priceTicks, lots });
  const book = {
    updateId: 90_210,
    time: 1,
    quotePrecision: 2,
    basePrecision: 6,
    sides: {
      bids: [at(6_425_010, 15_000), at(6_424_900, 1_200_000)],
      asks: [at(6_425_150, 400_000), at(6_425_200, 100_000), at(6_426_000, 2_000_000)],
    },
  };
  const view = new DepthView(book);
  expect(checksumOf(view, view.sides)).toBe(447_337_750);
  const [bid] = book.sides.bids;
  const [, ...asks] = book.sides.asks;
  const after = { bids: [bid as Level], asks: [at(6_425_150, 390_000), ...asks] };
  const differences = view.follow(
    { ...book, updateId: 90_213, sides: after },
    { bids: new Set([6_424_900]), asks: new Set([6_425_150]) },
  );
  expect(differences).toEqual({
    prevUpdateId: 90_210,
    updateId: 90_213,
    bids: [at(6_424_900, 0)],
    asks: [at(6_425_150, 390_000)],
  });
  expect(checksumOf(view, view.sides)).toBe(334_072_478);
});

it('with another precision no difference leads to the book', () => {
  const book = { updateId: 1, time: 1, ...PRECISION, sides: { bids: [], asks: [] } };
  const view = new DepthView(book);
  expect(view.leadsTo(PRECISION)).toBe(true);
  expect(view.leadsTo({ ...PRECISION, quotePrecision: 3 })).toBe(false);
  expect(view.leadsTo({ ...PRECISION, basePrecision: 4 })).toBe(false);
});
