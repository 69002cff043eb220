// Conditional orders of one market that wait for the price in one direction, sorted by stop price so
// that the next to fire is last.

import { assert } from './assert.ts';
import { CELLS, ID, STOP } from './record.ts';
import type { OrderPool } from './record.ts';
import { int32s, widen } from './room.ts';

export class TriggerList {
  /** True: fires when the price rises to the stop. False: when it falls to it. */
  readonly rising: boolean;
  readonly #pool: OrderPool;
  #keys: Float64Array = new Float64Array(16);
  #slots: Int32Array = new Int32Array(16);
  count = 0;

  constructor(rising: boolean, pool: OrderPool) {
    this.rising = rising;
    this.#pool = pool;
  }

  // A rising list fires its lowest stop first, so its keys are negated: the greatest key fires next.
  #key(stop: number): number {
    return this.rising ? -stop : stop;
  }

  /**
   * Among equal stops, those placed first fire first and stand last, in whatever order they were
   * added.
   */
  #lowerBound(key: number, id: number): number {
    const { f64 } = this.#pool;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const k = this.#keys[middle]!;
      const isBefore = k < key || (k === key && f64[this.#slots[middle]! * CELLS + ID]! > id);
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #placeOf(slot: number): number {
    const { f64 } = this.#pool;
    return this.#lowerBound(this.#key(f64[slot * CELLS + STOP]!), f64[slot * CELLS + ID]!);
  }

  /**
   * The position of the order that fires next after this stop and id, whether or not that order is
   * still there.
   */
  positionAfter(stop: number, id: number): number {
    return this.#lowerBound(this.#key(stop), id) - 1;
  }

  slotAt(position: number): number {
    return this.#slots[position]!;
  }

  add(slot: number): void {
    if (this.count === this.#keys.length) {
      this.#keys = widen(this.#keys, this.count * 2);
      this.#slots = widen(this.#slots, this.count * 2);
    }
    const at = this.#placeOf(slot);
    this.#keys.copyWithin(at + 1, at, this.count);
    this.#slots.copyWithin(at + 1, at, this.count);
    this.#keys[at] = this.#key(this.#pool.f64[slot * CELLS + STOP]!);
    this.#slots[at] = slot;
    this.count += 1;
  }

  /** Fills an empty list, sorting once instead of making room for each. */
  load(slots: Int32Array): void {
    assert(this.count === 0, 'the list is not empty');
    const { f64 } = this.#pool;
    const keyOf = (slot: number): number => this.#key(f64[slot * CELLS + STOP]!);
    // As add() leaves them.
    const sorted = slots.toSorted(
      (a, b) => keyOf(a) - keyOf(b) || f64[b * CELLS + ID]! - f64[a * CELLS + ID]!,
    );
    const size = Math.max(sorted.length, this.#keys.length);
    this.#slots = int32s(size);
    this.#slots.set(sorted);
    this.#keys = new Float64Array(size);
    for (const [i, slot] of sorted.entries()) this.#keys[i] = keyOf(slot);
    this.count = sorted.length;
  }

  remove(slot: number): void {
    assert(this.removeIfThere(slot), 'a conditional order is not in its list');
  }

  /** An order that was hit has left the list already, although it has not run yet. */
  removeIfThere(slot: number): boolean {
    const at = this.#placeOf(slot);
    if (at >= this.count || this.#slots[at] !== slot) return false;
    this.#keys.copyWithin(at, at + 1, this.count);
    this.#slots.copyWithin(at, at + 1, this.count);
    this.count -= 1;
    return true;
  }

  /** Takes out one order that the price satisfies, or gives -1. */
  takeHit(price: number): number {
    if (this.count === 0) return -1;
    const stop = this.#keys[this.count - 1]!;
    const hit = this.rising ? price >= -stop : price <= stop;
    if (!hit) return -1;
    this.count -= 1;
    return this.#slots[this.count]!;
  }

  rescale(byTicks: number): void {
    for (let i = 0; i < this.count; i++) this.#keys[i]! *= byTicks;
  }
}
