// Ends many orders in steps of bounded work: each step ends, and looks at, a bounded number of
// orders. What a command leaves over becomes a sweep, and `sweep` continues the oldest one.

import { LIMITS } from '../command.ts';
import type { CancelMarket, SweepOn } from '../command.ts';
import { BUY, CANCELED, SELL, SIDES, STATUS_FILLED, reasonNumber } from '../names.ts';
import type { StatusReason } from '../outcome.ts';
import { CELLS, ID, LINK, MARKET, MINE_NEXT, NONE, SIDE, STATUS, STOP } from '../record.ts';
import { findMarket } from '../state.ts';
import type { Account, Market, State, Sweep } from '../state.ts';
import { dropSweep, isPartial, keepSweep } from '../sweeps.ts';
import type { SweepStep } from '../sweeps.ts';
import * as tape from '../tape.ts';
import { finish, liveLegs } from './finish.ts';
import { lookAtStops } from './phase.ts';
import { refuse, writeRefusal, writeResult } from './reject.ts';
import type { Refusal } from './reject.ts';
import { beginStep, endStep } from './step.ts';
import { runStarted } from './trigger.ts';

const CAUSE_COMMAND = 0;
const CAUSE_SWEEP = 6;
/** How many orders a step may look at for each that it may end. */
const LOOKS_PER_ORDER = 10;

/** The orders that a command ended at once, and the sweep that ends the others; 0 if there are none. */
export interface Swept {
  orderIds: number[];
  sweepId: number;
}

/** Begins to end orders in the step that is open. */
function beginSweep(
  s: State,
  market: Market | undefined,
  account: Account | undefined,
  side: number,
  reason: StatusReason,
): Swept {
  const sweep: Sweep = {
    id: 0,
    market: market?.index ?? NONE,
    account: account?.index ?? NONE,
    side,
    reason: reasonNumber(reason),
    throughId: s.config.shard * 1e15 + s.orderCount,
    next: NONE,
    list: 0,
    stop: 0,
    lastId: 0,
  };
  if (account !== undefined && isPartial(sweep)) sweep.next = account.head;
  const orderIds: number[] = [];
  if (advance(s, sweep, orderIds)) return { orderIds, sweepId: 0 };
  s.sweepCount += 1;
  sweep.id = s.sweepCount;
  keepSweep(s, sweep);
  return { orderIds, sweepId: sweep.id };
}

/** One step of bounded work. Returns whether the sweep is done. */
function advance(s: State, sweep: Sweep, orderIds: number[]): boolean {
  return sweep.account === NONE
    ? advanceMarket(s, sweep, orderIds)
    : advanceAccount(s, sweep, orderIds);
}

/** Oldest first. */
function advanceAccount(s: State, sweep: Sweep, orderIds: number[]): boolean {
  const { f64, i32, u32 } = s.pool;
  const { market, side, throughId } = sweep;
  const account = s.accounts[sweep.account]!;
  const partial = isPartial(sweep);
  let looks = s.config.sweepStep * LOOKS_PER_ORDER;
  let slot = partial ? sweep.next : account.head;
  for (;;) {
    if (slot === NONE || f64[slot * CELLS + ID]! > throughId) return true;
    if (market !== NONE && countLive(account, market) === 0) return true;
    if (orderIds.length >= s.config.sweepStep || looks === 0) break;
    looks -= 1;
    const word = slot * CELLS * 2;
    const next = i32[word + MINE_NEXT]!;
    const isWanted =
      (market === NONE || u32[word + MARKET] === market) &&
      (side === NONE || u32[word + SIDE] === side);
    if (isWanted) endOrder(s, slot, sweep.reason, orderIds);
    slot = next;
    // Other legs of its list ended with it; an ended order still leads on to the next.
    while (slot !== NONE && u32[slot * CELLS * 2 + STATUS]! >= STATUS_FILLED) {
      slot = i32[slot * CELLS * 2 + MINE_NEXT]!;
    }
  }
  if (partial) sweep.next = slot;
  return false;
}

const countLive = (account: Account, market: number): number =>
  (account.open[market] ?? 0) + (account.pending[market] ?? 0);

/**
 * The book from the best price, bids first, then the conditional orders from the next that would
 * fire. At that end of each list, removing an order moves no others.
 */
function advanceMarket(s: State, sweep: Sweep, orderIds: number[]): boolean {
  const { f64, u32 } = s.pool;
  const { side } = sweep;
  const market = s.markets[sweep.market]!;
  const max = s.config.sweepStep;
  for (const one of [BUY, SELL]) {
    if (side !== NONE && side !== one) continue;
    const book = market.bookOf(one);
    while (book.count > 0) {
      if (orderIds.length >= max) return false;
      endOrder(s, book.headOf(book.bestLevel()), sweep.reason, orderIds);
    }
  }
  let looks = max * LOOKS_PER_ORDER;
  for (; sweep.list < 2; sweep.list++) {
    const triggers = sweep.list === 0 ? market.rising : market.falling;
    const { stop, lastId } = sweep;
    let at = lastId === 0 ? triggers.count - 1 : triggers.positionAfter(stop, lastId);
    for (; at >= 0; at--) {
      if (orderIds.length >= max || looks === 0) return false;
      looks -= 1;
      const slot = triggers.slotAt(at);
      sweep.stop = f64[slot * CELLS + STOP]!;
      sweep.lastId = f64[slot * CELLS + ID]!;
      const isWanted = side === NONE || u32[slot * CELLS * 2 + SIDE] === side;
      if (isWanted) endOrder(s, slot, sweep.reason, orderIds);
    }
    sweep.stop = 0;
    sweep.lastId = 0;
  }
  // Trailing stops come last, by their ids: where each of them fires changes with every trade.
  for (;;) {
    const slot = market.trails.after(sweep.lastId).next().value;
    if (slot === undefined) return true;
    if (orderIds.length >= max || looks === 0) return false;
    looks -= 1;
    sweep.lastId = f64[slot * CELLS + ID]!;
    const isWanted = side === NONE || u32[slot * CELLS * 2 + SIDE] === side;
    if (isWanted) endOrder(s, slot, sweep.reason, orderIds);
  }
}

/** Ends an order, and counts the legs of its list that end with it. */
function endOrder(s: State, slot: number, reason: number, orderIds: number[]): void {
  const { f64, u32 } = s.pool;
  orderIds.push(f64[slot * CELLS + ID]!);
  const legs = u32[slot * CELLS * 2 + LINK] === 0 ? [] : liveLegs(s, slot);
  finish(s, slot, CANCELED, reason);
  for (const leg of legs) {
    if (u32[leg * CELLS * 2 + STATUS]! >= STATUS_FILLED) orderIds.push(f64[leg * CELLS + ID]!);
  }
}

/** Ends an account's live orders in the step that is open: under rules 1 all of them at once. */
export function cancelMine(
  s: State,
  account: Account,
  market: Market | undefined,
  side: number,
  reason: StatusReason,
): Swept {
  if (s.rules >= 2) return beginSweep(s, market, account, side, reason);
  const { i32, u32 } = s.pool;
  const number = reasonNumber(reason);
  const orderIds: number[] = [];
  for (let slot = account.head; slot !== NONE;) {
    const word = slot * CELLS * 2;
    const next = i32[word + MINE_NEXT]!;
    const isWanted =
      (market === undefined || u32[word + MARKET] === market.index) &&
      (side === NONE || u32[word + SIDE] === side);
    if (isWanted) endOrder(s, slot, number, orderIds);
    slot = next;
  }
  return { orderIds, sweepId: 0 };
}

/** The reason why the account may not begin another partial sweep, if there is one. */
export function refuseSweep(account: Account): Refusal | undefined {
  const maximum = LIMITS.accountSweepsMax;
  if (account.sweeps.length < maximum) return undefined;
  return refuse('TOO_MANY_OPEN_ORDERS', { limit: 'sweeps', maximum });
}

/** Ends all orders of a market in the step that is open, as far as one step goes. */
export const sweepMarket = (s: State, market: Market, side: number, reason: StatusReason): Swept =>
  beginSweep(s, market, undefined, side, reason);

/** A side as a number, NONE for both, or the refusal of an unknown side. */
export function parseSide(side: string | undefined): number | Refusal {
  if (side === undefined) return NONE;
  const number = (SIDES as readonly string[]).indexOf(side);
  return number < 0 ? refuse('PARAMETER_INVALID', { parameter: 'side' }) : number;
}

export function cancelMarket(s: State, c: CancelMarket): void {
  beginStep(s, c.time, CAUSE_COMMAND);
  const market = findMarket(s, c.symbol);
  const side = parseSide(c.side);
  if (market === undefined || typeof side !== 'number') {
    endStep(s);
    writeRefusal(
      s,
      typeof side === 'number' ? refuse('UNKNOWN_SYMBOL', { symbol: c.symbol }) : side,
    );
    return;
  }
  const { orderIds, sweepId } = sweepMarket(s, market, side, c.reason ?? 'admin');
  endStep(s);
  writeResult(s, tape.R_CANCELED_ALL, s.tape.note(orderIds), sweepId);
}

/** Continues the oldest sweep. Without one there is no step, so nothing needs to be journaled. */
export function sweepOn(s: State, c: SweepOn): void {
  const sweep = s.sweeps[0];
  if (sweep === undefined) {
    writeResult(s, tape.R_DONE, 0, 0);
    return;
  }
  beginStep(s, c.time, CAUSE_SWEEP);
  const orderIds: number[] = [];
  const done = advance(s, sweep, orderIds);
  if (done) {
    dropSweep(s);
    const market = sweep.account === NONE ? s.markets[sweep.market]! : undefined;
    if (market?.sweeping === 0 && market.phase === 'continuous') lookAtStops(s, market);
  }
  endStep(s);
  const step: SweepStep = { sweepId: sweep.id, orderIds, done };
  writeResult(s, tape.R_SWEPT, s.tape.note(step), 0);
  runStarted(s, c.time);
}
