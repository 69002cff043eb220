// Trailing stops of one market, wherever they are: waiting for their activation price, following the price in a
// group, or fired by a step that has not come to them yet. Only of the last kind SHOWN is not zero: it holds the
// extreme.

import { assert } from './assert.ts';
import { BUY, SELL } from './names.ts';
import { OwnOrders } from './own-orders.ts';
import { CELLS, ID, NEXT, NONE, SHOWN, SIDE, STOP } from './record.ts';
import type { OrderPool } from './record.ts';
import { TrailSide } from './trail-side.ts';

/** All trailing stops of a market that have not run yet. */
export class Trails {
  readonly #pool: OrderPool;
  readonly #sides: readonly [TrailSide, TrailSide];
  /** All of them by id, those that a step has fired and that wait for their turn included. */
  readonly #all = new OwnOrders();
  count = 0;

  constructor(pool: OrderPool) {
    this.#pool = pool;
    this.#sides = [new TrailSide(BUY, pool), new TrailSide(SELL, pool)];
  }

  sideOf(side: number): TrailSide {
    return this.#sides[side]!;
  }

  #own(slot: number): TrailSide {
    return this.#sides[this.#pool.u32[slot * CELLS * 2 + SIDE]!]!;
  }

  /** Has the order begun to follow the price, or waits for nothing but the next trade? */
  isActive(slot: number): boolean {
    const { i32, f64 } = this.#pool;
    return i32[slot * CELLS * 2 + NEXT] !== NONE || f64[slot * CELLS + SHOWN] !== 0;
  }

  /** A new order. */
  enter(slot: number): void {
    this.#count(slot);
    this.#pool.i32[slot * CELLS * 2 + NEXT] = NONE;
    if (this.#pool.f64[slot * CELLS + STOP] === 0) this.#own(slot).add(slot);
    else this.#own(slot).sleeping.add(slot);
  }

  #count(slot: number): void {
    this.#all.add(slot, this.#pool.f64[slot * CELLS + ID]!);
    this.count += 1;
  }

  /** The order runs or ends, wherever it is. */
  leave(slot: number): void {
    const { f64, i32 } = this.#pool;
    if (i32[slot * CELLS * 2 + NEXT] !== NONE) this.#own(slot).remove(slot);
    else if (f64[slot * CELLS + SHOWN] === 0) this.#own(slot).sleeping.remove(slot);
    f64[slot * CELLS + SHOWN] = 0;
    this.#all.remove(slot, f64[slot * CELLS + ID]!);
    this.count -= 1;
  }

  /** Follows a trade at this price. */
  follow(price: number): void {
    this.#sides[BUY].follow(price);
    this.#sides[SELL].follow(price);
  }

  /** Takes out all orders that fire at the price; until they run or come back, SHOWN holds their extremes. */
  takeHits(price: number, take: (slot: number) => void): void {
    this.#sides[BUY].takeHits(price, take);
    this.#sides[SELL].takeHits(price, take);
  }

  /** Back into their groups with the extremes in SHOWN. The best come last, so that each finds its place at once. */
  putBack(slots: number[]): void {
    const { f64, u32 } = this.#pool;
    const keyOf = (slot: number): number => {
      const extreme = f64[slot * CELLS + SHOWN]!;
      return u32[slot * CELLS * 2 + SIDE] === BUY ? -extreme : extreme;
    };
    slots.sort((a, b) => keyOf(a) - keyOf(b));
    for (const slot of slots) this.#own(slot).putBack(slot);
  }

  /** Fills empty trails with restored orders, sorted by id, whose extremes are in SHOWN. */
  load(slots: readonly number[]): void {
    assert(this.count === 0, 'the trails are not empty');
    const { f64, i32, u32 } = this.#pool;
    const sleeping: [number[], number[]] = [[], []];
    const moving: number[] = [];
    for (const slot of slots) {
      this.#count(slot);
      i32[slot * CELLS * 2 + NEXT] = NONE;
      if (f64[slot * CELLS + SHOWN]! > 0) moving.push(slot);
      else if (f64[slot * CELLS + STOP] === 0) this.#own(slot).add(slot);
      else sleeping[u32[slot * CELLS * 2 + SIDE] === BUY ? BUY : SELL].push(slot);
    }
    for (const side of [BUY, SELL])
      this.sideOf(side).sleeping.load(Int32Array.from(sleeping[side]!));
    this.putBack(moving);
  }

  /** Slots by id, from the first above this one. */
  after(id: number): Generator<number, undefined> {
    return this.#all.after(this.#pool, id);
  }

  /** The extremes of all orders in groups. */
  *extremes(): Generator<[slot: number, extreme: number]> {
    for (const side of this.#sides) {
      for (const { extreme, slots } of side.groups()) {
        for (const slot of slots) yield [slot, extreme];
      }
    }
  }

  rescale(byTicks: number): void {
    for (const side of this.#sides) side.rescale(byTicks);
  }
}
