// Orders live in one buffer, a fixed number of 8-byte cells each: no object per order, nothing for
// the garbage collector to walk, and an event about an order is a copy of its cells.
// Three views look at the same bytes: a cell is one double or two 32-bit words, and an amount is
// three cells (wide.ts). Public cells may be copied as doubles, including those that hold words: a
// copy may change the bits of a NaN, but the words there are small numbers or ASCII, whose upper
// half is never that of a NaN.

import { assert } from './assert.ts';
import { reserve, widen } from './room.ts';

// Cells holding doubles.
export const ID = 0;
export const PRICE = 1;
export const STOP = 2;
export const VOLUME = 3;
export const REMAINING = 4;
export const FILLED = 5;
export const PREVENTED = 6;
export const VISIBLE = 7;
export const CREATED = 8;
export const UPDATED = 9;
export const LAST_TRADE = 10;
export const TRIGGERED = 11;
export const EXPIRE = 12;
/** Sequence of the step that last changed the order; also the mark that the step has listed it. */
export const SEQ = 13;
// The terms as first asked for, which amendments leave alone: a repeated request is compared with them.
export const ASKED_PRICE = 14;
export const ASKED_STOP = 15;
export const ASKED_VOLUME = 16;
export const ASKED_VISIBLE = 17;

// Amounts, three cells each.
export const TOTAL = 18;
export const HELD = 21;
export const FILLED_TOTAL = 24;
export const FEE = 27;
export const REBATE = 30;

// Words; the number is an index into the 32-bit views, relative to twice the order's first cell.
export const ACCOUNT = 66;
export const MARKET = 67;
export const SIDE = 68;
export const TYPE = 69;
export const TIF = 70;
export const FLAGS = 71;
export const STP = 72;
export const STATUS = 73;
export const REASON = 74;
export const DECIMALS = 75;
/** The client id, nine words of four characters, filled up with zeros. */
export const CLIENT = 76;
export const CLIENT_WORDS = 9;
/** What few orders have, packed: see link.ts. */
export const LINK = 85;
/** Everything up to here is what the outside may see. */
export const PUBLIC_CELLS = 43;

// Words that only the core needs.
export const CLIENT_HASH = 86;
export const NEXT = 87;
export const PREV = 88;
export const MINE_NEXT = 89;
export const MINE_PREV = 90;
export const LEVEL = 91;
// Doubles again.
export const SHOWN = 46;
export const TIMER_SEQ = 47;
/** 384 bytes: six cache lines. */
export const CELLS = 48;

export const NONE = -1;

export const FLAG_POST_ONLY = 1;
export const FLAG_HAS_CLIENT = 2;
export const FLAG_BY_TOTAL = 4;
/** The request named its stpMode; otherwise the market's default was taken. */
export const FLAG_ASKED_STP = 8;
/** An exit of a bracket whose entry has not ended: neither in the book nor waiting for a price. */
export const FLAG_DORMANT = 16;

export class OrderPool {
  f64: Float64Array;
  u32: Uint32Array;
  i32: Int32Array;
  #capacity: number;
  #fresh = 0;
  #free = NONE;

  constructor(capacity: number) {
    this.u32 = new Uint32Array(reserve(capacity * CELLS * 8), 0, capacity * CELLS * 2);
    this.f64 = new Float64Array(this.u32.buffer, 0, capacity * CELLS);
    this.i32 = new Int32Array(this.u32.buffer, 0, capacity * CELLS * 2);
    this.#capacity = capacity;
  }

  /** A slot whose cells are to be written in full by the caller. */
  take(): number {
    if (this.#free !== NONE) {
      const slot = this.#free;
      this.#free = this.i32[slot * CELLS * 2 + NEXT]!;
      return slot;
    }
    if (this.#fresh === this.#capacity) this.#grow();
    return this.#fresh++;
  }

  /** The first of so many slots side by side, which are never given. */
  setAside(count: number): number {
    while (this.#fresh + count > this.#capacity) this.#grow();
    this.#fresh += count;
    return this.#fresh - count;
  }

  give(slot: number): void {
    this.i32[slot * CELLS * 2 + NEXT] = this.#free;
    this.#free = slot;
  }

  // Twice as many; the system gives memory only to those that are used.
  #grow(): void {
    const capacity = this.#capacity * 2;
    assert(capacity * CELLS < 2 ** 31, 'too many orders for one pool');
    this.u32 = widen(this.u32, capacity * CELLS * 2);
    this.f64 = new Float64Array(this.u32.buffer, 0, capacity * CELLS);
    this.i32 = new Int32Array(this.u32.buffer, 0, capacity * CELLS * 2);
    this.#capacity = capacity;
  }
}
