// A watched book, kept as the text that the venue sends: its checksum is over text, and no digit is lost on the way.
import { functions } from 'ccxt';
import type { SentLevel } from '../rest/markets.ts';

/** A snapshot or a difference of the depth channel. */
export interface SentDepth {
  readonly updateId: string;
  readonly prevUpdateId?: string;
  readonly bids: readonly SentLevel[];
  readonly asks: readonly SentLevel[];
  readonly checksum: string;
}

/** Levels of each side that the checksum covers. */
const CHECKED_LEVELS = 25;

export class WatchedBook {
  readonly bids = new Side((a, b) => comparePrices(b, a));
  readonly asks = new Side(comparePrices);
  updateId: string;

  constructor(snapshot: SentDepth) {
    this.updateId = snapshot.updateId;
    this.#store(snapshot);
  }

  /** Applies a difference; false if it does not follow what is here. */
  apply(update: SentDepth): boolean {
    if (update.prevUpdateId !== this.updateId) return false;
    this.#store(update);
    this.updateId = update.updateId;
    return true;
  }

  #store({ bids, asks }: SentDepth): void {
    for (const level of bids) this.bids.store(level);
    for (const level of asks) this.asks.store(level);
  }

  checksum(): string {
    const text: string[] = [];
    for (let index = 0; index < CHECKED_LEVELS; index += 1) {
      for (const { levels } of [this.bids, this.asks]) {
        const level = levels[index];
        if (level !== undefined) text.push(level.price, level.volume);
      }
    }
    return String(functions.crc32(text.join(':')));
  }
}

/** One side, best first. */
class Side {
  readonly levels: SentLevel[] = [];
  readonly #compare: (a: string, b: string) => number;

  constructor(compare: (a: string, b: string) => number) {
    this.#compare = compare;
  }

  /** Replaces the level of this price; a volume of zero removes it. */
  store(level: SentLevel): void {
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(this.levels[middle]?.price ?? '', level.price);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    const isKnown = this.levels[low]?.price === level.price;
    const isGone = !/[1-9]/.test(level.volume);
    this.levels.splice(low, isKnown ? 1 : 0, ...(isGone ? [] : [level]));
  }
}

/** Prices of one market have the same number of decimals, so the longer text is the higher price. */
const comparePrices = (a: string, b: string): number =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length;
