// Finished orders, oldest first. They are only remembered: nothing about them changes any more, so they lie as
// short entries (finished-entry.ts) outside of the records, which are for orders at work. Who wants to read one
// gets it recalled into a record.
// Entries lie one after the other in chunks, which are linked: a chunk becomes free when its last entry is
// forgotten.

import { assert } from './assert.ts';
import {
  LONGEST,
  SHORTEST,
  accountAt,
  clientWordAt,
  hasClientAt,
  hashAt,
  idAt,
  lengthAt,
  readEntry,
  seqAt,
  setHashAt,
  writeEntry,
} from './finished-entry.ts';
import * as record from './record.ts';
import type { OrderPool } from './record.ts';
import { widen } from './room.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { CELLS, CLIENT_HASH, CLIENT_WORDS, ID, NONE } = record;

/** Words of a chunk; its first is the number of the next one. */
const CHUNK = 4096;
/** Records for recalled orders. One command names 50 orders at most, and each has up to two others in its list. */
const RECALLED = 256;

export class FinishedOrders {
  readonly #pool: OrderPool;
  #words: Uint32Array = new Uint32Array(2 * CHUNK);
  /** How many chunks there are. The first is never used, so that no place and no number of one is zero. */
  #chunks = 2;
  /** A free chunk, whose first word is the number of the next; zero if there is none. */
  #free = 0;
  #head = CHUNK + 1;
  #end = CHUNK + 1;
  #count = 0;
  #wordCount = 0;
  /** The first of the records for recalled orders, and which entry each holds. */
  readonly #firstSlot: number;
  readonly #recalled = new Int32Array(RECALLED);
  #recalls = 0;

  constructor(pool: OrderPool) {
    this.#pool = pool;
    this.#firstSlot = pool.setAside(RECALLED);
  }

  get count(): number {
    return this.#count;
  }

  /** Words of all entries. */
  get wordCount(): number {
    return this.#wordCount;
  }

  /** Bytes of the chunks, with what is free in them. */
  get bytes(): number {
    return this.#chunks * CHUNK * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** The place of the oldest; there must be one. */
  get oldest(): number {
    return this.#head;
  }

  lengthOf(place: number): number {
    return lengthAt(this.#words, place);
  }

  idOf(place: number): number {
    return idAt(this.#words, place);
  }

  hashOf(place: number): number {
    return hashAt(this.#words, place);
  }

  setHash(place: number, hash: number): void {
    setHashAt(this.#words, place, hash);
  }

  accountOf(place: number): number {
    return accountAt(this.#words, place);
  }

  hasClient(place: number): boolean {
    return hasClientAt(this.#words, place);
  }

  /** The sequence of the step in which the order finished. */
  seqOf(place: number): number {
    return seqAt(this.#words, place);
  }

  /** Is this its client id, packed? */
  isClient(place: number, client: Uint32Array): boolean {
    for (let i = 0; i < CLIENT_WORDS; i++) {
      if (clientWordAt(this.#words, place, i) !== client[i]) return false;
    }
    return true;
  }

  readClient(place: number, to: Uint32Array): void {
    for (let i = 0; i < CLIENT_WORDS; i++) to[i] = clientWordAt(this.#words, place, i);
  }

  /** Adds the order in the slot as the newest, and gives its place. The slot is not needed afterwards. */
  push(slot: number): number {
    this.#makeRoom();
    const place = this.#end;
    const length = writeEntry(this.#words, place, this.#pool, slot);
    this.#end += length;
    this.#wordCount += length;
    this.#count += 1;
    return place;
  }

  /** Adds the entry at entries[from …], which pieces() gave, as the newest, and gives its place. */
  load(entries: Uint32Array, from: number): number {
    this.#makeRoom();
    const length = (entries[from] ?? 0) & 255;
    assert(
      length >= SHORTEST && length <= LONGEST && from + length <= entries.length,
      'a finished order is longer or shorter than it can be, or the bytes end too early',
    );
    const words = this.#words;
    const place = this.#end;
    for (let i = 0; i < length; i++) words[place + i] = entries[from + i]!;
    this.#end += length;
    this.#wordCount += length;
    this.#count += 1;
    return place;
  }

  /** Forgets the oldest. */
  drop(): void {
    assert(this.#count > 0, 'there is no finished order to forget');
    this.#count -= 1;
    this.#wordCount -= lengthAt(this.#words, this.#head);
    const chunk = chunkOf(this.#head);
    this.#head = this.#after(this.#head);
    // The end of a full chunk is where the next one begins in memory.
    if (chunkOf(this.#head - 1) !== chunk) this.#freeChunk(chunk);
  }

  /** The place after an entry: that of the next one, or the end. */
  #after(place: number): number {
    const words = this.#words;
    const next = place + lengthAt(words, place);
    if (next === this.#end || (next % CHUNK !== 0 && words[next] !== 0)) return next;
    return words[chunkOf(place) * CHUNK]! * CHUNK + 1;
  }

  /** Makes sure that the longest entry fits. A zero marks the end of the entries of a chunk, if it is not full. */
  #makeRoom(): void {
    const last = chunkOf(this.#end - 1);
    if ((last + 1) * CHUNK - this.#end >= LONGEST) return;
    if (this.#end % CHUNK !== 0) this.#words[this.#end] = 0;
    const chunk = this.#takeChunk();
    this.#end = chunk * CHUNK + 1;
    if (this.#count > 0) this.#words[last * CHUNK] = chunk;
    else {
      this.#freeChunk(last);
      this.#head = this.#end;
    }
  }

  #takeChunk(): number {
    const chunk = this.#free;
    if (chunk !== 0) {
      this.#free = this.#words[chunk * CHUNK]!;
      return chunk;
    }
    if ((this.#chunks + 1) * CHUNK > this.#words.length) {
      const length = this.#words.length * 2;
      assert(length <= 2 ** 31, 'too many finished orders');
      this.#words = widen(this.#words, length);
    }
    this.#chunks += 1;
    return this.#chunks - 1;
  }

  #freeChunk(chunk: number): void {
    this.#words[chunk * CHUNK] = this.#free;
    this.#free = chunk;
  }

  /** A record with the order. It stays until so many others were recalled that no command names as many. */
  recall(place: number): number {
    const id = this.idOf(place);
    const hash = this.hashOf(place);
    const { f64, i32 } = this.#pool;
    for (let i = 0; i < RECALLED; i++) {
      const slot = this.#firstSlot + i;
      // Another order may lie at the place since, or have another hash after a change of the key.
      if (this.#recalled[i] !== place || f64[slot * CELLS + ID] !== id) continue;
      if (i32[slot * CELLS * 2 + CLIENT_HASH] === hash) return slot;
    }
    const at = this.#recalls % RECALLED;
    this.#recalls += 1;
    this.#recalled[at] = place;
    const slot = this.#firstSlot + at;
    readEntry(this.#words, place, this.#pool, slot);
    return slot;
  }

  /** The places, oldest first. */
  *places(): Generator<number> {
    let place = this.#head;
    for (let i = 0; i < this.#count; i++) {
      yield place;
      place = this.#after(place);
    }
  }

  /** The words of all entries, oldest first, in pieces. */
  *pieces(): Generator<Uint32Array> {
    const words = this.#words;
    let from = NONE;
    let until = NONE;
    for (const place of this.places()) {
      if (place !== until) {
        if (from !== NONE) yield words.subarray(from, until);
        from = place;
      }
      until = place + lengthAt(words, place);
    }
    if (from !== NONE) yield words.subarray(from, until);
  }
}

const chunkOf = (place: number): number => (place / CHUNK) | 0;
