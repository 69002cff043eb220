// A binary heap of small integers by (due time, sequence), from which any member can be removed. A
// cancelled order must not leave its expiry behind, or memory would fill up.

import { assert } from './assert.ts';
import { widen } from './room.ts';

export class DueHeap {
  #items: Int32Array = new Int32Array(64);
  #due: Float64Array = new Float64Array(64);
  #seq: Float64Array = new Float64Array(64);
  /** The position of each member plus one; zero for non-members. */
  #place: Int32Array = new Int32Array(64);
  size = 0;

  /** Infinity when the heap is empty. */
  get due(): number {
    return this.size === 0 ? Infinity : this.#due[0]!;
  }
  get seq(): number {
    return this.size === 0 ? Infinity : this.#seq[0]!;
  }
  /** Is anything due by the time? */
  isDue(time: number): boolean {
    return this.size > 0 && this.#due[0]! <= time;
  }
  get top(): number {
    assert(this.size > 0, 'the heap is empty');
    return this.#items[0]!;
  }

  has(item: number): boolean {
    return item < this.#place.length && this.#place[item] !== 0;
  }

  dueOf(item: number): number {
    return this.has(item) ? this.#due[this.#place[item]! - 1]! : 0;
  }
  seqOf(item: number): number {
    return this.has(item) ? this.#seq[this.#place[item]! - 1]! : 0;
  }

  set(item: number, due: number, seq: number): void {
    if (this.has(item)) this.remove(item);
    if (item >= this.#place.length) {
      this.#place = widen(this.#place, Math.max(item + 1, this.#place.length * 2));
    }
    if (this.size === this.#items.length) this.#grow();
    this.#siftUp(this.size++, item, due, seq);
  }

  remove(item: number): void {
    if (!this.has(item)) return;
    const hole = this.#place[item]! - 1;
    this.#place[item] = 0;
    this.size -= 1;
    if (hole === this.size) return;
    const last = this.size;
    const [moved, due, seq] = [this.#items[last]!, this.#due[last]!, this.#seq[last]!];
    const parent = (hole - 1) >> 1;
    if (hole > 0 && this.#isBefore(due, seq, parent)) this.#siftUp(hole, moved, due, seq);
    else this.#siftDown(hole, moved, due, seq);
  }

  #isBefore(due: number, seq: number, at: number): boolean {
    const other = this.#due[at]!;
    return due < other || (due === other && seq < this.#seq[at]!);
  }

  #put(at: number, item: number, due: number, seq: number): void {
    this.#items[at] = item;
    this.#due[at] = due;
    this.#seq[at] = seq;
    this.#place[item] = at + 1;
  }

  #siftUp(from: number, item: number, due: number, seq: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(due, seq, parent)) break;
      this.#put(at, this.#items[parent]!, this.#due[parent]!, this.#seq[parent]!);
      at = parent;
    }
    this.#put(at, item, due, seq);
  }

  #siftDown(from: number, item: number, due: number, seq: number): void {
    let at = from;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.size) break;
      if (
        child + 1 < this.size &&
        this.#isBefore(this.#due[child + 1]!, this.#seq[child + 1]!, child)
      ) {
        child += 1;
      }
      if (this.#isBefore(due, seq, child)) break;
      this.#put(at, this.#items[child]!, this.#due[child]!, this.#seq[child]!);
      at = child;
    }
    this.#put(at, item, due, seq);
  }

  #grow(): void {
    const size = this.#items.length * 2;
    this.#items = widen(this.#items, size);
    this.#due = widen(this.#due, size);
    this.#seq = widen(this.#seq, size);
  }
}
