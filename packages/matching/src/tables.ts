// Finding orders: by id, and by (account, client id). Open addressing with linear probing over slot
// numbers; a removal moves later entries back, so that no tombstones pile up over years of churn.

import { assert } from './assert.ts';
import { CELLS, CLIENT, CLIENT_HASH, CLIENT_WORDS, ACCOUNT, ID, NONE } from './record.ts';
import type { OrderPool } from './record.ts';
import { int32s } from './room.ts';

/** How many places of the previous table are moved with every new entry. */
const MOVED_AT_ONCE = 8;
const NOTHING = new Int32Array(0);
/** Marks a moved entry in a table that is being moved. */
const GONE = -1;

/**
 * Slots by hash. An entry is two numbers, slot + 1 (zero where empty) and hash, so that probing
 * reads only the order it is looking for.
 * A table that is too small is replaced by a larger one, and its entries move a few at a time, with
 * every new entry; until all have moved, both are searched. Moving a million at once would be a
 * pause of 200 ms.
 */
abstract class SlotTable {
  protected readonly pool: OrderPool;
  protected entries: Int32Array;
  protected mask: number;
  /** The previous table, whose entries are still to be moved. Nothing is added to it. */
  protected before: Int32Array = NOTHING;
  protected beforeMask = 0;
  #moved = 0;
  count = 0;

  constructor(pool: OrderPool, capacity: number) {
    this.pool = pool;
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

  protected put(slot: number, hash: number): void {
    if (this.count * 2 > this.mask) this.#grow();
    if (this.before !== NOTHING) this.#moveSome(MOVED_AT_ONCE);
    this.count += 1;
    this.#enter(slot, hash);
  }

  #enter(slot: number, hash: number): void {
    const { entries, mask } = this;
    let at = hash & mask;
    while (entries[at * 2] !== 0) at = (at + 1) & mask;
    entries[at * 2] = slot + 1;
    entries[at * 2 + 1] = hash;
  }

  protected take(slot: number, hash: number): void {
    this.count -= 1;
    const { entries, mask } = this;
    let hole = hash & mask;
    while (entries[hole * 2] !== slot + 1) {
      if (entries[hole * 2] === 0) {
        this.#takeBefore(slot, hash);
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

  #takeBefore(slot: number, hash: number): void {
    const { before, beforeMask } = this;
    let at = hash & beforeMask;
    while (before[at * 2] !== slot + 1) {
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
      if (entry !== GONE) this.#enter(entry - 1, before[at * 2 + 1]!);
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
class OldIds extends SlotTable {
  insert(slot: number, id: number): void {
    this.put(slot, scatter(id));
  }

  remove(slot: number, id: number): void {
    this.take(slot, scatter(id));
  }

  find(id: number): number {
    const found = this.#findIn(this.entries, this.mask, id);
    if (found !== NONE || this.before === NOTHING) return found;
    return this.#findIn(this.before, this.beforeMask, id);
  }

  #findIn(entries: Int32Array, mask: number, id: number): number {
    const { f64 } = this.pool;
    const hash = scatter(id);
    for (let at = hash & mask; entries[at * 2] !== 0; at = (at + 1) & mask) {
      const slot = entries[at * 2]! - 1;
      if (entries[at * 2 + 1] !== hash || slot < 0) continue;
      if (f64[slot * CELLS + ID] === id) return slot;
    }
    return NONE;
  }
}

/**
 * Ids come from a counter, so a ring indexed by their low bits finds recent ones in memory that was
 * just used. An order that lives long enough to be overtaken moves to a separate table.
 */
export class IdTable {
  readonly #pool: OrderPool;
  readonly #old: OldIds;
  #ring: Int32Array;
  #mask: number;
  /** The smaller ring before, whose orders move over a few at a time, as in a table. */
  #before: Int32Array = NOTHING;
  #moved = 0;
  #count = 0;

  constructor(pool: OrderPool, capacity: number) {
    this.#pool = pool;
    this.#old = new OldIds(pool, 32);
    let size = 64;
    while (size < capacity) size *= 2;
    this.#ring = int32s(size);
    this.#mask = size - 1;
  }

  get count(): number {
    return this.#count;
  }

  #idOf(slot: number): number {
    return this.#pool.f64[slot * CELLS + ID]!;
  }

  insert(slot: number): void {
    if (this.#before !== NOTHING) this.#moveSome(MOVED_AT_ONCE);
    this.#count += 1;
    const at = (this.#idOf(slot) | 0) & this.#mask;
    const overtaken = this.#ring[at]!;
    if (overtaken !== 0) this.#old.insert(overtaken - 1, this.#idOf(overtaken - 1));
    this.#ring[at] = slot + 1;
    if (this.#old.count > this.#mask) this.#grow();
  }

  remove(slot: number): void {
    this.#count -= 1;
    const id = this.#idOf(slot);
    const before = this.#before;
    const at = (id | 0) & this.#mask;
    const atBefore = (id | 0) & (before.length - 1);
    if (this.#ring[at] === slot + 1) this.#ring[at] = 0;
    else if (before !== NOTHING && before[atBefore] === slot + 1) before[atBefore] = 0;
    else this.#old.remove(slot, id);
  }

  find(id: number): number {
    const entry = this.#ring[(id | 0) & this.#mask]!;
    if (entry !== 0 && this.#idOf(entry - 1) === id) return entry - 1;
    const before = this.#before;
    if (before !== NOTHING) {
      const former = before[(id | 0) & (before.length - 1)]!;
      if (former !== 0 && this.#idOf(former - 1) === id) return former - 1;
    }
    return this.#old.count === 0 ? NONE : this.#old.find(id);
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
      const id = this.#idOf(entry - 1);
      const at = (id | 0) & this.#mask;
      if (this.#ring[at] === 0) this.#ring[at] = entry;
      else this.#old.insert(entry - 1, id);
    }
    this.#moved = until;
    if (until === before.length) this.#before = NOTHING;
  }
}

/** The key of a state that has none yet. */
const NO_KEY = new Uint32Array(4);

/** Words of the client id being looked up, and its hash. */
export class ClientKey {
  readonly words = new Uint32Array(CLIENT_WORDS);
  hash = 0;
  readonly #secret: Uint32Array;

  /** `secret`: the four words that ids are hashed with. They may change; the next id is hashed with the new ones. */
  constructor(secret: Uint32Array = NO_KEY) {
    this.#secret = secret;
  }

  /** Says whether the text is a permitted id, after packing it. */
  set(account: number, text: string): boolean {
    const { words } = this;
    const { length } = text;
    if (length > CLIENT_WORDS * 4) return false;
    let word = 0;
    let at = 0;
    for (let i = 0; i < length; i++) {
      const c = text.charCodeAt(i);
      if (c > 127 || PERMITTED[c] === 0) return false;
      word |= c << ((i & 3) * 8);
      if ((i & 3) === 3 || i === length - 1) {
        words[at++] = word;
        word = 0;
      }
    }
    while (at < CLIENT_WORDS) words[at++] = 0;
    this.hash = hashClient(this.#secret, account, words, 0, length);
    return true;
  }
}

const FINAL_ROUNDS = 3;

/**
 * Hash of an account's client id of this many characters, packed in words[at …].
 * Clients choose these ids. If they could compute the hash, they could find sixty thousand ids for
 * one place of the table in a second, and from then on each order would walk over all of them. So
 * this is HalfSipHash-1-3, which the Linux kernel uses for its tables for the same reason: SipHash
 * with words of 32 bits, one round for every word of input and three at the end. Here all four
 * words of its state start secret, and each of the 128 bits is used once.
 * Which ids collide depends on every bit of the key. Nobody outside ever sees a hash, only how long
 * an order takes, and that reveals nothing about two ids until thousands share a place. Without
 * hashes to learn from, two ids share one of 2^20 places with a chance of about one in 2^20, as
 * random ones do; the known attacks on the single round need many chosen inputs with their outputs.
 */
export function hashClient(
  secret: Uint32Array,
  account: number,
  words: Uint32Array,
  at: number,
  length: number,
): number {
  let v0 = secret[0]! | 0;
  let v1 = secret[1]! | 0;
  let v2 = secret[2]! ^ 0x6c796765;
  let v3 = secret[3]! ^ 0x74656462;
  // The account, the id and the length, so that no input is a prefix of another; then nothing.
  const count = (length + 3) >> 2;
  const inputs = count + 2;
  for (let i = 0; i < inputs + FINAL_ROUNDS; i++) {
    let input = 0;
    if (i === 0) input = account;
    else if (i <= count) input = words[at + i - 1]! | 0;
    else if (i === count + 1) input = length;
    else if (i === inputs) v2 ^= 0xff;
    v3 ^= input;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= input;
  }
  return v1 ^ v3;
}

const PERMITTED = new Uint8Array(128);
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-') {
  PERMITTED[c.charCodeAt(0)] = 1;
}

export function clientText(words: Uint32Array, at: number): string {
  let text = '';
  for (let i = 0; i < CLIENT_WORDS * 4; i++) {
    const c = (words[at + (i >> 2)]! >>> ((i & 3) * 8)) & 0xff;
    if (c === 0) break;
    text += String.fromCharCode(c);
  }
  return text;
}

/** Characters of the id packed in words[at …]. */
function clientLength(words: Uint32Array, at: number): number {
  let length = CLIENT_WORDS * 4;
  while (length > 0 && words[at + ((length - 1) >> 2)]! >>> (((length - 1) & 3) * 8) === 0) {
    length -= 1;
  }
  return length;
}

export class ClientTable extends SlotTable {
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

  insert(slot: number): void {
    this.put(slot, this.pool.i32[slot * CELLS * 2 + CLIENT_HASH]!);
  }

  remove(slot: number): void {
    this.take(slot, this.pool.i32[slot * CELLS * 2 + CLIENT_HASH]!);
  }

  find(account: number, key: ClientKey): number {
    const found = this.#findIn(this.entries, this.mask, account, key);
    if (found !== NONE || this.before === NOTHING) return found;
    return this.#findIn(this.before, this.beforeMask, account, key);
  }

  #findIn(entries: Int32Array, mask: number, account: number, key: ClientKey): number {
    const { u32 } = this.pool;
    const { hash, words } = key;
    for (let at = hash & mask; entries[at * 2] !== 0; at = (at + 1) & mask) {
      const slot = entries[at * 2]! - 1;
      if (entries[at * 2 + 1] !== hash || slot < 0) continue;
      const o = slot * CELLS * 2;
      if (u32[o + ACCOUNT] !== account) continue;
      let i = 0;
      while (i < CLIENT_WORDS && u32[o + CLIENT + i] === words[i]) i++;
      if (i === CLIENT_WORDS) return slot;
    }
    return NONE;
  }
}
