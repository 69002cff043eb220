// One side of one market's book: price levels, each a queue of orders in the order they joined.
// Levels stand in an array sorted so that the best price is last. Almost all arrivals and
// departures happen near the best price, so they move few entries; far from it, a move is a short
// memmove.

import { assert } from './assert.ts';
import * as record from './record.ts';
import type { OrderPool } from './record.ts';
import * as names from './names.ts';
import { widen } from './room.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { CELLS, LEVEL, NEXT, NONE, PRICE, PREV, SHOWN } = record;
const { BUY } = names;

export class BookSide {
  readonly side: number;
  readonly #pool: OrderPool;
  /** Sorted keys: the price for bids, the negated price for asks, so that "better" is "greater". */
  #keys: Float64Array = new Float64Array(64);
  #order: Int32Array = new Int32Array(64);
  count = 0;

  // One entry per level, found through #order.
  #head: Int32Array = new Int32Array(64);
  #tail: Int32Array = new Int32Array(64);
  /** Visible lots. At most LIMITS.sideLotsMax, which is below 2^53, since the side's total is. */
  #lots: Float64Array = new Float64Array(64);
  #stamp: Float64Array = new Float64Array(64);
  #freeLevels: Int32Array = new Int32Array(64);
  #freeCount = 0;
  #levels = 0;

  constructor(side: number, pool: OrderPool) {
    this.side = side;
    this.#pool = pool;
  }

  /** The best price, or zero when the side is empty. */
  bestPrice(): number {
    return this.count === 0 ? 0 : this.priceAt(this.count - 1);
  }

  bestLevel(): number {
    return this.count === 0 ? NONE : this.#order[this.count - 1]!;
  }

  /** Positions run from the worst price (0) to the best (count - 1). */
  priceAt(position: number): number {
    const key = this.#keys[position]!;
    return this.side === BUY ? key : -key;
  }
  levelAt(position: number): number {
    return this.#order[position]!;
  }
  headOf(level: number): number {
    return this.#head[level]!;
  }
  lotsOf(level: number): number {
    return this.#lots[level]!;
  }

  /** Visible lots at a price; zero if there is no such level. */
  lotsAt(price: number): number {
    const at = this.#search(this.side === BUY ? price : -price);
    return at >= 0 ? this.#lots[this.#order[at]!]! : 0;
  }

  /** Marks the level as seen in this step; says whether it had been already. */
  stampLevel(level: number, step: number): boolean {
    if (this.#stamp[level] === step) return true;
    this.#stamp[level] = step;
    return false;
  }

  addLots(level: number, lots: number): void {
    this.#lots[level]! += lots;
  }

  /** Position of the key, or -1 - the position where it belongs. */
  #search(key: number): number {
    const keys = this.#keys;
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const k = keys[middle]!;
      if (k === key) return middle;
      if (k < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1 - low;
  }

  findLevel(price: number): number {
    const at = this.#search(this.side === BUY ? price : -price);
    return at >= 0 ? this.#order[at]! : NONE;
  }

  /** Puts the order at the back of its level, and says which level that is. Its SHOWN is counted. */
  join(slot: number): number {
    const price = this.#pool.f64[slot * CELLS + PRICE]!;
    const key = this.side === BUY ? price : -price;
    const at = this.#search(key);
    const level = at >= 0 ? this.#order[at]! : this.#insertLevel(-1 - at, key);
    this.#append(slot, level);
    return level;
  }

  #append(slot: number, level: number): void {
    const { f64, i32 } = this.#pool;
    const cell = slot * CELLS;
    const word = cell * 2;
    const tail = this.#tail[level]!;
    i32[word + NEXT] = NONE;
    i32[word + PREV] = tail;
    i32[word + LEVEL] = level;
    if (tail === NONE) this.#head[level] = slot;
    else i32[tail * CELLS * 2 + NEXT] = slot;
    this.#tail[level] = slot;
    this.#lots[level]! += f64[cell + SHOWN]!;
  }

  /**
   * Fills an empty side with orders given best level first, each level in queue order. Joining one
   * by one would move all levels for every new one, since each is worse than those before.
   */
  load(slots: Int32Array): void {
    assert(this.count === 0, 'the side of the book is not empty');
    const { f64 } = this.#pool;
    for (const slot of slots) {
      const price = f64[slot * CELLS + PRICE]!;
      const key = this.side === BUY ? price : -price;
      const last = this.count - 1;
      // Until all are there, the best level is first.
      if (last >= 0 && this.#keys[last] === key) this.#append(slot, this.#order[last]!);
      else {
        assert(last < 0 || key < this.#keys[last]!, 'the levels of the book are out of order');
        this.#append(slot, this.#insertLevel(this.count, key));
      }
    }
    this.#keys.subarray(0, this.count).reverse();
    this.#order.subarray(0, this.count).reverse();
  }

  /** Takes the order out of its level; a level without orders is removed. */
  leave(slot: number): void {
    const { f64, i32 } = this.#pool;
    const cell = slot * CELLS;
    const word = cell * 2;
    const level = i32[word + LEVEL]!;
    this.#unlink(word, level);
    this.#lots[level]! -= f64[cell + SHOWN]!;
    i32[word + LEVEL] = NONE;
    if (this.#head[level] === NONE) {
      assert(this.#lots[level] === 0, 'an empty level shows volume');
      this.#removeLevel(f64[cell + PRICE]!, level);
    }
  }

  /** An iceberg's next slice goes to the back; the level stays, also when it is alone there. */
  requeue(slot: number): void {
    const { i32 } = this.#pool;
    const word = slot * CELLS * 2;
    const level = i32[word + LEVEL]!;
    if (this.#tail[level] === slot) return;
    this.#unlink(word, level);
    const tail = this.#tail[level]!;
    i32[word + NEXT] = NONE;
    i32[word + PREV] = tail;
    i32[tail * CELLS * 2 + NEXT] = slot;
    this.#tail[level] = slot;
  }

  #unlink(word: number, level: number): void {
    const { i32 } = this.#pool;
    const next = i32[word + NEXT]!;
    const previous = i32[word + PREV]!;
    if (previous === NONE) this.#head[level] = next;
    else i32[previous * CELLS * 2 + NEXT] = next;
    if (next === NONE) this.#tail[level] = previous;
    else i32[next * CELLS * 2 + PREV] = previous;
  }

  #insertLevel(at: number, key: number): number {
    if (this.count === this.#keys.length) this.#growOrder();
    const level = this.#freeCount > 0 ? this.#freeLevels[--this.#freeCount]! : this.#newLevel();
    this.#head[level] = NONE;
    this.#tail[level] = NONE;
    this.#lots[level] = 0;
    this.#stamp[level] = 0;
    const keys = this.#keys;
    const order = this.#order;
    if (this.count - at > 64) {
      keys.copyWithin(at + 1, at, this.count);
      order.copyWithin(at + 1, at, this.count);
    } else {
      for (let i = this.count; i > at; i--) {
        keys[i] = keys[i - 1]!;
        order[i] = order[i - 1]!;
      }
    }
    keys[at] = key;
    order[at] = level;
    this.count += 1;
    return level;
  }

  #removeLevel(price: number, level: number): void {
    const at = this.#search(this.side === BUY ? price : -price);
    assert(at >= 0 && this.#order[at] === level, 'a level is not where its price says');
    this.count -= 1;
    const keys = this.#keys;
    const order = this.#order;
    if (this.count - at > 64) {
      keys.copyWithin(at, at + 1, this.count + 1);
      order.copyWithin(at, at + 1, this.count + 1);
    } else {
      for (let i = at; i < this.count; i++) {
        keys[i] = keys[i + 1]!;
        order[i] = order[i + 1]!;
      }
    }
    this.#freeLevels[this.#freeCount++] = level;
  }

  #newLevel(): number {
    if (this.#levels === this.#head.length) {
      const size = this.#levels * 2;
      this.#head = widen(this.#head, size);
      this.#tail = widen(this.#tail, size);
      this.#lots = widen(this.#lots, size);
      this.#stamp = widen(this.#stamp, size);
      this.#freeLevels = widen(this.#freeLevels, size);
    }
    return this.#levels++;
  }

  #growOrder(): void {
    const size = this.#keys.length * 2;
    this.#keys = widen(this.#keys, size);
    this.#order = widen(this.#order, size);
  }

  /** Multiplies every price and volume when the market's precision rises. */
  rescale(byTicks: number, byLots: number): void {
    for (let i = 0; i < this.count; i++) {
      this.#keys[i]! *= byTicks;
      this.#lots[this.#order[i]!]! *= byLots;
    }
  }
}

export function grown<T extends Int32Array | Float64Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
