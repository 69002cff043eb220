// Trailing stops of one side of a market. A sell follows the highest trade price since it is active, a buy the lowest, and
// fires when the price has come back by the order's delta.
//
// A trade may move the extreme of thousands of orders at once, so orders do not carry it. Orders of one side with
// the same delta and the same extreme are a group, and the groups of a delta are sorted: a better price reaches the
// last groups first and makes one group of them, a worse price fires the first. A group is a ring of orders, so
// two become one in constant time, and every merge uses up a group that some order had begun.

import { trailAbove, trailBelow } from './amount.ts';
import { assert } from './assert.ts';
import { trailOf } from './link.ts';
import { SELL } from './names.ts';
import { CELLS, LEVEL, LINK, NEXT, NONE, PREV, SHOWN } from './record.ts';
import type { OrderPool } from './record.ts';
import { TriggerList } from './triggers.ts';

/** The key of orders that are active and have seen no trade yet: every price is better. */
const FRESH = -Infinity;

/** Orders of one delta with the same extreme. */
class Group {
  /** Where the pool of groups holds it; the first order of the ring has this number in LEVEL. */
  readonly index: number;
  track: Track | undefined;
  key = FRESH;
  head = NONE;
  /** The neighbours of its track: the one that fires before it, and the one after. */
  nearer: Group | undefined;
  farther: Group | undefined;

  constructor(index: number) {
    this.index = index;
  }
}

/** The groups of one delta, from the one that fires first. It exists as long as it has a group. */
class Track {
  readonly delta: number;
  /** Its place among the tracks of its side. */
  at: number;
  first: Group | undefined;
  last: Group | undefined;
  /** The key of the price at which the first group fires. */
  fires = FRESH;

  constructor(delta: number, at: number) {
    this.delta = delta;
    this.at = at;
  }
}

/** The trails of one side. Keys are prices for sells and negated prices for buys, so a greater key is always better. */
export class TrailSide {
  /** Those whose activation price was not reached yet. */
  readonly sleeping: TriggerList;
  readonly #pool: OrderPool;
  readonly #sign: number;
  readonly #tracks: Track[] = [];
  readonly #byDelta = new Map<number, Track>();
  readonly #groups: Group[] = [];
  #free: Group | undefined;
  /** A price whose key is not above this moves no group. It may be too low, never too high. */
  #leastKey = Infinity;
  /** A price whose key is above this fires no group. It may be too high, never too low. */
  #nearest = FRESH;
  /** Groups that were merged or moved so far: the work that prices have caused. */
  work = 0;

  constructor(side: number, pool: OrderPool) {
    this.sleeping = new TriggerList(side === SELL, pool);
    this.#pool = pool;
    this.#sign = side === SELL ? 1 : -1;
  }

  /** The extreme of a key as a price; zero before the first trade. */
  #priceOf(key: number): number {
    return key === FRESH ? 0 : key * this.#sign;
  }

  #firesAt(key: number, delta: number): number {
    if (key === FRESH) return FRESH;
    return this.#sign === 1 ? trailBelow(key, delta) : -trailAbove(-key, delta);
  }

  /** Begins to follow the price with the next trade. */
  add(slot: number): void {
    const track = this.#trackOf(slot);
    if (track.last?.key === FRESH) this.#join(track.last, slot);
    else this.#insert(track, undefined, FRESH, slot);
    this.#leastKey = FRESH;
  }

  /** Back into the group of the extreme in SHOWN. */
  putBack(slot: number): void {
    const { f64 } = this.#pool;
    const key = f64[slot * CELLS + SHOWN]! * this.#sign;
    f64[slot * CELLS + SHOWN] = 0;
    const track = this.#trackOf(slot);
    let group = track.first;
    while (group !== undefined && group.key > key) group = group.farther;
    if (group?.key === key) this.#join(group, slot);
    else this.#insert(track, group, key, slot);
    this.#leastKey = Math.min(this.#leastKey, key);
  }

  #trackOf(slot: number): Track {
    const delta = trailOf(this.#pool.u32[slot * CELLS * 2 + LINK]!);
    let track = this.#byDelta.get(delta);
    if (track === undefined) {
      track = new Track(delta, this.#tracks.length);
      this.#tracks.push(track);
      this.#byDelta.set(delta, track);
    }
    return track;
  }

  /** A new group of one order before another group, or at the end. */
  #insert(track: Track, farther: Group | undefined, key: number, slot: number): void {
    let group = this.#free;
    if (group === undefined) {
      group = new Group(this.#groups.length);
      this.#groups.push(group);
    } else this.#free = group.farther;
    const nearer = farther === undefined ? track.last : farther.nearer;
    group.track = track;
    group.key = key;
    group.head = slot;
    group.nearer = nearer;
    group.farther = farther;
    if (nearer === undefined) track.first = group;
    else nearer.farther = group;
    if (farther === undefined) track.last = group;
    else farther.nearer = group;
    const { i32 } = this.#pool;
    const word = slot * CELLS * 2;
    i32[word + NEXT] = slot;
    i32[word + PREV] = slot;
    i32[word + LEVEL] = group.index;
    if (nearer === undefined) this.#lookAtFirst(track);
  }

  #join(group: Group, slot: number): void {
    const { i32 } = this.#pool;
    const tail = i32[group.head * CELLS * 2 + PREV]!;
    i32[tail * CELLS * 2 + NEXT] = slot;
    i32[slot * CELLS * 2 + PREV] = tail;
    i32[slot * CELLS * 2 + NEXT] = group.head;
    i32[group.head * CELLS * 2 + PREV] = slot;
    i32[slot * CELLS * 2 + LEVEL] = NONE;
  }

  /** Takes an order out of its group. */
  remove(slot: number): void {
    const { i32 } = this.#pool;
    const word = slot * CELLS * 2;
    const next = i32[word + NEXT]!;
    const index = i32[word + LEVEL]!;
    if (next === slot) this.#drop(this.#groups[index]!);
    else {
      const previous = i32[word + PREV]!;
      i32[previous * CELLS * 2 + NEXT] = next;
      i32[next * CELLS * 2 + PREV] = previous;
      if (index !== NONE) {
        this.#groups[index]!.head = next;
        i32[next * CELLS * 2 + LEVEL] = index;
      }
    }
    i32[word + NEXT] = NONE;
    i32[word + LEVEL] = NONE;
  }

  /** Takes an empty or merged group away, and its track if that was the last. */
  #drop(group: Group): void {
    const { nearer, farther, track } = group;
    assert(track !== undefined, 'a group of trailing stops belongs to no delta');
    if (nearer === undefined) track.first = farther;
    else nearer.farther = farther;
    if (farther === undefined) track.last = nearer;
    else farther.nearer = nearer;
    group.track = undefined;
    group.nearer = undefined;
    group.head = NONE;
    group.farther = this.#free;
    this.#free = group;
    if (track.first === undefined) {
      const moved = this.#tracks.pop()!;
      if (moved !== track) {
        this.#tracks[track.at] = moved;
        moved.at = track.at;
      }
      this.#byDelta.delete(track.delta);
      track.fires = FRESH;
    } else if (nearer === undefined) this.#lookAtFirst(track);
  }

  #lookAtFirst(track: Track): void {
    track.fires = this.#firesAt(track.first!.key, track.delta);
    this.#nearest = Math.max(this.#nearest, track.fires);
  }

  /** Follows a trade: activates what waited for this price, then moves every extreme that it beats. */
  follow(price: number): void {
    const { sleeping } = this;
    for (let slot = sleeping.takeHit(price); slot >= 0; slot = sleeping.takeHit(price)) {
      this.add(slot);
    }
    const key = price * this.#sign;
    if (key <= this.#leastKey) return;
    let least = Infinity;
    for (const track of this.#tracks) {
      const group = track.last!;
      if (key > group.key) {
        this.work += 1;
        group.key = key;
        while (group.nearer !== undefined && group.nearer.key <= key) {
          this.#absorb(group, group.nearer);
        }
        if (track.first === group) this.#lookAtFirst(track);
      }
      least = Math.min(least, group.key);
    }
    this.#leastKey = least;
  }

  /** Moves all orders of one group into another, whose ring they continue. */
  #absorb(into: Group, group: Group): void {
    const { i32 } = this.#pool;
    const tail = i32[into.head * CELLS * 2 + PREV]!;
    const otherTail = i32[group.head * CELLS * 2 + PREV]!;
    i32[tail * CELLS * 2 + NEXT] = group.head;
    i32[group.head * CELLS * 2 + PREV] = tail;
    i32[otherTail * CELLS * 2 + NEXT] = into.head;
    i32[into.head * CELLS * 2 + PREV] = otherTail;
    i32[group.head * CELLS * 2 + LEVEL] = NONE;
    this.work += 1;
    this.#drop(group);
  }

  /** Takes out all orders that fire at the price, each with its extreme in SHOWN. */
  takeHits(price: number, take: (slot: number) => void): void {
    const key = price * this.#sign;
    if (key > this.#nearest) return;
    let nearest = FRESH;
    // From the end: an emptied track is replaced by the last one, which was looked at before.
    for (let i = this.#tracks.length - 1; i >= 0; i--) {
      const track = this.#tracks[i]!;
      while (track.first !== undefined && key <= track.fires) {
        const { head, key: extreme } = track.first;
        this.remove(head);
        this.#pool.f64[head * CELLS + SHOWN] = this.#priceOf(extreme);
        take(head);
      }
      nearest = Math.max(nearest, track.fires);
    }
    this.#nearest = nearest;
  }

  /** Prices count smaller ticks from now on. */
  rescale(byTicks: number): void {
    this.sleeping.rescale(byTicks);
    for (const track of this.#tracks) {
      for (let group = track.first; group !== undefined; group = group.farther) {
        group.key *= byTicks;
      }
    }
    this.#leastKey = FRESH;
    this.#nearest = FRESH;
    for (const track of this.#tracks) this.#lookAtFirst(track);
  }

  /** The groups as they are, delta by delta, from the one that fires first; for snapshots and audits. */
  *groups(): Generator<{ delta: number; extreme: number; fires: number; slots: number[] }> {
    const { i32 } = this.#pool;
    const limit = this.#pool.f64.length / CELLS;
    for (const track of this.#tracks) {
      for (let group = track.first; group !== undefined; group = group.farther) {
        const slots = [group.head];
        let slot = i32[group.head * CELLS * 2 + NEXT]!;
        for (; slot !== group.head && slots.length <= limit; slot = i32[slot * CELLS * 2 + NEXT]!) {
          slots.push(slot);
        }
        const fires = this.#firesAt(group.key, track.delta);
        const { delta } = track;
        yield {
          delta,
          extreme: this.#priceOf(group.key),
          fires: this.#priceOf(group === track.first ? track.fires : fires),
          slots,
        };
      }
    }
  }
}
