// A copy of each market's book in memory, for public reads. The engine's events fill it: a snapshot
// first, then changes in sequence. A read sees the book between two events, never within one.
import { findUncross, type Depth, type TimedBookChange, type UncrossPrice } from '@rialto/matching';
import { AMOUNT_DECIMALS } from '../amount.ts';
import { isBetter, setLevel, type Side } from './levels.ts';
import {
  checksumOf,
  printLevel,
  printLevels,
  type Level,
  type Precision,
  type PrintedLevel,
  type Sides,
} from './print.ts';

export interface BookSnapshot extends Depth, Precision {
  readonly time: number;
  /** Levels that were requested on each side: a side with that many may have more. */
  readonly limit: number;
}

export interface Best {
  readonly updateId: number;
  readonly bid: PrintedLevel | undefined;
  readonly ask: PrintedLevel | undefined;
}

export interface Indication {
  readonly updateId: number;
  /** Undefined if nothing meets. */
  readonly at: UncrossPrice | undefined;
}

/** A book as it is now. It changes with the next event; who needs a state copies it. */
export interface BookView extends Precision {
  readonly updateId: number;
  readonly time: number;
  readonly sides: Sides;
}

export interface Books {
  has(symbol: string): boolean;
  /** The book at least as precise as its market; undefined if there is none yet. */
  view(symbol: string, precision: Precision): BookView | undefined;
  /** Replaces the market's book as a whole. */
  reset(symbol: string, snapshot: BookSnapshot): void;
  /**
   * Applies the changes of one event. Returns false when events are missing in between, or when
   * levels beyond the snapshot are needed: the caller fetches a snapshot. An event that the book
   * already holds is skipped.
   */
  apply(change: TimedBookChange): boolean;
  /** The best `limit` levels of each side, best first, as JSON text; printed once while nothing changes. */
  printJson(symbol: string, precision: Precision, limit: number): string;
  /** The same with what is needed to follow the book from there on. */
  printDepth(symbol: string, precision: Precision, limit: number): string;
  findBest(symbol: string, precision: Precision): Best | undefined;
  /** What an auction would trade now, by the visible book; the reference price in units of 10^-18. */
  findIndication(symbol: string, precision: Precision, reference: bigint): Indication | undefined;
}

/** The deepest read, and so the least that a copy has to hold of a deeper book. */
export const DEPTH_MAX = 1000;

interface Book {
  updateId: number;
  time: number;
  basePrecision: number;
  quotePrecision: number;
  /** Best first. */
  readonly sides: Record<Side, Level[]>;
  /** The worst known price of a side that was cut off; levels beyond it are not kept. */
  readonly ends: Record<Side, number | undefined>;
  /** The last printed text; nearly every reader asks for the same depth. */
  sidesPrinted: Printed | undefined;
  depthPrinted: Printed | undefined;
  /** The last indication; every reader has the same reference price. */
  indicated: { readonly referenceTicks: number; readonly found: Indication } | undefined;
}

interface Printed {
  readonly limit: number;
  readonly json: string;
}

const EMPTY_JSON = '{"bids":[],"asks":[]}';

export function createBooks(): Books {
  const books = new Map<string, Book>();

  /** The book, at least as precise as its market. */
  function at(symbol: string, precision: Precision): Book | undefined {
    const book = books.get(symbol);
    if (book === undefined) return undefined;
    const { quotePrecision, basePrecision } = precision;
    if (quotePrecision > book.quotePrecision || basePrecision > book.basePrecision) {
      refine(
        book,
        Math.max(quotePrecision, book.quotePrecision),
        Math.max(basePrecision, book.basePrecision),
      );
    }
    return book;
  }

  function printSides(book: Book, limit: number): string {
    if (book.sidesPrinted?.limit === limit) return book.sidesPrinted.json;
    const { bids, asks } = book.sides;
    const json = `{"bids":${printLevels(book, bids, limit)},"asks":${printLevels(book, asks, limit)}}`;
    book.sidesPrinted = { limit, json };
    return json;
  }

  return {
    has: (symbol) => books.has(symbol),
    view: at,
    printJson(symbol, precision, limit) {
      const book = at(symbol, precision);
      return book === undefined ? EMPTY_JSON : printSides(book, limit);
    },
    printDepth(symbol, precision, limit) {
      const book = at(symbol, precision) ?? emptyBook(precision);
      if (book.depthPrinted?.limit === limit) return book.depthPrinted.json;
      const sides = printSides(book, limit).slice(1, -1);
      const json = `{"symbol":"${symbol}","updateId":"${book.updateId}","time":"${book.time}",${sides},"checksum":"${checksumOf(book, book.sides)}"}`;
      book.depthPrinted = { limit, json };
      return json;
    },
    findBest(symbol, precision) {
      const book = at(symbol, precision);
      if (book === undefined) return undefined;
      const [bid] = book.sides.bids;
      const [ask] = book.sides.asks;
      return {
        updateId: book.updateId,
        bid: bid && printLevel(book, bid),
        ask: ask && printLevel(book, ask),
      };
    },
    findIndication(symbol, precision, reference) {
      const book = at(symbol, precision);
      if (book === undefined) return undefined;
      const tick = 10n ** BigInt(AMOUNT_DECIMALS - book.quotePrecision);
      const referenceTicks = Number(reference / tick);
      if (book.indicated?.referenceTicks === referenceTicks) return book.indicated.found;
      const { bids, asks } = book.sides;
      const found = { updateId: book.updateId, at: findUncross(bids, asks, referenceTicks) };
      book.indicated = { referenceTicks, found };
      return found;
    },
    reset(symbol, { updateId, time, bids, asks, limit, basePrecision, quotePrecision }) {
      const endOf = (levels: readonly Level[]) =>
        levels.length < limit ? undefined : levels.at(-1)?.priceTicks;
      books.set(symbol, {
        ...emptyBook({ basePrecision, quotePrecision }),
        updateId,
        time,
        sides: { bids: [...bids], asks: [...asks] },
        ends: { bids: endOf(bids), asks: endOf(asks) },
      });
    },
    apply({ symbol, updateId, time, priceDecimals, volumeDecimals, levels }) {
      const book = books.get(symbol);
      if (book === undefined || updateId > book.updateId + 1) return false;
      if (updateId <= book.updateId) return true;
      refine(book, priceDecimals, volumeDecimals);
      for (const { side, priceTicks, lots } of levels) {
        const name = side === 'buy' ? 'bids' : 'asks';
        const end = book.ends[name];
        if (end !== undefined && isBetter(name, end, priceTicks)) continue;
        setLevel(book.sides[name], name, { priceTicks, lots });
      }
      book.updateId = updateId;
      book.time = time;
      book.sidesPrinted = undefined;
      book.depthPrinted = undefined;
      book.indicated = undefined;
      return (
        (book.ends.bids === undefined || book.sides.bids.length >= DEPTH_MAX) &&
        (book.ends.asks === undefined || book.sides.asks.length >= DEPTH_MAX)
      );
    },
  };
}

function emptyBook({ basePrecision, quotePrecision }: Precision): Book {
  return {
    updateId: 0,
    time: 0,
    basePrecision,
    quotePrecision,
    sides: { bids: [], asks: [] },
    ends: { bids: undefined, asks: undefined },
    sidesPrinted: undefined,
    depthPrinted: undefined,
    indicated: undefined,
  };
}

/**
 * Converts prices and volumes to another precision. It decreases only while a market has no orders.
 */
function refine(book: Book, quotePrecision: number, basePrecision: number): void {
  if (quotePrecision === book.quotePrecision && basePrecision === book.basePrecision) return;
  const byTicks = 10 ** (quotePrecision - book.quotePrecision);
  const byLots = 10 ** (basePrecision - book.basePrecision);
  book.quotePrecision = quotePrecision;
  book.basePrecision = basePrecision;
  for (const side of ['bids', 'asks'] as const) {
    const levels = byTicks < 1 || byLots < 1 ? [] : book.sides[side];
    book.sides[side] = levels.map(({ priceTicks, lots }) => ({
      priceTicks: priceTicks * byTicks,
      lots: lots * byLots,
    }));
    const end = book.ends[side];
    if (end !== undefined) book.ends[side] = end * byTicks;
  }
  book.sidesPrinted = undefined;
  book.depthPrinted = undefined;
  book.indicated = undefined;
}
