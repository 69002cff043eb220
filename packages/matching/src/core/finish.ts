// How orders end, and how long they are remembered afterwards.

import { assert } from '../assert.ts';
import { isBracket, isInList, legCount, positionOf } from '../link.ts';
import * as names from '../names.ts';
import { isMarketKind, isTrailing, reasonNumber } from '../names.ts';
import * as record from '../record.ts';
import { ownOrders } from '../state.ts';
import type { Account, Market, State } from '../state.ts';
import type { TriggerList } from '../triggers.ts';
import { isZero, setZero, toBigint } from '../wide.ts';
import { moveForOrder, noteLevel, touch } from './step.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { BUY, CANCELED, GTD, HOLD, PENDING, STATUS_FILLED } = names;
const {
  ACCOUNT,
  CELLS,
  FEE,
  FILLED,
  FLAGS,
  FLAG_DORMANT,
  FLAG_HAS_CLIENT,
  HELD,
  ID,
  LEVEL,
  LINK,
  MARKET,
  MINE_NEXT,
  MINE_PREV,
  NEXT,
  NONE,
  PRICE,
  REASON,
  REMAINING,
  SEQ,
  SHOWN,
  SIDE,
  STATUS,
  TIF,
  TYPE,
} = record;

/** Position in JOURNALS. */
export const JOURNAL_HOLD = 1;
export const JOURNAL_RELEASE = 2;
export const JOURNAL_AMEND = 3;

const REASON_SIBLING = reasonNumber('list_sibling');
const REASON_CLOSED = reasonNumber('market_closed');
const REASON_ADMIN = reasonNumber('admin');

/** Stop buys and take-profit sells wait for the price to rise, the other two for it to fall. */
export function waitsForRise(type: number, side: number): boolean {
  return type < 4 === (side === BUY);
}

export function triggersOf(market: Market, type: number, side: number): TriggerList {
  return waitsForRise(type, side) ? market.rising : market.falling;
}

/** A new conditional order begins to wait for its price. */
export function beginWaiting(market: Market, type: number, side: number, slot: number): void {
  if (isTrailing(type)) market.trails.enter(slot);
  else triggersOf(market, type, side).add(slot);
}

/** A conditional order no longer waits: it ended, or runs. */
export function endWaiting(market: Market, type: number, side: number, slot: number): void {
  if (isTrailing(type)) market.trails.leave(slot);
  else triggersOf(market, type, side).remove(slot);
}

/** The coin that an order of this side gives, and therefore holds. */
export const coinGiven = (market: Market, side: number): number =>
  side === BUY ? market.quote : market.base;

/** Takes a resting order out of the book. */
export function leaveBook(s: State, market: Market, slot: number): void {
  const { i32, u32, f64 } = s.pool;
  const word = slot * CELLS * 2;
  const book = market.bookOf(u32[word + SIDE]!);
  noteLevel(s, market, book, i32[word + LEVEL]!, f64[slot * CELLS + PRICE]!);
  book.leave(slot);
}

/** The leg at this place of the order's list, or NONE if it is no longer live. */
function legAt(s: State, slot: number, position: number): number {
  const { f64, u32 } = s.pool;
  const own = positionOf(u32[slot * CELLS * 2 + LINK]!);
  const leg = s.ids.find(f64[slot * CELLS + ID]! - own + position);
  return leg === NONE || u32[leg * CELLS * 2 + STATUS]! >= STATUS_FILLED ? NONE : leg;
}

/**
 * The live order of which at most this one or that one trades, or NONE. The entry of a bracket has none.
 * While there is one, the list is not decided, and the limit leg holds for both.
 */
export function siblingOf(s: State, slot: number): number {
  const link = s.pool.u32[slot * CELLS * 2 + LINK]!;
  if (!isInList(link)) return NONE;
  const position = positionOf(link);
  if (!isBracket(link)) return legAt(s, slot, 1 - position);
  return position === 0 ? NONE : legAt(s, slot, 3 - position);
}

/** The other live legs of the order's list, by their places. */
export function liveLegs(s: State, slot: number): number[] {
  const link = s.pool.u32[slot * CELLS * 2 + LINK]!;
  const legs: number[] = [];
  if (!isInList(link)) return legs;
  for (let position = 0; position < legCount(link); position++) {
    const leg = position === positionOf(link) ? NONE : legAt(s, slot, position);
    if (leg !== NONE) legs.push(leg);
  }
  return legs;
}

/** The order traded, or triggered: the list is decided for it, and the other leg ends. */
export function decide(s: State, slot: number): void {
  const sibling = siblingOf(s, slot);
  if (sibling !== NONE) finish(s, sibling, CANCELED, REASON_SIBLING, true);
}

/** What an ended leg means for the other legs of its list. */
function endLegs(s: State, slot: number, reason: number): void {
  const link = s.pool.u32[slot * CELLS * 2 + LINK]!;
  if (!isInList(link)) return;
  if (!isBracket(link) || positionOf(link) !== 0) {
    decide(s, slot);
    return;
  }
  const exit = legAt(s, slot, 1);
  if (exit === NONE) return;
  // Where the venue itself ended the entry, it wants no orders in its place.
  const isWanted = reason !== REASON_ADMIN && reason !== REASON_CLOSED;
  const lots = isWanted ? gainOf(s, slot) : 0;
  if (lots > 0) {
    // The entry may be forgotten before its exits begin, so what they are for is noted here.
    s.pool.f64[exit * CELLS + SHOWN] = lots;
    s.begun.push(exit);
  } else finish(s, exit, CANCELED, REASON_SIBLING);
}

/** Whole lots that an entry has bought, without the fee, or has sold. */
function gainOf(s: State, slot: number): number {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const filled = f64[cell + FILLED]!;
  if (u32[cell * 2 + SIDE] !== BUY) return filled;
  const unit = s.markets[u32[cell * 2 + MARKET]!]!.baseScale.big;
  return Number((BigInt(filled) * unit - toBigint(f64, cell + FEE)) / unit);
}

/**
 * Ends a live order: it leaves the book or the trigger list, gives back its hold, and joins the
 * finished, where it can be found until `memory` others have finished after it. The other legs of its
 * list end with it, or begin, unless it ends alone.
 */
export function finish(
  s: State,
  slot: number,
  status: number,
  reason: number,
  alone: boolean = false,
): void {
  touch(s, slot);
  const { u32, i32, f64 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const market = s.markets[u32[word + MARKET]!]!;
  const account = s.accounts[u32[word + ACCOUNT]!]!;
  const side = u32[word + SIDE]!;
  const type = u32[word + TYPE]!;
  const link = u32[word + LINK]!;
  const isDormant = link !== 0 && (u32[word + FLAGS]! & FLAG_DORMANT) !== 0;
  if (u32[word + STATUS] === PENDING) {
    if (!isDormant) leaveTriggers(s, market, slot);
    account.pending[market.index]! -= 1;
  } else {
    if (i32[word + LEVEL] !== NONE) leaveBook(s, market, slot);
    account.open[market.index]! -= 1;
  }
  if (!isMarketKind(type) && !isDormant) market.openLots[side]! -= f64[cell + REMAINING]!;
  if (u32[word + TIF] === GTD) s.gtd.remove(slot);
  if (!isZero(f64, cell + HELD)) {
    const coin = coinGiven(market, side);
    moveForOrder(s, JOURNAL_RELEASE, slot, account, coin, HOLD, f64, cell + HELD);
    setZero(f64, cell + HELD);
  }
  u32[word + STATUS] = status;
  u32[word + REASON] = reason;
  unlinkMine(s, account, slot);
  remember(s, slot);
  if (link !== 0 && !alone) endLegs(s, slot, reason);
}

/** Takes a pending order out of what waits. A leg that was hit has left it, and waits for its turn. */
function leaveTriggers(s: State, market: Market, slot: number): void {
  const { u32 } = s.pool;
  const word = slot * CELLS * 2;
  const type = u32[word + TYPE]!;
  const side = u32[word + SIDE]!;
  if (isInList(u32[word + LINK]!)) triggersOf(market, type, side).removeIfThere(slot);
  else endWaiting(market, type, side, slot);
}

/** Makes room in the account's counts for the market. */
export function countMarkets(account: Account, market: Market): void {
  while (account.open.length <= market.index) {
    account.open.push(0);
    account.pending.push(0);
  }
}

export function linkMine(s: State, account: Account, slot: number): void {
  const { f64, i32, u32 } = s.pool;
  const word = slot * CELLS * 2;
  i32[word + MINE_NEXT] = NONE;
  i32[word + MINE_PREV] = account.tail;
  if (account.tail === NONE) account.head = slot;
  else i32[account.tail * CELLS * 2 + MINE_NEXT] = slot;
  account.tail = slot;
  ownOrders(account, u32[word + MARKET]!).add(slot, f64[slot * CELLS + ID]!);
}

export function unlinkMine(s: State, account: Account, slot: number): void {
  const { f64, i32, u32 } = s.pool;
  const word = slot * CELLS * 2;
  const next = i32[word + MINE_NEXT]!;
  const previous = i32[word + MINE_PREV]!;
  // A sweep positioned at this order moves on to the next one.
  if (account.sweeps.length > 0) {
    for (const sweep of account.sweeps) if (sweep.next === slot) sweep.next = next;
  }
  if (previous === NONE) account.head = next;
  else i32[previous * CELLS * 2 + MINE_NEXT] = next;
  if (next === NONE) account.tail = previous;
  else i32[next * CELLS * 2 + MINE_PREV] = previous;
  ownOrders(account, u32[word + MARKET]!).remove(slot, f64[slot * CELLS + ID]!);
}

/** Puts a final order at the end of those that finished in this command. */
export function linkFinished(s: State, slot: number): void {
  const { i32 } = s.pool;
  i32[slot * CELLS * 2 + NEXT] = NONE;
  if (s.finishedTail === NONE) s.finishedHead = slot;
  else i32[s.finishedTail * CELLS * 2 + NEXT] = slot;
  s.finishedTail = slot;
  s.finishedCount += 1;
}

/** More than one is surplus only after the memory was made smaller; it then shrinks gradually. */
export const FORGETS_AT_ONCE = 4;

/** Remembers a final order, and forgets the oldest if there are too many. */
function remember(s: State, slot: number): void {
  linkFinished(s, slot);
  for (let i = 0; i < FORGETS_AT_ONCE && s.finishedCount > s.config.memory; i++) forgetOldest(s);
}

/** Forgets the order that finished first of those still remembered. */
export function forgetOldest(s: State): void {
  const { finished } = s;
  s.finishedCount -= 1;
  if (finished.count === 0) {
    forgetInSlot(s);
    return;
  }
  const place = finished.oldest;
  s.ids.removeFinished(place);
  if (finished.hasClient(place)) {
    s.clients.removeFinished(place);
    // A caller that looked the id up after this moment has seen the order in the projection. The
    // moment of forgetting would be too strict: under load every caller lags behind it forever.
    s.forgottenThrough = finished.seqOf(place);
  }
  if (s.amendments.size > 0) s.amendments.delete(String(finished.idOf(place)));
  finished.drop();
}

/** The same for one that finished in this command, which happens only if the memory is small. */
function forgetInSlot(s: State): void {
  const { i32, u32, f64 } = s.pool;
  const oldest = s.finishedHead;
  assert(oldest !== NONE && oldest !== s.finishedTail, 'the finished orders are not linked');
  const word = oldest * CELLS * 2;
  s.finishedHead = i32[word + NEXT]!;
  s.ids.remove(oldest);
  if ((u32[word + FLAGS]! & FLAG_HAS_CLIENT) !== 0) {
    s.clients.remove(oldest);
    s.forgottenThrough = f64[oldest * CELLS + SEQ]!;
  }
  if (s.amendments.size > 0) s.amendments.delete(String(f64[oldest * CELLS + ID]!));
  s.pool.give(oldest);
}

/** At the end of a command: those that finished in it leave their slots to new orders. */
export function shelveFinished(s: State): void {
  const { pool, finished } = s;
  for (let slot = s.finishedHead; slot !== NONE;) {
    const word = slot * CELLS * 2;
    const next = pool.i32[word + NEXT]!;
    const place = finished.push(slot);
    s.ids.finish(slot, place);
    if ((pool.u32[word + FLAGS]! & FLAG_HAS_CLIENT) !== 0) s.clients.finish(slot, place);
    pool.give(slot);
    slot = next;
  }
  s.finishedHead = NONE;
  s.finishedTail = NONE;
}
