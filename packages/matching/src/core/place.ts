// Placing: recall by client id, accept with a hold, run; batches; test orders.

import { LIMITS } from '../command.ts';
import type { OrderTerms, Place, PlaceBatch, TestOrder } from '../command.ts';
import * as names from '../names.ts';
import { isConditional, isMarketKind, reasonNumber } from '../names.ts';
import type { Fill } from '../outcome.ts';
import * as record from '../record.ts';
import { findAccount, findMarket, rowOf } from '../state.ts';
import type { Account, Market, State } from '../state.ts';
import * as tape from '../tape.ts';
import * as wide from '../wide.ts';
import { add, copy, isZero, setZero, subtract, toBigint } from '../wide.ts';
import { check } from './check.ts';
import { draft } from './shape.ts';
import { execute } from './execute.ts';
import {
  JOURNAL_HOLD,
  beginWaiting,
  coinGiven,
  countMarkets,
  endWaiting,
  finish,
  linkMine,
  unlinkMine,
} from './finish.ts';
import { outOfRange, refuse, writeRefusal, writeResult } from './reject.ts';
import type { Refusal } from './reject.ts';
import { beginStep, endStep, moveForOrder, touch, writeOrder } from './step.ts';
import { executeLater } from './later.ts';
import { findByClient, recall } from './recall.ts';
import { runStarted } from './trigger.ts';
import * as scratchCells from './scratch.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { ORDER, R_BATCH, R_BATCH_REJECTED, R_LOOKUP_AGAIN, R_PLACED, R_REPLAY, R_TESTED } = tape;
const { CHECK_HOLD, CHECK_TOTAL, WALK_FEE } = scratchCells;
const { AVAILABLE, BUY, EXPIRED, GTD, OPEN, PENDING } = names;
const {
  ACCOUNT,
  ASKED_PRICE,
  ASKED_STOP,
  ASKED_VISIBLE,
  ASKED_VOLUME,
  CELLS,
  CLIENT,
  CLIENT_HASH,
  CLIENT_WORDS,
  CREATED,
  DECIMALS,
  EXPIRE,
  FEE,
  FILLED,
  FILLED_TOTAL,
  FLAGS,
  FLAG_ASKED_STP,
  FLAG_BY_TOTAL,
  FLAG_DORMANT,
  FLAG_HAS_CLIENT,
  FLAG_POST_ONLY,
  HELD,
  ID,
  LAST_TRADE,
  LEVEL,
  LINK,
  MARKET,
  NONE,
  PREVENTED,
  PRICE,
  REASON,
  REBATE,
  REMAINING,
  SHOWN,
  SIDE,
  STATUS,
  STOP,
  STP,
  TIF,
  TIMER_SEQ,
  TOTAL,
  TRIGGERED,
  TYPE,
  VISIBLE,
  VOLUME,
} = record;
const { LIMBS } = wide;

const CAUSE_COMMAND = 0;
const CAUSE_BATCH_ORDER = 1;
const REASON_FOK = reasonNumber('fok_unfilled');

/** Must the caller search the projection again, because an id it may have missed is forgotten? */
export function mustLookUpAgain(
  s: State,
  accountId: number,
  terms: OrderTerms,
  checkpoint: number | undefined,
): boolean {
  if ((checkpoint ?? 0) >= s.forgottenThrough) return false;
  const id = terms.clientOrderId ?? '';
  if (id === '') return false;
  const account = findAccount(s, accountId);
  return account === undefined || findByClient(s, account, id) === NONE;
}

export function writeLookUpAgain(s: State): void {
  writeResult(s, R_LOOKUP_AGAIN, 0, s.forgottenThrough);
}

/** Gives a new order its slot, id and hold. It is live afterwards, but neither in the book nor run. */
export function accept(s: State, account: Account, market: Market, terms: OrderTerms): number {
  const d = draft;
  // The slot may hold an older order: every cell is written, but for those that touch() and rest() set.
  const slot = s.pool.take();
  const { f64, u32, i32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  s.orderCount += 1;
  f64[cell + ID] = s.config.shard * 1e15 + s.orderCount;
  f64[cell + PRICE] = d.price;
  f64[cell + STOP] = d.stop;
  f64[cell + VOLUME] = d.volume;
  f64[cell + REMAINING] = d.volume;
  f64[cell + VISIBLE] = d.visible;
  f64[cell + FILLED] = 0;
  f64[cell + PREVENTED] = 0;
  f64[cell + CREATED] = s.time;
  f64[cell + LAST_TRADE] = 0;
  f64[cell + TRIGGERED] = 0;
  f64[cell + EXPIRE] = d.expireTime;
  f64[cell + ASKED_PRICE] = d.price;
  f64[cell + ASKED_STOP] = d.stop;
  f64[cell + ASKED_VOLUME] = d.volume;
  f64[cell + ASKED_VISIBLE] = d.visible;
  f64[cell + SHOWN] = 0;
  f64[cell + TIMER_SEQ] = 0;
  setZero(f64, cell + FILLED_TOTAL);
  setZero(f64, cell + FEE);
  setZero(f64, cell + REBATE);
  u32[word + ACCOUNT] = account.index;
  u32[word + MARKET] = market.index;
  u32[word + SIDE] = d.side;
  u32[word + TYPE] = d.type;
  u32[word + TIF] = d.tif;
  u32[word + STP] = d.stp;
  u32[word + REASON] = 0;
  u32[word + LINK] = d.link;
  u32[word + DECIMALS] = market.config.quotePrecision | (market.config.basePrecision << 8);
  let flags = (d.postOnly ? FLAG_POST_ONLY : 0) | (d.askedStp ? FLAG_ASKED_STP : 0);
  if (d.dormant) flags |= FLAG_DORMANT;
  if (d.byTotal) {
    flags |= FLAG_BY_TOTAL;
    copy(f64, cell + TOTAL, s.scratch, CHECK_TOTAL);
  } else setZero(f64, cell + TOTAL);
  i32[word + LEVEL] = NONE;
  const client = terms.clientOrderId ?? '';
  if (client !== '') {
    flags |= FLAG_HAS_CLIENT;
    // recall() has packed the id into the state's key just now.
    for (let i = 0; i < CLIENT_WORDS; i++) u32[word + CLIENT + i] = s.key.words[i]!;
    i32[word + CLIENT_HASH] = s.key.hash;
    u32[word + FLAGS] = flags;
    s.clients.insert(slot);
  } else {
    for (let i = 0; i < CLIENT_WORDS; i++) u32[word + CLIENT + i] = 0;
    u32[word + FLAGS] = flags;
  }
  s.ids.insert(slot);
  if (d.tif === GTD) {
    s.timerSeq += 1;
    f64[cell + TIMER_SEQ] = s.timerSeq;
    s.gtd.set(slot, d.expireTime, s.timerSeq);
  }
  const coin = coinGiven(market, d.side);
  copy(f64, cell + HELD, s.scratch, CHECK_HOLD);
  if (!isZero(f64, cell + HELD)) {
    moveForOrder(s, JOURNAL_HOLD, slot, account, coin, AVAILABLE, f64, cell + HELD);
  }
  if (!isMarketKind(d.type) && !d.dormant) market.openLots[d.side]! += d.volume;
  linkMine(s, account, slot);
  countMarkets(account, market);
  if (isConditional(d.type) || d.dormant) {
    u32[word + STATUS] = PENDING;
    account.pending[market.index]! += 1;
    if (!d.dormant) beginWaiting(market, d.type, d.side, slot);
  } else {
    u32[word + STATUS] = OPEN;
    account.open[market.index]! += 1;
  }
  touch(s, slot);
  return slot;
}

/** Undoes an acceptance of the open step, as if it had never been. */
function unaccept(s: State, slot: number): void {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const account = s.accounts[u32[word + ACCOUNT]!]!;
  const market = s.markets[u32[word + MARKET]!]!;
  const side = u32[word + SIDE]!;
  const type = u32[word + TYPE]!;
  s.orderCount -= 1;
  s.ids.remove(slot);
  if ((u32[word + FLAGS]! & FLAG_HAS_CLIENT) !== 0) s.clients.remove(slot);
  if (u32[word + TIF] === GTD) {
    s.timerSeq -= 1;
    s.gtd.remove(slot);
  }
  const row = rowOf(s, account, coinGiven(market, side));
  add(s.rows, row, f64, cell + HELD);
  subtract(s.rows, row + LIMBS, f64, cell + HELD);
  if (!isMarketKind(type)) market.openLots[side]! -= f64[cell + VOLUME]!;
  unlinkMine(s, account, slot);
  if (isConditional(type)) {
    endWaiting(market, type, side, slot);
    account.pending[market.index]! -= 1;
  } else account.open[market.index]! -= 1;
  s.pool.give(slot);
}

/** Places one order as a separate step, and then runs what its trades triggered. */
export function placeOne(
  s: State,
  accountId: number,
  terms: OrderTerms,
  time: number,
  cause: number,
): void {
  beginStep(s, time, cause);
  const known = recall(s, accountId, terms);
  if (typeof known !== 'number') {
    endStep(s);
    writeRefusal(s, known);
    return;
  }
  if (known !== NONE) {
    endStep(s);
    writeResult(s, R_REPLAY, 0, 0);
    writeOrder(s, ORDER, known);
    return;
  }
  const account = findAccount(s, accountId)!;
  const market = findMarket(s, terms.symbol)!;
  const bad = check(s, account, market, terms, time, false, undefined);
  if (bad !== undefined) {
    endStep(s);
    writeRefusal(s, bad);
    return;
  }
  const { fillable, type } = draft;
  const slot = accept(s, account, market, terms);
  const id = s.pool.f64[slot * CELLS + ID]!;
  if (!fillable) finish(s, slot, EXPIRED, REASON_FOK);
  else if (!isConditional(type)) execute(s, slot);
  endStep(s);
  if (!fillable) writeRefusal(s, refuse('FOK_NOT_FILLABLE', {}, slot));
  else writeResult(s, R_PLACED, 0, id);
  runStarted(s, time);
}

export function place(s: State, c: Place): void {
  if (mustLookUpAgain(s, c.account, c.order, c.checkpoint)) writeLookUpAgain(s);
  else placeOne(s, c.account, c.order, c.time, CAUSE_COMMAND);
}

export function placeBatch(s: State, c: PlaceBatch): void {
  for (const terms of c.orders) {
    if (mustLookUpAgain(s, c.account, terms, c.checkpoint)) {
      writeLookUpAgain(s);
      return;
    }
  }
  if (c.orders.length < 1 || c.orders.length > LIMITS.batchPlaceMax) {
    beginStep(s, c.time, CAUSE_COMMAND);
    endStep(s);
    writeRefusal(s, outOfRange('orders'));
    return;
  }
  if (c.mode === 'independent') {
    for (const terms of c.orders) placeOne(s, c.account, terms, c.time, CAUSE_BATCH_ORDER);
    writeResult(s, R_BATCH, c.orders.length, 0);
  } else placeAllOrNone(s, c);
}

/**
 * All orders are checked and take their holds before the first one runs, so they are accepted
 * together or not at all. What an earlier one does to the book may still end a later one; that is
 * recorded as its end and is not a refusal.
 */
function placeAllOrNone(s: State, c: PlaceBatch): void {
  beginStep(s, c.time, CAUSE_COMMAND);
  const start = s.tape.length;
  const slots: number[] = [];
  const isNew: boolean[] = [];
  for (const [index, terms] of c.orders.entries()) {
    const known = recall(s, c.account, terms);
    let bad: Refusal | undefined;
    if (typeof known !== 'number') bad = known;
    else if (known !== NONE) {
      slots.push(known);
      isNew.push(false);
      continue;
    } else {
      const account = findAccount(s, c.account)!;
      const market = findMarket(s, terms.symbol)!;
      bad = check(s, account, market, terms, c.time, true, undefined);
      if (bad === undefined && !draft.fillable) bad = refuse('FOK_NOT_FILLABLE');
      if (bad === undefined) {
        slots.push(accept(s, account, market, terms));
        isNew.push(true);
        continue;
      }
    }
    for (let i = slots.length - 1; i >= 0; i--) if (isNew[i] === true) unaccept(s, slots[i]!);
    s.touchedCount = 0;
    s.tape.length = start;
    endStep(s);
    writeRefusal(s, bad);
    writeResult(s, R_BATCH_REJECTED, index, 0);
    return;
  }
  endStep(s);
  for (const [i, slot] of slots.entries()) {
    const { f64, u32 } = s.pool;
    if (isNew[i] !== true) {
      writeResult(s, R_REPLAY, 0, 0);
      writeOrder(s, ORDER, slot);
    } else if (isConditional(u32[slot * CELLS * 2 + TYPE]!)) {
      writeResult(s, R_PLACED, 1, 0);
      writeOrder(s, ORDER, slot);
    } else {
      beginStep(s, c.time, CAUSE_BATCH_ORDER);
      executeLater(s, slot);
      endStep(s);
      writeResult(s, R_PLACED, 0, f64[slot * CELLS + ID]!);
      runStarted(s, c.time);
    }
  }
  writeResult(s, R_BATCH, slots.length, 0);
}

/** Checks and computes everything a placement would do, and changes nothing. */
export function testOrder(s: State, c: TestOrder): void {
  const account = findAccount(s, c.account);
  const market = findMarket(s, c.order.symbol);
  const fills: Fill[] = [];
  let bad: Refusal | undefined;
  if (account === undefined) bad = refuse('SUB_ACCOUNT_UNKNOWN', { account: c.account });
  else if (market === undefined) bad = refuse('UNKNOWN_SYMBOL', { symbol: c.order.symbol });
  else if (!s.key.set(account.index, c.order.clientOrderId ?? '')) {
    bad = refuse('PARAMETER_INVALID', { parameter: 'clientOrderId' });
  } else {
    bad = check(s, account, market, c.order, c.time, false, fills);
    if (bad === undefined && !draft.fillable) bad = refuse('FOK_NOT_FILLABLE');
    if (bad === undefined) {
      const note = s.tape.note({
        fills,
        fee: toBigint(s.scratch, WALK_FEE),
        feeCoin: s.coins[draft.side === BUY ? market.base : market.quote]!.name,
        hold: toBigint(s.scratch, CHECK_HOLD),
        holdCoin: s.coins[coinGiven(market, draft.side)]!.name,
      });
      writeResult(s, R_TESTED, note, 0);
      return;
    }
  }
  writeRefusal(s, bad);
}
