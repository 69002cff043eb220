// A copy of each market's book in memory, for public reads. The engine's events fill it: a snapshot
// first, then changes in sequence. A read sees the book between two events, never within one.
import { formatFixed } from '../amount.ts';

export type Side = 'bids' | 'asks';

/** One price: the sum of the visible volume there, in steps of the market's precision. */
export interface Level {
  readonly priceTicks: bigint;
  readonly volumeLots: bigint;
}

export interface PrintedLevel {
  readonly price: string;
  readonly volume: string;
}

export interface BookSnapshot {
  readonly seq: bigint;
  readonly basePrecision: number;
  readonly quotePrecision: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** A volume of zero takes the level away. */
export interface LevelChange extends Level {
  readonly side: Side;
}

export interface Books {
  /** Replaces the market's book as a whole. */
  reset(symbol: string, snapshot: BookSnapshot): void;
  /**
   * Applies the changes of one event. False when events are missing in between, and nothing changed:
   * the caller fetches a snapshot. An event that the book already holds is passed over.
   */
  apply(symbol: string, seq: bigint, changes: readonly LevelChange[]): boolean;
  /** The best `limit` levels of each side, best first; both sides empty when nothing is known. */
  print(symbol: string, limit: number): Record<Side, readonly PrintedLevel[]>;
  /** The same as JSON text, printed once for as long as the book does not change. */
  printJson(symbol: string, limit: number): string;
}

interface Book {
  seq: bigint;
  readonly basePrecision: number;
  readonly quotePrecision: number;
  /** Best first. */
  readonly sides: Record<Side, Level[]>;
  /** What was printed last; nearly every reader asks for the same depth. */
  printed: { limit: number; json: string } | undefined;
}

const EMPTY: Record<Side, readonly PrintedLevel[]> = { bids: [], asks: [] };
const EMPTY_JSON = JSON.stringify(EMPTY);

export function createBooks(): Books {
  const books = new Map<string, Book>();

  const printLevel =
    ({ basePrecision, quotePrecision }: Book) =>
    ({ priceTicks, volumeLots }: Level): PrintedLevel => ({
      price: formatFixed(priceTicks, quotePrecision),
      volume: formatFixed(volumeLots, basePrecision),
    });

  function print(symbol: string, limit: number): Record<Side, readonly PrintedLevel[]> {
    const book = books.get(symbol);
    if (book === undefined) return EMPTY;
    const { bids, asks } = book.sides;
    return {
      bids: bids.slice(0, limit).map(printLevel(book)),
      asks: asks.slice(0, limit).map(printLevel(book)),
    };
  }

  return {
    print,
    printJson(symbol, limit) {
      const book = books.get(symbol);
      if (book === undefined) return EMPTY_JSON;
      if (book.printed?.limit === limit) return book.printed.json;
      const json = JSON.stringify(print(symbol, limit));
      book.printed = { limit, json };
      return json;
    },
    reset(symbol, { seq, basePrecision, quotePrecision, bids, asks }) {
      const sides = {
        bids: bids.toSorted((a, b) => (isBetter('bids', a.priceTicks, b.priceTicks) ? -1 : 1)),
        asks: asks.toSorted((a, b) => (isBetter('asks', a.priceTicks, b.priceTicks) ? -1 : 1)),
      };
      books.set(symbol, { seq, basePrecision, quotePrecision, sides, printed: undefined });
    },
    apply(symbol, seq, changes) {
      const book = books.get(symbol);
      if (book === undefined || seq > book.seq + 1n) return false;
      if (seq <= book.seq) return true;
      for (const { side, priceTicks, volumeLots } of changes) {
        setLevel(book.sides[side], side, { priceTicks, volumeLots });
      }
      book.seq = seq;
      book.printed = undefined;
      return true;
    },
  };
}

const isBetter = (side: Side, a: bigint, b: bigint) => (side === 'bids' ? a > b : a < b);

function setLevel(levels: Level[], side: Side, level: Level): void {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = levels[middle] as Level;
    if (isBetter(side, there.priceTicks, level.priceTicks)) low = middle + 1;
    else high = middle;
  }
  const isKnown = levels[low]?.priceTicks === level.priceTicks;
  if (level.volumeLots === 0n) levels.splice(low, isKnown ? 1 : 0);
  else levels.splice(low, isKnown ? 1 : 0, level);
}
