// The live orders of one account in one market, oldest first, for reading page by page. The links
// between an account's orders lead only from one to the next: a reader whose last order has ended
// since would have to begin again at the first, and a market with one order would be found behind a
// hundred thousand others. So this is a list of short lists, in which any id is found at once.

import { assert } from './assert.ts';
import * as record from './record.ts';
import type { OrderPool } from './record.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { CELLS, ID } = record;

const PART_MAX = 32;

export class OwnOrders {
  /** Slots, by the ids of their orders. No part is empty, unless it is the only one. */
  readonly #parts: number[][] = [[]];
  /** No id in a part is below its first. */
  readonly #firstIds: number[] = [0];

  /** Ids come from a counter, so a new order is always the last. */
  add(slot: number, id: number): void {
    const last = this.#parts[this.#parts.length - 1]!;
    if (last.length < PART_MAX) {
      last.push(slot);
      return;
    }
    this.#parts.push([slot]);
    this.#firstIds.push(id);
  }

  remove(slot: number, id: number): void {
    const at = this.#partOf(id);
    const part = this.#parts[at]!;
    const from = part.lastIndexOf(slot);
    assert(from >= 0, 'an order is not among those of its account');
    for (let i = from + 1; i < part.length; i++) part[i - 1] = part[i]!;
    part.pop();
    if (part.length > 0 || this.#parts.length === 1) return;
    this.#parts.splice(at, 1);
    this.#firstIds.splice(at, 1);
    this.#firstIds[0] = 0;
  }

  #partOf(id: number): number {
    let low = 0;
    let high = this.#firstIds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#firstIds[middle]! <= id) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The slots of orders with greater ids than this one, whether it is still there or not. */
  *after(pool: OrderPool, id: number): Generator<number, undefined> {
    const first = this.#partOf(id);
    for (let at = first; at < this.#parts.length; at++) {
      for (const slot of this.#parts[at]!) {
        if (at > first || pool.f64[slot * CELLS + ID]! > id) yield slot;
      }
    }
    return undefined;
  }
}
