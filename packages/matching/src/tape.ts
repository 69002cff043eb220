// What a command caused, written as numbers into a reused buffer. The engine keeps one tape per
// batch, uses its bytes for the digest, and lets consumers decode it; the core makes no garbage for
// it.
// Every word of a record is written, so that equal histories give equal bytes whatever the buffer
// held before.
// A record is a head cell (kind, number of cells) and its cells: doubles, or pairs of 32-bit words,
// or amounts of three cells. Rare contents without a fixed shape (a refusal's details, a market's
// configuration) lie in `notes`, and the record holds their index.

import { widen } from './room.ts';

export const STEP = 1; // engineSeq, time, words(cause, 0)
export const ORDER = 2; // the public cells of the order's record
export const TRADE = 3; // with every amount and balance of its double entry, see settle.ts
export const PREVENTED_MATCH = 4;
export const JOURNAL = 5; // words(kind, note of the reference)
export const POSTING = 6;
export const BOOK = 7; // updateId, words(market, decimals of price | of volume << 8)
export const LEVEL_CHANGE = 8; // price, lots, words(side, 0)
export const PHASE = 9; // until, words(market, phase)
export const TIMER = 10; // due, words(account, 0)
export const NOTE = 11; // words(kind, note): a change of a withdrawal, an account or a market, or a reversal
export const RESULT = 12; // words(kind, argument), double
export const END = 13;
/** price, lots, imbalance, reference, words(market, decimals of price | of volume << 8) */
export const UNCROSS = 15;
export const HOLD_MOVE = 14; // order id, words(account, coin/kind/direction), amount, balances after

export const NOTE_WITHDRAWAL = 0;
export const NOTE_ACCOUNT = 1;
export const NOTE_MARKET = 2;
export const NOTE_REVERSAL = 3;

export const R_DONE = 0;
export const R_PLACED = 1;
export const R_REPLAY = 2;
export const R_REJECTED = 3;
export const R_LOOKUP_AGAIN = 4;
export const R_BATCH = 5;
export const R_BATCH_REJECTED = 6;
export const R_TESTED = 7;
/** words(kind, 1 if the order follows), order id */
export const R_CANCELED = 8;
export const R_CANCELED_ALL = 9;
/** words(kind, bits): the order kept its place, and AMENDED_BEFORE; then the order follows. */
export const R_AMENDED = 10;
export const AMENDED_BEFORE = 2;
export const R_TIMER = 11;
export const R_MOVED = 12;
export const R_SWEPT = 13;
/** words(kind, replay), count of orders; the orders follow as ORDER records of the result. */
export const R_LISTED = 14;
/** After the results of the cancel and, if there was one, the placement: words(kind, how many). */
export const R_REPLACED = 15;
/** words(kind, note of what was taken and what was missing), replay */
export const R_REVERSED = 16;

/** The longest record is a trade's: 53 cells and the head. */
const LONGEST = 64;

export class Tape {
  f64: Float64Array;
  u32: Uint32Array;
  i32: Int32Array;
  /** Cells written. */
  length = 0;
  readonly notes: unknown[] = [];

  constructor(cells: number = 1 << 16) {
    const buffer = new ArrayBuffer(cells * 8);
    this.f64 = new Float64Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
  }

  /** A tape to be read, made from bytes that were written before. They are copied. */
  static from(bytes: Uint8Array, notes: readonly unknown[]): Tape {
    const tape = new Tape(Math.max(1, bytes.length / 8));
    new Uint8Array(tape.f64.buffer).set(bytes);
    tape.length = bytes.length / 8;
    tape.notes.push(...notes);
    return tape;
  }

  /** Forgets everything written, and keeps the buffer. */
  clear(): void {
    this.length = 0;
    if (this.notes.length > 0) this.notes.length = 0;
  }

  /** The bytes written so far; a view, valid until the next write. */
  bytes(): Uint8Array {
    return new Uint8Array(this.f64.buffer, 0, this.length * 8);
  }

  /** Begins a record of `cells` cells after its head, and gives the index of the first of them. */
  begin(kind: number, cells: number): number {
    if (this.length + LONGEST > this.f64.length) this.#grow();
    const head = this.length;
    this.u32[head * 2] = kind;
    this.u32[head * 2 + 1] = cells;
    this.length = head + 1 + cells;
    return head + 1;
  }

  note(value: unknown): number {
    this.notes.push(value);
    return this.notes.length - 1;
  }

  #grow(): void {
    const cells = this.f64.length * 2;
    this.u32 = widen(this.u32, cells * 2);
    this.f64 = new Float64Array(this.u32.buffer, 0, cells);
    this.i32 = new Int32Array(this.u32.buffer, 0, cells * 2);
  }
}
