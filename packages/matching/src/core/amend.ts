// Amending keeps the id. Only lowering the volume keeps the place in the queue; everything else sends
// the order to the back of its level, and a price that crosses makes it take liquidity.

import { LIMITS } from '../command.ts';
import type { Amend } from '../command.ts';
import {
  AVAILABLE,
  BUY,
  CANCELED,
  EXPIRED,
  FOK,
  HOLD,
  IOC,
  PENDING,
  STATUSES,
  isMarketKind,
  isTrailing,
  reasonNumber,
} from '../names.ts';
import {
  CELLS,
  FILLED,
  FLAGS,
  FLAG_BY_TOTAL,
  FLAG_POST_ONLY,
  HELD,
  ID,
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
  STOP,
  TIF,
  TYPE,
  VISIBLE,
  VOLUME,
} from '../record.ts';
import { findAccount, rowOf } from '../state.ts';
import type { Account, Market, State } from '../state.ts';
import * as tape from '../tape.ts';
import { LIMBS, compare, copy, subtract, toBigint } from '../wide.ts';
import { recallAmendment, rememberAmendment } from './amend-ids.ts';
import { findOrder, isFinal } from './cancel.ts';
import {
  checkAsk,
  checkPrice,
  checkValue,
  checkVolume,
  conditionHolds,
  exactHold,
  isAdmitted,
  isLargeEnoughPart,
  refuseClosed,
  toUnits,
} from './check.ts';
import { CHECK_HOLD } from './scratch.ts';
import { execute, holdOf, rest } from './execute.ts';
import { hasExpired, isExpired } from './expiry.ts';
import { JOURNAL_AMEND, coinGiven, finish, leaveBook, liveLegs, triggersOf } from './finish.ts';
import { conflict, outOfRange, refuse, writeRefusal, writeResult } from './reject.ts';
import type { Refusal } from './reject.ts';
import { beginStep, endStep, moveForOrder, noteLevel, touch, writeOrder } from './step.ts';
import { runStarted } from './trigger.ts';
import { crosses, referencePrice } from './walk.ts';

const REASON_GTD = reasonNumber('gtd');
const REASON_AMENDED = reasonNumber('amended_to_filled');
const TEMP = 24;

/** The order as it would be, in the market's units. */
interface Next {
  price: number;
  stop: number;
  volume: number;
  visible: number;
}

export function amend(s: State, c: Amend): void {
  beginStep(s, c.time, 0);
  s.mayRejoin = true;
  const account = findAccount(s, c.account);
  if (account === undefined) {
    endStep(s);
    writeRefusal(s, refuse('SUB_ACCOUNT_UNKNOWN', { account: c.account }));
    return;
  }
  const slot = findOrder(s, account, c);
  if (slot !== NONE && s.rules >= 4) {
    const made = recallAmendment(s, slot, c);
    if (made !== undefined) {
      endStep(s);
      if (typeof made === 'boolean') writeReplay(s, slot, made);
      else writeRefusal(s, made);
      return;
    }
  }
  const result = slot === NONE ? refuse('ORDER_NOT_FOUND') : amendOrder(s, account, slot, c);
  endStep(s);
  if (typeof result !== 'boolean') {
    writeRefusal(s, result);
    return;
  }
  if (s.rules >= 4) rememberAmendment(s, slot, c, result);
  writeResult(s, tape.R_AMENDED, result ? 1 : 0, s.pool.f64[slot * CELLS + ID]!);
  runStarted(s, c.time);
}

/** The answer to an amendment that was made before: the order as it is now. */
function writeReplay(s: State, slot: number, keptPlace: boolean): void {
  writeResult(s, tape.R_AMENDED, (keptPlace ? 1 : 0) | tape.AMENDED_BEFORE, 0);
  writeOrder(s, tape.ORDER, slot);
}

/** Says whether the order kept its place, or why it stays unchanged. */
function amendOrder(s: State, account: Account, slot: number, c: Amend): boolean | Refusal {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const status = u32[word + STATUS]!;
  if (isFinal(status)) return refuse('ORDER_FINAL', { status: STATUSES[status]! }, slot);
  if (hasExpired(s, s.time) && isExpired(s, slot, s.time)) {
    finish(s, slot, EXPIRED, REASON_GTD);
    return refuse('ORDER_FINAL', { status: STATUSES[EXPIRED] }, slot);
  }
  if (account.suspended) return refuse('ACCOUNT_SUSPENDED', { account: account.id });
  // Two legs of one size, or an entry and its exits, would no longer fit each other.
  if (u32[word + LINK] !== 0 && liveLegs(s, slot).length > 0) return conflict('orderListId');
  const market = s.markets[u32[word + MARKET]!]!;
  const pending = status === PENDING;
  const postOnly = (u32[word + FLAGS]! & FLAG_POST_ONLY) !== 0;
  if (!isAdmitted(market, postOnly && !pending, true)) return refuseClosed(market);
  const next = amendedTerms(s, slot, market, c);
  if ('code' in next) return next;
  const isPriceNew = next.price !== f64[cell + PRICE];
  const isStopNew = next.stop !== f64[cell + STOP];
  const isVolumeNew = next.volume !== f64[cell + VOLUME];
  const isVisibleNew = next.visible !== f64[cell + VISIBLE];
  if (!isPriceNew && !isStopNew && !isVolumeNew && !isVisibleNew) return refuse('AMEND_NO_CHANGE');
  const done = f64[cell + FILLED]! + f64[cell + PREVENTED]!;
  if (isVolumeNew && next.volume <= done) {
    finish(s, slot, CANCELED, REASON_AMENDED);
    return false;
  }
  const bad = checkNext(s, slot, market, next, isPriceNew, isStopNew, isVolumeNew, isVisibleNew);
  if (bad !== undefined) return bad;

  const side = u32[word + SIDE]!;
  const best = market.bookOf(1 - side).bestPrice();
  const meets = !pending && isPriceNew && best !== 0 && crosses(side, next.price, best);
  const takes = meets && market.phase !== 'auction';
  if (takes && postOnly) return refuse('POST_ONLY_WOULD_TAKE', { best });
  const remaining = next.volume - done;
  const unfunded = adjustHold(s, account, market, slot, next.price, remaining);
  if (unfunded !== undefined) return unfunded;
  touch(s, slot);
  const keeps = pending || (!isPriceNew && !isVisibleNew && next.volume < f64[cell + VOLUME]!);
  const type = u32[word + TYPE]!;
  if (!isMarketKind(type)) {
    market.openLots[side]! += remaining - f64[cell + REMAINING]!;
  }
  // An activation price changes only while the order waits for it.
  const triggers = isTrailing(type)
    ? market.trails.sideOf(side).sleeping
    : triggersOf(market, type, side);
  if (pending && isStopNew) triggers.remove(slot);
  if (!pending && !keeps) leaveBook(s, market, slot);
  f64[cell + PRICE] = next.price;
  f64[cell + STOP] = next.stop;
  f64[cell + VOLUME] = next.volume;
  f64[cell + VISIBLE] = next.visible;
  f64[cell + REMAINING] = remaining;
  if (pending) {
    if (isStopNew) triggers.add(slot);
  } else if (keeps) shrinkShown(s, market, slot, remaining);
  else if (takes) execute(s, slot);
  else rest(s, market, slot);
  return keeps;
}

function amendedTerms(s: State, slot: number, market: Market, c: Amend): Next | Refusal {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const { quotePrecision, basePrecision } = market.config;
  const isMarket = isMarketKind(u32[word + TYPE]!);
  const tif = u32[word + TIF]!;
  if (c.price !== undefined && isMarket) return conflict('price');
  if (c.stopPrice !== undefined) {
    const type = u32[word + TYPE]!;
    const isOver = u32[word + STATUS] !== PENDING;
    // Once a trailing stop follows the price, its activation is over too.
    if (isOver || (isTrailing(type) && market.trails.isActive(slot))) return conflict('stopPrice');
  }
  if (c.volume !== undefined && (u32[word + FLAGS]! & FLAG_BY_TOTAL) !== 0) {
    return conflict('volume');
  }
  if (c.visibleVolume !== undefined && (isMarket || tif === IOC || tif === FOK)) {
    return conflict('visibleVolume');
  }
  const next: Next = {
    price: f64[cell + PRICE]!,
    stop: f64[cell + STOP]!,
    volume: f64[cell + VOLUME]!,
    visible: f64[cell + VISIBLE]!,
  };
  const priceDecimals = c.priceDecimals ?? 0;
  const volumeDecimals = c.volumeDecimals ?? 0;
  if (c.price !== undefined) {
    const units = toUnits(c.price, priceDecimals, quotePrecision, 'price');
    if (typeof units !== 'number') return units;
    next.price = units;
  }
  if (c.stopPrice !== undefined) {
    const units = toUnits(c.stopPrice, priceDecimals, quotePrecision, 'stopPrice');
    if (typeof units !== 'number') return units;
    next.stop = units;
  }
  if (c.volume !== undefined) {
    const units = toUnits(c.volume, volumeDecimals, basePrecision, 'volume');
    if (typeof units !== 'number') return units;
    next.volume = units;
  }
  if (c.visibleVolume !== undefined) {
    const units = toUnits(c.visibleVolume, volumeDecimals, basePrecision, 'visibleVolume');
    if (typeof units !== 'number') return units;
    next.visible = units;
  }
  return next;
}

/** The checks of a placement, as far as they concern what changes. */
function checkNext(
  s: State,
  slot: number,
  market: Market,
  next: Next,
  isPriceNew: boolean,
  isStopNew: boolean,
  isVolumeNew: boolean,
  isVisibleNew: boolean,
): Refusal | undefined {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const side = u32[word + SIDE]!;
  const type = u32[word + TYPE]!;
  let bad = isVolumeNew ? checkVolume(market, next.volume) : undefined;
  if (bad !== undefined) return bad;
  if (next.visible > 0 && (isVolumeNew || isVisibleNew)) {
    const { icebergParts } = market.config;
    const tooLarge = isVisibleNew && next.visible > next.volume;
    if (tooLarge || !isLargeEnoughPart(next.visible, next.volume, icebergParts)) {
      return outOfRange('visibleVolume');
    }
  }
  if (isPriceNew) bad = checkPrice(market, side, 'price', next.price);
  if (bad === undefined && isStopNew) bad = checkPrice(market, side, 'stopPrice', next.stop);
  if (bad !== undefined) return bad;
  if (!isMarketKind(type)) {
    if (isPriceNew || isVolumeNew) bad = checkValue(s, market, next.price, next.volume);
  } else if ((u32[word + FLAGS]! & FLAG_BY_TOTAL) === 0) {
    const trails = isTrailing(type);
    if (isVolumeNew || (isStopNew && !trails)) {
      const price = trails ? referencePrice(market) : next.stop;
      bad = checkAsk(market, next.volume) ?? checkValue(s, market, price, next.volume);
    }
  }
  if (bad !== undefined) return bad;
  const { lastPrice } = market;
  if (isStopNew && conditionHolds(type, side, next.stop, lastPrice)) {
    return refuse('WOULD_TRIGGER_IMMEDIATELY', { lastPrice });
  }
  const more = next.volume - f64[cell + VOLUME]!;
  if (!isMarketKind(type) && market.openLots[side]! + more > LIMITS.sideLotsMax) {
    return refuse('ORDER_TOO_LARGE', { limit: 'sideLots', maximum: LIMITS.sideLotsMax });
  }
  return undefined;
}

/** Makes the hold fit the new terms, or says that the funds do not cover it. */
function adjustHold(
  s: State,
  account: Account,
  market: Market,
  slot: number,
  price: number,
  remaining: number,
): Refusal | undefined {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const { scratch } = s;
  if ((u32[word + FLAGS]! & FLAG_BY_TOTAL) !== 0) return undefined;
  const side = u32[word + SIDE]!;
  const coin = coinGiven(market, side);
  const fits = holdOf(s, market, side, price, remaining, CHECK_HOLD);
  const order = compare(scratch, CHECK_HOLD, f64, cell + HELD);
  if (order === 0) return undefined;
  if (order < 0) {
    copy(scratch, TEMP, f64, cell + HELD);
    subtract(scratch, TEMP, scratch, CHECK_HOLD);
    moveForOrder(s, JOURNAL_AMEND, slot, account, coin, HOLD, scratch, TEMP);
  } else {
    copy(scratch, TEMP, scratch, CHECK_HOLD);
    subtract(scratch, TEMP, f64, cell + HELD);
    const available = rowOf(s, account, coin) + AVAILABLE * LIMBS;
    if (!fits || compare(scratch, TEMP, s.rows, available) > 0) {
      const needed = fits
        ? toBigint(scratch, CHECK_HOLD)
        : exactHold(market, { side, price, volume: remaining });
      return refuse('INSUFFICIENT_FUNDS', {
        coin: s.coins[coin]!.name,
        required: needed - toBigint(f64, cell + HELD),
        available: toBigint(s.rows, available),
      });
    }
    moveForOrder(s, JOURNAL_AMEND, slot, account, coin, AVAILABLE, scratch, TEMP);
  }
  copy(f64, cell + HELD, scratch, CHECK_HOLD);
  return undefined;
}

/** An order that became smaller cannot show more than it has left. */
function shrinkShown(s: State, market: Market, slot: number, remaining: number): void {
  const { f64, i32, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const shown = f64[cell + SHOWN]!;
  if (shown <= remaining) return;
  const book = market.bookOf(u32[word + SIDE] === BUY ? BUY : 1);
  const level = i32[word + LEVEL]!;
  noteLevel(s, market, book, level, f64[cell + PRICE]!);
  book.addLots(level, remaining - shown);
  f64[cell + SHOWN] = remaining;
}
