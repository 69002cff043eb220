// Finding orders: by id, and by (account, client id). Open addressing with linear probing over slot
// numbers; a removal moves later entries back, so that no tombstones pile up over years of churn.

import { CELLS, CLIENT, CLIENT_HASH, CLIENT_WORDS, ACCOUNT, ID, NONE } from './record.ts';
import type { OrderPool } from './record.ts';

/**
 * Slots by hash. An entry is two numbers, slot + 1 (zero where empty) and hash, so that probing reads
 * no order but the one it is looking for.
 */
abstract class SlotTable {
  protected readonly pool: OrderPool;
  protected entries: Int32Array;
  protected mask: number;
  count = 0;

  constructor(pool: OrderPool, capacity: number) {
    this.pool = pool;
    let size = 64;
    while (size < capacity * 2) size *= 2;
    this.entries = new Int32Array(size * 2);
    this.mask = size - 1;
  }

  protected put(slot: number, hash: number): void {
    if (this.count * 2 > this.mask) this.#grow();
    this.count += 1;
    const { entries, mask } = this;
    let at = hash & mask;
    while (entries[at * 2] !== 0) at = (at + 1) & mask;
    entries[at * 2] = slot + 1;
    entries[at * 2 + 1] = hash;
  }

  protected take(slot: number, hash: number): void {
    const { entries, mask } = this;
    let hole = hash & mask;
    while (entries[hole * 2] !== slot + 1) hole = (hole + 1) & mask;
    this.count -= 1;
    let at = hole;
    for (;;) {
      at = (at + 1) & mask;
      const entry = entries[at * 2]!;
      if (entry === 0) break;
      const home = entries[at * 2 + 1]! & mask;
      // The entry may fill the hole unless its home lies after the hole, going round.
      const reaches = hole <= at ? home <= hole || home > at : home <= hole && home > at;
      if (reaches) {
        entries[hole * 2] = entry;
        entries[hole * 2 + 1] = entries[at * 2 + 1]!;
        hole = at;
      }
    }
    entries[hole * 2] = 0;
  }

  #grow(): void {
    const old = this.entries;
    this.entries = new Int32Array(old.length * 2);
    this.mask = this.entries.length / 2 - 1;
    this.count = 0;
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] !== 0) this.put(old[i]! - 1, old[i + 1]!);
    }
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
    const { entries, mask, pool } = this;
    const hash = scatter(id);
    for (let at = hash & mask; entries[at * 2] !== 0; at = (at + 1) & mask) {
      const slot = entries[at * 2]! - 1;
      if (entries[at * 2 + 1] === hash && pool.f64[slot * CELLS + ID] === id) return slot;
    }
    return NONE;
  }
}

/**
 * Ids come from a counter, so a ring indexed by their low bits finds recent ones in memory that was
 * just used. What lives long enough to be overtaken moves to a table of its own.
 */
export class IdTable {
  readonly #pool: OrderPool;
  readonly #old: OldIds;
  #ring: Int32Array;
  #mask: number;
  #count = 0;

  constructor(pool: OrderPool, capacity: number) {
    this.#pool = pool;
    this.#old = new OldIds(pool, 32);
    let size = 64;
    while (size < capacity) size *= 2;
    this.#ring = new Int32Array(size);
    this.#mask = size - 1;
  }

  get count(): number {
    return this.#count;
  }

  #idOf(slot: number): number {
    return this.#pool.f64[slot * CELLS + ID]!;
  }

  insert(slot: number): void {
    this.#count += 1;
    const at = (this.#idOf(slot) | 0) & this.#mask;
    const before = this.#ring[at]!;
    if (before !== 0) this.#old.insert(before - 1, this.#idOf(before - 1));
    this.#ring[at] = slot + 1;
    if (this.#old.count > this.#mask) this.#grow();
  }

  remove(slot: number): void {
    this.#count -= 1;
    const id = this.#idOf(slot);
    const at = (id | 0) & this.#mask;
    if (this.#ring[at] === slot + 1) this.#ring[at] = 0;
    else this.#old.remove(slot, id);
  }

  find(id: number): number {
    const entry = this.#ring[(id | 0) & this.#mask]!;
    if (entry !== 0 && this.#idOf(entry - 1) === id) return entry - 1;
    return this.#old.count === 0 ? NONE : this.#old.find(id);
  }

  // When more have been overtaken than the ring holds, it is too small.
  #grow(): void {
    const old = this.#ring;
    this.#ring = new Int32Array(old.length * 4);
    this.#mask = this.#ring.length - 1;
    for (const entry of old) {
      if (entry === 0) continue;
      this.#count -= 1;
      this.insert(entry - 1);
    }
  }
}

/** Words of the client id being looked up, and its hash. */
export class ClientKey {
  readonly words = new Uint32Array(CLIENT_WORDS);
  hash = 0;

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
    this.hash = hashClient(account, words, 0, length);
    return true;
  }
}

/** Hash of an account's client id of so many characters, packed in words[at …]. */
export function hashClient(
  account: number,
  words: Uint32Array,
  at: number,
  length: number,
): number {
  let h = account | 0;
  for (let i = 0; i * 4 < length; i++) {
    h = Math.imul(h ^ words[at + i]!, 0x9e3779b1);
    h ^= h >>> 15;
  }
  h = Math.imul(h, 0x85ebca6b);
  return h ^ (h >>> 13);
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

export class ClientTable extends SlotTable {
  insert(slot: number): void {
    this.put(slot, this.pool.i32[slot * CELLS * 2 + CLIENT_HASH]!);
  }

  remove(slot: number): void {
    this.take(slot, this.pool.i32[slot * CELLS * 2 + CLIENT_HASH]!);
  }

  find(account: number, key: ClientKey): number {
    const { entries, mask } = this;
    const { u32 } = this.pool;
    const { hash, words } = key;
    for (let at = hash & mask; entries[at * 2] !== 0; at = (at + 1) & mask) {
      if (entries[at * 2 + 1] !== hash) continue;
      const slot = entries[at * 2]! - 1;
      const o = slot * CELLS * 2;
      if (u32[o + ACCOUNT] !== account) continue;
      let i = 0;
      while (i < CLIENT_WORDS && u32[o + CLIENT + i] === words[i]) i++;
      if (i === CLIENT_WORDS) return slot;
    }
    return NONE;
  }
}
