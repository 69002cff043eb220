// The frame around every engine event: which orders and levels it touched, and what goes to the
// tape when it ends.

import { grown } from '../book.ts';
import type { BookSide } from '../book.ts';
import * as names from '../names.ts';
import * as record from '../record.ts';
import { rowOf } from '../state.ts';
import type { Account, Market, State } from '../state.ts';
import * as tape from '../tape.ts';
import * as wide from '../wide.ts';
import { add, copy, subtract } from '../wide.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { BOOK, HOLD_MOVE, JOURNAL, LEVEL_CHANGE, NOTE, ORDER, POSTING, STEP } = tape;
const { AVAILABLE, HOLD } = names;
const { CELLS, ID, PUBLIC_CELLS, SEQ, SHOWN, UPDATED } = record;
const { LIMBS } = wide;

export function beginStep(s: State, time: number, cause: number): void {
  s.engineSeq += 1;
  s.time = time;
  s.touchedCount = 0;
  s.levelCount = 0;
  s.touchedMarketCount = 0;
  s.tradePriceCount = 0;
  s.looksBack = false;
  s.mayRejoin = false;
  const at = s.tape.begin(STEP, 3);
  s.tape.f64[at] = s.engineSeq;
  s.tape.f64[at + 1] = time;
  s.tape.u32[(at + 2) * 2] = cause;
  s.tape.u32[(at + 2) * 2 + 1] = 0;
}

/** Writes a change that has no fixed shape: of an account, a market or a withdrawal. */
export function writeNote(s: State, kind: number, value: unknown): void {
  const at = s.tape.begin(NOTE, 1);
  s.tape.u32[at * 2] = kind;
  s.tape.u32[at * 2 + 1] = s.tape.note(value);
}

/** To be called for every order that changes in the step. */
export function touch(s: State, slot: number): void {
  const cell = slot * CELLS;
  const { f64 } = s.pool;
  if (f64[cell + SEQ] === s.engineSeq) return;
  f64[cell + SEQ] = s.engineSeq;
  f64[cell + UPDATED] = s.time;
  if (s.touchedCount === s.touched.length) {
    s.touched = grown(s.touched, new Int32Array(s.touchedCount * 2));
  }
  s.touched[s.touchedCount++] = slot;
}

function listLevel(s: State, market: Market, side: number, price: number, before: number): void {
  if (market.touchedSeq !== s.engineSeq) {
    market.touchedSeq = s.engineSeq;
    // Kept at its length: emptying and refilling a list would allocate in every step.
    s.touchedMarkets[s.touchedMarketCount++] = market;
  }
  if (s.mayRejoin) {
    for (let i = 0; i < s.levelCount; i++) {
      if (s.levelSide[i] === side && s.levelPrice[i] === price) return;
    }
  }
  if (s.levelCount === s.levelPrice.length) {
    const size = s.levelCount * 2;
    s.levelMarket = grown(s.levelMarket, new Int32Array(size));
    s.levelSide = grown(s.levelSide, new Int32Array(size));
    s.levelPrice = grown(s.levelPrice, new Float64Array(size));
    s.levelBefore = grown(s.levelBefore, new Float64Array(size));
  }
  const i = s.levelCount++;
  s.levelMarket[i] = market.index;
  s.levelSide[i] = side;
  s.levelPrice[i] = price;
  s.levelBefore[i] = before;
}

/** To be called before a level's visible volume changes. */
export function noteLevel(
  s: State,
  market: Market,
  book: BookSide,
  level: number,
  price: number,
): void {
  if (book.stampLevel(level, s.engineSeq)) return;
  listLevel(s, market, book.side, price, book.lotsOf(level));
}

/** Puts an order at the back of its level, with the volume that its SHOWN says. */
export function joinBook(
  s: State,
  market: Market,
  book: BookSide,
  slot: number,
  price: number,
): void {
  const level = book.join(slot);
  if (book.stampLevel(level, s.engineSeq)) return;
  const before = book.lotsOf(level) - s.pool.f64[slot * CELLS + SHOWN]!;
  listLevel(s, market, book.side, price, before);
}

export function endStep(s: State): void {
  for (let i = 0; i < s.touchedCount; i++) writeOrder(s, ORDER, s.touched[i]!);
  for (let i = 0; i < s.touchedMarketCount; i++) writeBook(s, s.touchedMarkets[i]!);
}

/** Copies the order's public cells into a record of the given kind. */
export function writeOrder(s: State, kind: number, slot: number): void {
  const at = s.tape.begin(kind, PUBLIC_CELLS);
  const to = s.tape.f64;
  const from = s.pool.f64;
  const cell = slot * CELLS;
  for (let i = 0; i < PUBLIC_CELLS; i++) to[at + i] = from[cell + i]!;
}

function writeBook(s: State, market: Market): void {
  let begun = false;
  for (let i = 0; i < s.levelCount; i++) {
    if (s.levelMarket[i] !== market.index) continue;
    const side = s.levelSide[i]!;
    const price = s.levelPrice[i]!;
    const lots = market.bookOf(side).lotsAt(price);
    if (lots === s.levelBefore[i]) continue;
    if (!begun) {
      begun = true;
      market.updateId += 1;
      const at = s.tape.begin(BOOK, 2);
      s.tape.f64[at] = market.updateId;
      s.tape.u32[(at + 1) * 2] = market.index;
      const { quotePrecision, basePrecision } = market.config;
      s.tape.u32[(at + 1) * 2 + 1] = quotePrecision | (basePrecision << 8);
    }
    const at = s.tape.begin(LEVEL_CHANGE, 3);
    s.tape.f64[at] = price;
    s.tape.f64[at + 1] = lots;
    s.tape.u32[(at + 2) * 2] = side;
    s.tape.u32[(at + 2) * 2 + 1] = 0;
  }
}

/** Opens a double entry; the postings that follow on the tape belong to it. */
export function journalNamed(s: State, kind: number, reference: string): void {
  const note = s.tape.note(reference);
  const at = s.tape.begin(JOURNAL, 1);
  s.tape.u32[at * 2] = kind;
  s.tape.u32[at * 2 + 1] = note;
}

/** Adds an amount to a bucket, and writes the posting. */
export function credit(
  s: State,
  account: Account,
  coin: number,
  bucket: number,
  a: Float64Array,
  i: number,
): void {
  const balance = rowOf(s, account, coin) + bucket * LIMBS;
  add(s.rows, balance, a, i);
  writePosting(s, account.index, coin, bucket, 0, a, i, balance);
}

/** Takes an amount out of a bucket, which must hold it, and writes the posting. */
export function debit(
  s: State,
  account: Account,
  coin: number,
  bucket: number,
  a: Float64Array,
  i: number,
): void {
  const balance = rowOf(s, account, coin) + bucket * LIMBS;
  subtract(s.rows, balance, a, i);
  writePosting(s, account.index, coin, bucket, 1, a, i, balance);
}

function writePosting(
  s: State,
  owner: number,
  coin: number,
  bucket: number,
  negative: number,
  a: Float64Array,
  i: number,
  balance: number,
): void {
  const t = s.tape;
  const at = t.begin(POSTING, 7);
  t.i32[at * 2] = owner;
  t.u32[at * 2 + 1] = (coin << 4) | (bucket << 2) | (negative << 1);
  copy(t.f64, at + 1, a, i);
  copy(t.f64, at + 4, s.rows, balance);
}

/**
 * Moves an amount between available and held of an account, as one double entry about an order. It
 * has its own record type because nearly every command makes one.
 */
export function moveForOrder(
  s: State,
  kind: number,
  slot: number,
  account: Account,
  coin: number,
  fromBucket: number,
  a: Float64Array,
  i: number,
): void {
  const available = rowOf(s, account, coin);
  const hold = available + HOLD * LIMBS;
  const { rows } = s;
  const toHold = fromBucket === AVAILABLE;
  if (toHold) {
    subtract(rows, available, a, i);
    add(rows, hold, a, i);
  } else {
    subtract(rows, hold, a, i);
    add(rows, available, a, i);
  }
  const t = s.tape;
  const at = t.begin(HOLD_MOVE, 11);
  t.f64[at] = s.pool.f64[slot * CELLS + ID]!;
  t.u32[(at + 1) * 2] = account.index;
  t.u32[(at + 1) * 2 + 1] = (coin << 8) | (kind << 1) | (toHold ? 1 : 0);
  copy(t.f64, at + 2, a, i);
  copy(t.f64, at + 5, rows, available);
  copy(t.f64, at + 8, rows, hold);
}
