// A book rebuilt from a snapshot and the differences after it. It says when it no longer follows the venue's.
import { add, compare, multiply, subtract } from '../decimal/decimal.ts';
import { crc32 } from './crc32.ts';
import { isSorted, LEVELS_MAX, setLevel, type Level, type Side } from './levels.ts';

/** The `data` of a push of `depth:…`; a difference has `prevUpdateId`. */
export interface DepthData {
  readonly symbol: string;
  readonly updateId: string;
  readonly prevUpdateId?: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly checksum: string;
}

/** Why a push could not be applied: the book has to be fetched anew. */
export type BookFault = 'gap' | 'checksum' | 'disorder';

/** What an order of some volume would meet in this book. */
export interface Walk {
  /** What the book can give, at most what was asked for. */
  readonly volume: string;
  /** Sum of price times volume. */
  readonly total: string;
  /** The last price that is touched; empty if the side is empty. */
  readonly worstPrice: string;
  readonly levels: number;
  readonly isComplete: boolean;
}

const CHECKED_LEVELS = 25;

export class LocalBook {
  readonly symbol: string;
  #updateId = '';
  #sides: Record<Side, Level[]> = { bids: [], asks: [] };

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  /** Empty before the first snapshot. */
  get updateId(): string {
    return this.#updateId;
  }

  /** Best first. */
  get bids(): readonly Level[] {
    return this.#sides.bids;
  }

  /** Best first. */
  get asks(): readonly Level[] {
    return this.#sides.asks;
  }

  get bestBid(): Level | undefined {
    return this.#sides.bids[0];
  }

  get bestAsk(): Level | undefined {
    return this.#sides.asks[0];
  }

  /** Best ask minus best bid; undefined while a side is empty. */
  get spread(): string | undefined {
    const { bestBid, bestAsk } = this;
    return bestBid && bestAsk && subtract(bestAsk.price, bestBid.price);
  }

  /** CRC-32 over the best 25 levels of both sides, as the venue takes it. */
  get checksum(): string {
    const texts: string[] = [];
    for (let at = 0; at < CHECKED_LEVELS; at += 1) {
      for (const level of [this.#sides.bids[at], this.#sides.asks[at]]) {
        if (level !== undefined) texts.push(level.price, level.volume);
      }
    }
    return String(crc32(texts.join(':')));
  }

  /** Replaces the book. Returns what is wrong with the snapshot, if anything is. */
  replace(data: DepthData): BookFault | undefined {
    this.#sides = { bids: [...data.bids], asks: [...data.asks] };
    this.#updateId = data.updateId;
    return this.#check(data);
  }

  /** Applies one difference. After a fault the book is wrong until the next `replace`. */
  apply(data: DepthData): BookFault | undefined {
    if (data.prevUpdateId !== this.#updateId) return 'gap';
    for (const side of ['bids', 'asks'] as const) {
      for (const level of data[side]) setLevel(this.#sides[side], side, level);
    }
    this.#updateId = data.updateId;
    // Only a broken difference leaves more levels than a snapshot has: the book stays bounded.
    if (this.bids.length > LEVELS_MAX || this.asks.length > LEVELS_MAX) return 'disorder';
    return this.checksum === data.checksum ? undefined : 'checksum';
  }

  /** What buying (from the asks) or selling (to the bids) this volume would meet. */
  walk(side: 'buy' | 'sell', volume: string): Walk {
    const levels = side === 'buy' ? this.#sides.asks : this.#sides.bids;
    let left = volume;
    let total = '0';
    let worstPrice = '';
    let count = 0;
    for (const level of levels) {
      if (compare(left, '0') <= 0) break;
      const taken = compare(level.volume, left) < 0 ? level.volume : left;
      total = add(total, multiply(level.price, taken));
      left = subtract(left, taken);
      worstPrice = level.price;
      count += 1;
    }
    const isComplete = compare(left, '0') <= 0;
    return { volume: subtract(volume, left), total, worstPrice, levels: count, isComplete };
  }

  #check(data: DepthData): BookFault | undefined {
    const { bids, asks } = this.#sides;
    if (bids.length > LEVELS_MAX || asks.length > LEVELS_MAX) return 'disorder';
    if (!isSorted(bids, 'bids') || !isSorted(asks, 'asks')) return 'disorder';
    return this.checksum === data.checksum ? undefined : 'checksum';
  }
}
