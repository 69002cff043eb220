// Matching: price, then time, at the resting order's price.

import { assert } from '../assert.ts';
import * as names from '../names.ts';
import { isMarketKind, reasonNumber } from '../names.ts';
import * as record from '../record.ts';
import type { Account, Market, State } from '../state.ts';
import * as tape from '../tape.ts';
import { add, copy, isZero, product, setZero, subtract } from '../wide.ts';
import { hasExpired, isExpired } from './expiry.ts';
import { changePhase, isHaltPrice, noteTradePrice } from './phase.ts';
import { JOURNAL_RELEASE, coinGiven, decide, finish, siblingOf } from './finish.ts';
import * as scratchCells from './scratch.ts';
import { settle } from './settle.ts';
import { joinBook, moveForOrder, noteLevel, touch } from './step.ts';
import { affordable, crosses, protectionPrice } from './walk.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { PREVENTED_MATCH } = tape;
const {
  BUY,
  DECREMENT,
  EXPIRED,
  EXPIRE_BOTH,
  EXPIRE_MAKER,
  EXPIRE_TAKER,
  FOK,
  HOLD,
  IOC,
  OPEN,
  PARTIALLY_FILLED,
  STATUS_FILLED,
} = names;
const {
  ACCOUNT,
  CELLS,
  FEE,
  FILLED,
  FILLED_TOTAL,
  FLAGS,
  FLAG_BY_TOTAL,
  HELD,
  ID,
  LAST_TRADE,
  LEVEL,
  LINK,
  MARKET,
  NONE,
  PREVENTED,
  PRICE,
  REMAINING,
  SHOWN,
  SIDE,
  STATUS,
  STP,
  TIF,
  TYPE,
  VISIBLE,
} = record;
const { MAKER_FEE, TAKER_FEE, TOTAL } = scratchCells;

const REASON_GTD = reasonNumber('gtd');
const REASON_STP = reasonNumber('stp');
const REASON_IOC = reasonNumber('ioc_remainder');
const REASON_SLIPPAGE = reasonNumber('slippage_limit');
const REASON_REMAINDER = reasonNumber('market_remainder');

// Cells of the state's scratch, beside those of a settlement.
const TEMP = 24;
/** The amount that self-trade prevention took off a buy by total; returned when the order ends. */
const SET_ASIDE = 28;
const SURPLUS = 56;

const END_FILLED = 0;
const END_STP = 1;
const END_BOOK = 2;
const END_LIMIT = 3;
const END_DUST = 4;

/** Puts the remainder into the book, at the back of its level. */
export function rest(s: State, market: Market, slot: number): void {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const visible = f64[cell + VISIBLE]!;
  const remaining = f64[cell + REMAINING]!;
  f64[cell + SHOWN] = visible !== 0 && visible < remaining ? visible : remaining;
  const book = market.bookOf(u32[cell * 2 + SIDE]!);
  joinBook(s, market, book, slot, f64[cell + PRICE]!);
}

/**
 * Runs an accepted order, whose hold is in place, against the book. Afterwards it is final, or rests
 * with exactly the hold that its remainder needs. In an auction it rests, whatever it meets.
 */
export function execute(s: State, slot: number): void {
  touch(s, slot);
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const market = s.markets[u32[word + MARKET]!]!;
  if (market.phase === 'auction') {
    rest(s, market, slot);
    return;
  }
  const account = s.accounts[u32[word + ACCOUNT]!]!;
  const side = u32[word + SIDE]!;
  const isMarket = isMarketKind(u32[word + TYPE]!);
  const byTotal = (u32[word + FLAGS]! & FLAG_BY_TOTAL) !== 0;
  const limit = isMarket ? protectionPrice(market, side) : f64[cell + PRICE]!;
  const book = market.bookOf(1 - side);
  const preventedBefore = f64[cell + PREVENTED]!;
  if (byTotal) setZero(s.scratch, SET_ASIDE);
  const someExpired = hasExpired(s, s.time);
  let mustHalt = false;
  let end = END_FILLED;
  for (;;) {
    if (byTotal ? isZero(f64, cell + HELD) : f64[cell + REMAINING] === 0) break;
    const level = book.bestLevel();
    if (level === NONE) {
      end = END_BOOK;
      break;
    }
    const price = book.bestPrice();
    if (!crosses(side, limit, price)) {
      end = END_LIMIT;
      break;
    }
    const makerSlot = book.headOf(level);
    if (someExpired && isExpired(s, makerSlot, s.time)) {
      finish(s, makerSlot, EXPIRED, REASON_GTD);
      continue;
    }
    const maker = s.accounts[u32[makerSlot * CELLS * 2 + ACCOUNT]!]!;
    if (maker.parent === account.parent) {
      const outcome = preventSelfTrade(s, market, slot, makerSlot, byTotal);
      if (outcome === GO_ON) continue;
      end = outcome;
      break;
    }
    const shown = f64[makerSlot * CELLS + SHOWN]!;
    let lots: number;
    if (byTotal) {
      lots = affordable(s, market, f64, cell + HELD, price, shown);
      if (lots === 0) {
        end = END_DUST;
        break;
      }
    } else {
      const remaining = f64[cell + REMAINING]!;
      lots = remaining < shown ? remaining : shown;
    }
    trade(s, market, slot, account, makerSlot, maker, lots, price);
    if (isHaltPrice(s, market, price)) mustHalt = true;
  }
  conclude(s, market, slot, end, isMarket, byTotal, f64[cell + PREVENTED]! - preventedBefore);
  if (mustHalt && market.phase === 'continuous') {
    const until = s.time + market.config.haltMinutes * 60_000;
    changePhase(s, market, 'halted', until, 'post_only');
  }
}

function conclude(
  s: State,
  market: Market,
  slot: number,
  end: number,
  isMarket: boolean,
  byTotal: boolean,
  prevented: number,
): void {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  if (byTotal) add(f64, cell + HELD, s.scratch, SET_ASIDE);
  if (end === END_FILLED || (end === END_DUST && f64[cell + FILLED]! > 0)) {
    finish(s, slot, STATUS_FILLED, 0);
  } else if (end === END_STP) {
    finish(s, slot, EXPIRED, REASON_STP);
  } else if (isMarket) {
    finish(s, slot, EXPIRED, end === END_LIMIT ? REASON_SLIPPAGE : REASON_REMAINDER);
  } else if (u32[word + TIF] === IOC) {
    finish(s, slot, EXPIRED, REASON_IOC);
  } else {
    assert(u32[word + TIF] !== FOK, 'a fill-or-kill order was left over');
    u32[word + STATUS] = f64[cell + FILLED]! > 0 ? PARTIALLY_FILLED : OPEN;
    if (u32[word + LINK] !== 0) releaseSurplus(s, market, slot);
    else if (prevented > 0) {
      holdOf(s, market, u32[word + SIDE]!, f64[cell + PRICE]!, prevented, TEMP);
      const account = s.accounts[u32[word + ACCOUNT]!]!;
      release(s, market, slot, account, TEMP);
    }
    rest(s, market, slot);
  }
}

/** The hold of this many lots: their price in quote for a buy, the lots themselves for a sell. */
export function holdOf(
  s: State,
  market: Market,
  side: number,
  price: number,
  lots: number,
  out: number,
): boolean {
  return side === BUY
    ? product(s.scratch, out, price, lots, market.quoteScale)
    : product(s.scratch, out, lots, 1, market.baseScale);
}

/** Gives part of a live order's hold back. */
function release(s: State, market: Market, slot: number, account: Account, amount: number): void {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const coin = coinGiven(market, u32[cell * 2 + SIDE]!);
  moveForOrder(s, JOURNAL_RELEASE, slot, account, coin, HOLD, s.scratch, amount);
  subtract(f64, cell + HELD, s.scratch, amount);
}

/**
 * Gives back what an order of a limit kind holds beyond its own remainder: what was prevented, and what its
 * list needed for the other leg. As long as that leg lives, nothing is given back.
 */
export function releaseSurplus(s: State, market: Market, slot: number): void {
  if (siblingOf(s, slot) !== NONE) return;
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  holdOf(s, market, u32[cell * 2 + SIDE]!, f64[cell + PRICE]!, f64[cell + REMAINING]!, TEMP);
  copy(s.scratch, SURPLUS, f64, cell + HELD);
  subtract(s.scratch, SURPLUS, s.scratch, TEMP);
  if (isZero(s.scratch, SURPLUS)) return;
  release(s, market, slot, s.accounts[u32[cell * 2 + ACCOUNT]!]!, SURPLUS);
}

const GO_ON = -1;

/** Says how the incoming order ends, or that it goes on. */
function preventSelfTrade(
  s: State,
  market: Market,
  slot: number,
  makerSlot: number,
  byTotal: boolean,
): number {
  const { f64, i32, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const makerCell = makerSlot * CELLS;
  const makerWord = makerCell * 2;
  const price = f64[makerCell + PRICE]!;
  const mode = u32[word + STP]!;
  const remaining = f64[makerCell + REMAINING]!;
  const want = byTotal
    ? affordable(s, market, f64, cell + HELD, price, remaining + 1)
    : f64[cell + REMAINING]!;
  if (want === 0) return END_DUST;
  const lots = mode === DECREMENT ? Math.min(want, remaining) : 0;
  const at = s.tape.begin(PREVENTED_MATCH, 5);
  s.tape.f64[at] = f64[cell + ID]!;
  s.tape.f64[at + 1] = f64[makerCell + ID]!;
  s.tape.f64[at + 2] = price;
  s.tape.f64[at + 3] = lots;
  s.tape.u32[(at + 4) * 2] = market.index;
  s.tape.u32[(at + 4) * 2 + 1] = mode;
  if (mode === EXPIRE_TAKER) return END_STP;
  if (mode === EXPIRE_MAKER || mode === EXPIRE_BOTH) {
    finish(s, makerSlot, EXPIRED, REASON_STP);
    return mode === EXPIRE_MAKER ? GO_ON : END_STP;
  }
  const side = u32[word + SIDE]!;
  touch(s, makerSlot);
  f64[cell + PREVENTED]! += lots;
  if (byTotal) {
    product(s.scratch, TEMP, price, lots, market.quoteScale);
    subtract(f64, cell + HELD, s.scratch, TEMP);
    add(s.scratch, SET_ASIDE, s.scratch, TEMP);
  } else {
    f64[cell + REMAINING]! -= lots;
    if (!isMarketKind(u32[word + TYPE]!)) market.openLots[side]! -= lots;
  }
  f64[makerCell + PREVENTED]! += lots;
  f64[makerCell + REMAINING] = remaining - lots;
  market.openLots[1 - side]! -= lots;
  const shown = f64[makerCell + SHOWN]!;
  if (shown > remaining - lots) {
    const book = market.bookOf(1 - side);
    const level = i32[makerWord + LEVEL]!;
    noteLevel(s, market, book, level, price);
    book.addLots(level, remaining - lots - shown);
    f64[makerCell + SHOWN] = remaining - lots;
  }
  // A leg that shrinks no longer stands for the same size as the other one.
  if (u32[word + LINK] !== 0) decide(s, slot);
  if (u32[makerWord + LINK] !== 0) decide(s, makerSlot);
  if (remaining === lots) finish(s, makerSlot, EXPIRED, REASON_STP);
  else if (u32[makerWord + LINK] !== 0) releaseSurplus(s, market, makerSlot);
  else {
    holdOf(s, market, 1 - side, price, lots, TEMP);
    release(s, market, makerSlot, s.accounts[u32[makerWord + ACCOUNT]!]!, TEMP);
  }
  return lots < want ? GO_ON : END_STP;
}

function trade(
  s: State,
  market: Market,
  slot: number,
  account: Account,
  makerSlot: number,
  maker: Account,
  lots: number,
  price: number,
): void {
  const { f64, i32, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const makerCell = makerSlot * CELLS;
  const makerWord = makerCell * 2;
  const takerSide = u32[word + SIDE]!;
  settle(s, market, slot, account, makerSlot, maker, lots, price, false);

  touch(s, makerSlot);
  fill(s, market, cell, lots, TAKER_FEE);
  fill(s, market, makerCell, lots, MAKER_FEE);
  // No leg that ends here is in the book, so the walk goes on undisturbed: the other leg of a limit leg
  // waits for its price.
  if (u32[word + LINK] !== 0) decide(s, slot);
  if (u32[makerWord + LINK] !== 0) decide(s, makerSlot);
  market.lastPrice = price;
  noteTradePrice(s, market, price);

  const book = market.bookOf(1 - takerSide);
  const level = i32[makerWord + LEVEL]!;
  noteLevel(s, market, book, level, price);
  book.addLots(level, -lots);
  const shown = f64[makerCell + SHOWN]! - lots;
  f64[makerCell + SHOWN] = shown;
  const remaining = f64[makerCell + REMAINING]!;
  if (remaining === 0) {
    finish(s, makerSlot, STATUS_FILLED, 0);
  } else {
    u32[makerWord + STATUS] = PARTIALLY_FILLED;
    if (u32[makerWord + LINK] !== 0) releaseSurplus(s, market, makerSlot);
    if (shown === 0) {
      const slice = Math.min(f64[makerCell + VISIBLE]!, remaining);
      f64[makerCell + SHOWN] = slice;
      book.addLots(level, slice);
      book.requeue(makerSlot);
    }
  }
}

/** Books a fill on an order; the settlement has left the amounts in scratch. */
export function fill(s: State, market: Market, cell: number, lots: number, fee: number): void {
  const { f64, u32 } = s.pool;
  const word = cell * 2;
  f64[cell + FILLED]! += lots;
  f64[cell + LAST_TRADE] = s.time;
  add(f64, cell + FILLED_TOTAL, s.scratch, TOTAL);
  add(f64, cell + FEE, s.scratch, fee);
  if ((u32[word + FLAGS]! & FLAG_BY_TOTAL) !== 0) return;
  f64[cell + REMAINING]! -= lots;
  if (!isMarketKind(u32[word + TYPE]!)) market.openLots[u32[word + SIDE]!]! -= lots;
}
