// Finding orders: by id, and by (account, client id). Open addressing with linear probing; a removal moves
// later entries back, so that no tombstones pile up over years of churn.
// An order is named by where it is: slot + 1 for one at work, ~place for a finished one. So zero is nobody, and
// an order that finishes keeps its place in the tables under its new name.

import { assert } from './assert.ts';
import { clientLength, hashClient } from './client-key.ts';
import type { ClientKey } from './client-key.ts';
import { FinishedOrders } from './finished.ts';
import * as record from './record.ts';
import type { OrderPool } from './record.ts';
import { int32s } from './room.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { CELLS, CLIENT, CLIENT_HASH, CLIENT_WORDS, ACCOUNT, ID, NONE } = record;

/** How many places of the previous table are moved with every new entry. */
const MOVED_AT_ONCE = 8;
const NOTHING = new Int32Array(0);
/** Marks a moved entry in a table that is being moved. No order has this name, because no place is zero. */
const GONE = -1;
const ofSlot = (slot: number): number => slot + 1;
const ofPlace = (place: number): number => ~place;

/**
 * Orders by hash. An entry is two numbers, the order's name (zero where empty) and its hash, so that probing
 * reads only the order it is looking for.
 * A table that is too small is replaced by a larger one, and its entries move a few at a time, with
 * every new entry; until all have moved, both are searched. Moving a million at once would be a
 * pause of 200 ms.
 */
abstract class HashTable {
  protected readonly pool: OrderPool;
  protected readonly finished: FinishedOrders;
  protected entries: Int32Array;
  protected mask: number;
  /** The previous table, whose entries are still to be moved. Nothing is added to it. */
  protected before: Int32Array = NOTHING;
  protected beforeMask = 0;
  #moved = 0;
  count = 0;

  constructor(
    pool: OrderPool,
    capacity: number,
    finished: FinishedOrders = new FinishedOrders(pool),
  ) {
    this.pool = pool;
    this.finished = finished;
    let size = 64;
    while (size < capacity * 2) size *= 2;
    this.entries = int32s(size * 2);
    this.mask = size - 1;
  }

  /** Forgets everything, and keeps the memory. */
  clear(): void {
    this.entries.fill(0);
    this.before = NOTHING;
    this.count = 0;
  }

  protected put(name: number, hash: number): void {
    if (this.count * 2 > this.mask) this.#grow();
    if (this.before !== NOTHING) this.#moveSome(MOVED_AT_ONCE);
    this.count += 1;
    this.#enter(name, hash);
  }

  #enter(name: number, hash: number): void {
    const { entries, mask } = this;
    let at = hash & mask;
    while (entries[at * 2] !== 0) at = (at + 1) & mask;
    entries[at * 2] = name;
    entries[at * 2 + 1] = hash;
  }

  protected rename(name: number, newName: number, hash: number): void {
    const { entries, mask, before, beforeMask } = this;
    let at = hash & mask;
    while (entries[at * 2] !== name && entries[at * 2] !== 0) at = (at + 1) & mask;
    if (entries[at * 2] === name) {
      entries[at * 2] = newName;
      return;
    }
    at = hash & beforeMask;
    while (before[at * 2] !== name) {
      assert(before !== NOTHING && before[at * 2] !== 0, 'an order is not in its table');
      at = (at + 1) & beforeMask;
    }
    before[at * 2] = newName;
  }

  protected take(name: number, hash: number): void {
    this.count -= 1;
    const { entries, mask } = this;
    let hole = hash & mask;
    while (entries[hole * 2] !== name) {
      if (entries[hole * 2] === 0) {
        this.#takeBefore(name, hash);
        return;
      }
      hole = (hole + 1) & mask;
    }
    let at = hole;
    for (;;) {
      at = (at + 1) & mask;
      const entry = entries[at * 2]!;
      if (entry === 0) break;
      const home = entries[at * 2 + 1]! & mask;
      // The entry may fill the hole unless its home lies after the hole, in circular order.
      const reaches = hole <= at ? home <= hole || home > at : home <= hole && home > at;
      if (reaches) {
        entries[hole * 2] = entry;
        entries[hole * 2 + 1] = entries[at * 2 + 1]!;
        hole = at;
      }
    }
    entries[hole * 2] = 0;
  }

  #takeBefore(name: number, hash: number): void {
    const { before, beforeMask } = this;
    let at = hash & beforeMask;
    while (before[at * 2] !== name) {
      assert(before !== NOTHING && before[at * 2] !== 0, 'an order is not in its table');
      at = (at + 1) & beforeMask;
    }
    before[at * 2] = GONE;
  }

  #grow(): void {
    // Already done by then: a table fills up in four times the steps that moving takes.
    this.#moveSome(this.before.length / 2);
    this.before = this.entries;
    this.beforeMask = this.mask;
    this.#moved = 0;
    this.entries = int32s(this.before.length * 2);
    this.mask = this.entries.length / 2 - 1;
  }

  #moveSome(count: number): void {
    const { before } = this;
    const until = Math.min(this.#moved + count, before.length / 2);
    for (let at = this.#moved; at < until; at++) {
      const entry = before[at * 2]!;
      if (entry === 0) continue;
      if (entry !== GONE) this.#enter(entry, before[at * 2 + 1]!);
      // Not zero, because zero would end the search for later entries.
      before[at * 2] = GONE;
    }
    this.#moved = until;
    if (until === before.length / 2) this.before = NOTHING;
  }
}

// Times an odd constant, ids from a counter scatter evenly over a table.
const scatter = (id: number): number => Math.imul(id | 0, 0x9e3779b1);

/** Orders whose place in the ring of recent ids was taken by a younger one. */
class OldIds extends HashTable {
  insert(name: number, id: number): void {
    this.put(name, scatter(id));
  }

  remove(name: number, id: number): void {
    this.take(name, scatter(id));
  }

  change(name: number, newName: number, id: number): void {
    this.rename(name, newName, scatter(id));
  }

  idOf(name: number): number {
    return name > 0 ? this.pool.f64[(name - 1) * CELLS + ID]! : this.finished.idOf(~name);
  }

  /** The order's name, or zero. */
  find(id: number): number {
    const found = this.#findIn(this.entries, this.mask, id);
    if (found !== 0 || this.before === NOTHING) return found;
    return this.#findIn(this.before, this.beforeMask, id);
  }

  #findIn(entries: Int32Array, mask: number, id: number): number {
    const hash = scatter(id);
    for (let at = hash & mask; entries[at * 2] !== 0; at = (at + 1) & mask) {
      const name = entries[at * 2]!;
      if (entries[at * 2 + 1] !== hash || name === GONE) continue;
      if (this.idOf(name) === id) return name;
    }
    return 0;
  }
}

/**
 * Ids come from a counter, so a ring indexed by their low bits finds recent ones in memory that was
 * just used. An order that lives long enough to be overtaken moves to a separate table.
 */
export class IdTable {
  readonly #pool: OrderPool;
  readonly #finished: FinishedOrders;
  readonly #old: OldIds;
  #ring: Int32Array;
  #mask: number;
  /** The smaller ring before, whose orders move over a few at a time, as in a table. */
  #before: Int32Array = NOTHING;
  #moved = 0;
  #count = 0;

  constructor(
    pool: OrderPool,
    capacity: number,
    finished: FinishedOrders = new FinishedOrders(pool),
  ) {
    this.#pool = pool;
    this.#finished = finished;
    this.#old = new OldIds(pool, 32, finished);
    let size = 64;
    while (size < capacity) size *= 2;
    this.#ring = int32s(size);
    this.#mask = size - 1;
  }

  get count(): number {
    return this.#count;
  }

  #idOf(name: number): number {
    return name > 0 ? this.#pool.f64[(name - 1) * CELLS + ID]! : this.#finished.idOf(~name);
  }

  insert(slot: number): void {
    this.#insert(ofSlot(slot), this.#pool.f64[slot * CELLS + ID]!);
  }

  insertFinished(place: number): void {
    this.#insert(ofPlace(place), this.#finished.idOf(place));
  }

  #insert(name: number, id: number): void {
    if (this.#before !== NOTHING) this.#moveSome(MOVED_AT_ONCE);
    this.#count += 1;
    const at = (id | 0) & this.#mask;
    const overtaken = this.#ring[at]!;
    if (overtaken !== 0) this.#old.insert(overtaken, this.#idOf(overtaken));
    this.#ring[at] = name;
    if (this.#old.count > this.#mask) this.#grow();
  }

  remove(slot: number): void {
    this.#remove(ofSlot(slot), this.#pool.f64[slot * CELLS + ID]!);
  }

  removeFinished(place: number): void {
    this.#remove(ofPlace(place), this.#finished.idOf(place));
  }

  #remove(name: number, id: number): void {
    this.#count -= 1;
    const before = this.#before;
    const at = (id | 0) & this.#mask;
    const atBefore = (id | 0) & (before.length - 1);
    if (this.#ring[at] === name) this.#ring[at] = 0;
    else if (before !== NOTHING && before[atBefore] === name) before[atBefore] = 0;
    else this.#old.remove(name, id);
  }

  /** The order in the slot has finished, and is at this place from now on. */
  finish(slot: number, place: number): void {
    const id = this.#finished.idOf(place);
    const before = this.#before;
    const name = ofSlot(slot);
    const at = (id | 0) & this.#mask;
    const atBefore = (id | 0) & (before.length - 1);
    if (this.#ring[at] === name) this.#ring[at] = ofPlace(place);
    else if (before !== NOTHING && before[atBefore] === name) before[atBefore] = ofPlace(place);
    else this.#old.change(name, ofPlace(place), id);
  }

  /** The slot of the order; a finished one is recalled into one. NONE if it is not known. */
  find(id: number): number {
    const name = this.#find(id);
    if (name > 0) return name - 1;
    return name === 0 ? NONE : this.#finished.recall(~name);
  }

  #find(id: number): number {
    const entry = this.#ring[(id | 0) & this.#mask]!;
    if (entry !== 0 && this.#idOf(entry) === id) return entry;
    const before = this.#before;
    if (before !== NOTHING) {
      const former = before[(id | 0) & (before.length - 1)]!;
      if (former !== 0 && this.#idOf(former) === id) return former;
    }
    return this.#old.count === 0 ? 0 : this.#old.find(id);
  }

  // When more have been overtaken than the ring holds, it is too small.
  #grow(): void {
    this.#moveSome(this.#before.length);
    this.#before = this.#ring;
    this.#moved = 0;
    this.#ring = int32s(this.#before.length * 4);
    this.#mask = this.#ring.length - 1;
  }

  #moveSome(count: number): void {
    const before = this.#before;
    const until = Math.min(this.#moved + count, before.length);
    for (let i = this.#moved; i < until; i++) {
      const entry = before[i]!;
      if (entry === 0) continue;
      before[i] = 0;
      const id = this.#idOf(entry);
      const at = (id | 0) & this.#mask;
      if (this.#ring[at] === 0) this.#ring[at] = entry;
      else this.#old.insert(entry, id);
    }
    this.#moved = until;
    if (until === before.length) this.#before = NOTHING;
  }
}

const clientWords = new Uint32Array(CLIENT_WORDS);

export class ClientTable extends HashTable {
  /** Enters an order whose client id lies in its cells. */
  enter(slot: number, secret: Uint32Array): void {
    const { u32, i32 } = this.pool;
    const word = slot * CELLS * 2;
    const at = word + CLIENT;
    i32[word + CLIENT_HASH] = hashClient(
      secret,
      u32[word + ACCOUNT]!,
      u32,
      at,
      clientLength(u32, at),
    );
    this.insert(slot);
  }

  /** The same for a finished order. */
  enterFinished(place: number, secret: Uint32Array): void {
    const { finished } = this;
    finished.readClient(place, clientWords);
    const length = clientLength(clientWords, 0);
    const account = finished.accountOf(place);
    finished.setHash(place, hashClient(secret, account, clientWords, 0, length));
    this.insertFinished(place);
  }

  insert(slot: number): void {
    this.put(ofSlot(slot), this.pool.i32[slot * CELLS * 2 + CLIENT_HASH]!);
  }

  /** An order that finished before, with its hash. */
  insertFinished(place: number): void {
    this.put(ofPlace(place), this.finished.hashOf(place));
  }

  remove(slot: number): void {
    this.take(ofSlot(slot), this.pool.i32[slot * CELLS * 2 + CLIENT_HASH]!);
  }

  removeFinished(place: number): void {
    this.take(ofPlace(place), this.finished.hashOf(place));
  }

  /** The order in the slot has finished, and is at this place from now on. */
  finish(slot: number, place: number): void {
    this.rename(ofSlot(slot), ofPlace(place), this.finished.hashOf(place));
  }

  /** The slot of the order; a finished one is recalled into one. NONE if it is not known. */
  find(account: number, key: ClientKey): number {
    const found = this.#findIn(this.entries, this.mask, account, key);
    if (found !== NONE || this.before === NOTHING) return found;
    return this.#findIn(this.before, this.beforeMask, account, key);
  }

  #findIn(entries: Int32Array, mask: number, account: number, key: ClientKey): number {
    const { u32 } = this.pool;
    const { hash, words } = key;
    for (let at = hash & mask; entries[at * 2] !== 0; at = (at + 1) & mask) {
      const name = entries[at * 2]!;
      if (entries[at * 2 + 1] !== hash || name === GONE) continue;
      if (name < 0) {
        const place = ~name;
        if (this.finished.accountOf(place) !== account) continue;
        if (this.finished.isClient(place, words)) return this.finished.recall(place);
        continue;
      }
      const o = (name - 1) * CELLS * 2;
      if (u32[o + ACCOUNT] !== account) continue;
      let i = 0;
      while (i < CLIENT_WORDS && u32[o + CLIENT + i] === words[i]) i++;
      if (i === CLIENT_WORDS) return name - 1;
    }
    return NONE;
  }
}
