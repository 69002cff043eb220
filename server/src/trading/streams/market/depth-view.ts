// What the followers of a book have: its best levels, as the last push left them. Given the prices that changed since,
// it finds the differences, which also cover levels that enter and leave the range. Pure.
import { placeOf, setLevel, type Side } from '../../books/levels.ts';
import type { Level, Precision } from '../../books/print.ts';
import { DEPTH_MAX, type BookView } from '../../books/replica.ts';

/** The prices of each side that changed since the last push. */
export type Touched = Readonly<Record<Side, Set<number>>>;

export interface Differences {
  readonly prevUpdateId: number;
  readonly updateId: number;
  /** Best first; no lots remove the level. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export class DepthView implements Precision {
  readonly quotePrecision: number;
  readonly basePrecision: number;
  readonly sides: Readonly<Record<Side, Level[]>>;
  readonly #range: number;
  #updateId: number;

  constructor({ updateId, quotePrecision, basePrecision, sides }: BookView, range = DEPTH_MAX) {
    this.#updateId = updateId;
    this.quotePrecision = quotePrecision;
    this.basePrecision = basePrecision;
    this.#range = range;
    this.sides = { bids: sides.bids.slice(0, range), asks: sides.asks.slice(0, range) };
  }

  get updateId(): number {
    return this.#updateId;
  }

  /** Whether differences can lead to this book: with another precision every level has another text. */
  leadsTo({ quotePrecision, basePrecision }: Precision): boolean {
    return quotePrecision === this.quotePrecision && basePrecision === this.basePrecision;
  }

  /** Becomes what the book is now, and returns the way there. */
  follow({ updateId, sides }: BookView, touched: Touched): Differences {
    const prevUpdateId = this.#updateId;
    this.#updateId = updateId;
    return {
      prevUpdateId,
      updateId,
      bids: this.#followSide('bids', sides.bids, touched.bids),
      asks: this.#followSide('asks', sides.asks, touched.asks),
    };
  }

  #followSide(side: Side, book: readonly Level[], touched: ReadonlySet<number>): Level[] {
    const own = this.sides[side];
    const range = this.#range;
    const last = own.length === range ? own.at(-1) : undefined;
    const changed: Level[] = [];
    const set = (level: Level) => {
      changed.push(level);
      setLevel(own, side, level);
    };
    for (const priceTicks of touched) {
      const now = lotsAt(book, side, priceTicks, range);
      if (now !== lotsAt(own, side, priceTicks, own.length)) set({ priceTicks, lots: now });
    }
    // Levels beyond the old range that nobody touched, and that are in it now.
    if (last !== undefined) {
      let place = placeOf(book, side, last.priceTicks);
      if (book[place]?.priceTicks === last.priceTicks) place += 1;
      for (; place < Math.min(range, book.length); place += 1) {
        const level = book[place] as Level;
        if (lotsAt(own, side, level.priceTicks, own.length) === 0) set(level);
      }
    }
    for (const { priceTicks } of own.splice(range)) changed.push({ priceTicks, lots: 0 });
    return changed.sort((a, b) =>
      side === 'bids' ? b.priceTicks - a.priceTicks : a.priceTicks - b.priceTicks,
    );
  }
}

/** The volume at a price that is among the best `range` levels; zero if it is not. */
function lotsAt(levels: readonly Level[], side: Side, priceTicks: number, range: number): number {
  const place = placeOf(levels, side, priceTicks);
  const level = levels[place];
  return place < range && level?.priceTicks === priceTicks ? level.lots : 0;
}
