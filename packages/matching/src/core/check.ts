// Every check of a new order, in a fixed order, without changing anything. What passes is left in a
// Draft that the state uses again for the next order.

import { addPpm, scaleDecimal, subtractPpm } from '../amount.ts';
import { LIMITS } from '../command.ts';
import type { OrderTerms } from '../command.ts';
import * as names from '../names.ts';
import { isConditional, isMarketKind, isTrailing } from '../names.ts';
import type { Fill } from '../outcome.ts';
import { rowOf } from '../state.ts';
import type { Account, Market, State } from '../state.ts';
import * as wide from '../wide.ts';
import { compare, copy, fromBigint, setZero, toBigint } from '../wide.ts';
import { holdOf } from './execute.ts';
import { coinGiven, waitsForRise } from './finish.ts';
import { checkShape, draft, stpNumber } from './shape.ts';
import type { Draft } from './shape.ts';
import { conflict, outOfRange, refuse } from './reject.ts';
import type { Refusal } from './reject.ts';
import * as scratchCells from './scratch.ts';
import { crosses, protectionPrice, referencePrice, walk } from './walk.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { AVAILABLE, BUY, FOK, GTC, GTD, LIMIT, MARKET_TYPE } = names;
const { LIMBS } = wide;
const { CHECK_HOLD, CHECK_TOTAL, WALK_COST, WALK_FEE } = scratchCells;

/** The top limb of a product that was too large for an amount. */
const LARGEST_LIMB = 2 ** 48 - 1;

const isDecimal = (value: number, decimals: number): boolean =>
  Number.isSafeInteger(value) &&
  value > 0 &&
  Number.isInteger(decimals) &&
  decimals >= 0 &&
  decimals <= 18;

/** A parameter in units of 10^-target, or the refusal. */
export function toUnits(
  value: number,
  decimals: number,
  target: number,
  parameter: string,
): number | Refusal {
  if (!isDecimal(value, decimals)) return outOfRange(parameter);
  const units = scaleDecimal(value, decimals, target);
  if (units >= 0) return units;
  const isPrice = parameter === 'price' || parameter === 'stopPrice';
  return refuse(isPrice ? 'PRICE_PRECISION' : 'VOLUME_PRECISION', { parameter, decimals: target });
}

function parseNumbers(d: Draft, terms: OrderTerms, market: Market): Refusal | undefined {
  const { quotePrecision, basePrecision } = market.config;
  const priceDecimals = terms.priceDecimals ?? 0;
  const volumeDecimals = terms.volumeDecimals ?? 0;
  d.price = 0;
  d.stop = 0;
  d.volume = 0;
  d.visible = 0;
  if (terms.price !== undefined) {
    const units = toUnits(terms.price, priceDecimals, quotePrecision, 'price');
    if (typeof units !== 'number') return units;
    d.price = units;
  }
  if (terms.stopPrice !== undefined) {
    const units = toUnits(terms.stopPrice, priceDecimals, quotePrecision, 'stopPrice');
    if (typeof units !== 'number') return units;
    d.stop = units;
  }
  if (terms.volume !== undefined) {
    const units = toUnits(terms.volume, volumeDecimals, basePrecision, 'volume');
    if (typeof units !== 'number') return units;
    d.volume = units;
  }
  if (terms.visibleVolume !== undefined) {
    const units = toUnits(terms.visibleVolume, volumeDecimals, basePrecision, 'visibleVolume');
    if (typeof units !== 'number') return units;
    d.visible = units;
  }
  return undefined;
}

export function checkVolume(market: Market, lots: number): Refusal | undefined {
  const { minimumVolumeLots, maximumVolumeLots } = market.config;
  if (lots < minimumVolumeLots) {
    return refuse('ORDER_TOO_SMALL', { limit: 'minimumVolume', minimum: minimumVolumeLots });
  }
  if (lots > maximumVolumeLots) {
    return refuse('ORDER_TOO_LARGE', { limit: 'maximumVolume', maximum: maximumVolumeLots });
  }
  return undefined;
}

/** Is the visible part at least the volume divided by the permitted number of parts? */
export const isLargeEnoughPart = (visible: number, volume: number, parts: number): boolean =>
  visible >= Math.ceil(volume / parts);

/** Buys are bounded above and sells below; the other direction only by the market's own limits. */
export function checkPrice(
  market: Market,
  side: number,
  parameter: string,
  price: number,
): Refusal | undefined {
  const { minimumPriceTicks, maximumPriceTicks, priceBandPpm } = market.config;
  const reference = referencePrice(market);
  let minimum = minimumPriceTicks;
  let maximum = maximumPriceTicks;
  if (side === BUY) maximum = Math.min(maximum, addPpm(reference, priceBandPpm));
  else minimum = Math.max(minimum, subtractPpm(reference, priceBandPpm));
  if (price >= minimum && price <= maximum) return undefined;
  return refuse('PRICE_OUT_OF_BAND', { parameter, minimum, maximum });
}

/** Price times volume must reach the market's minimum. Uses scratch at CHECK_HOLD. */
export function checkValue(
  s: State,
  market: Market,
  price: number,
  lots: number,
): Refusal | undefined {
  const { minimumQuoteSize } = market.config;
  const { minimumWords } = market;
  holdOf(s, market, BUY, price, lots, CHECK_HOLD);
  if (compare(s.scratch, CHECK_HOLD, minimumWords, 0) >= 0) return undefined;
  const value = toBigint(s.scratch, CHECK_HOLD);
  return refuse('ORDER_TOO_SMALL', { limit: 'minimumQuoteSize', minimum: minimumQuoteSize, value });
}

/** The same for an amount in scratch, and the largest permitted market buy as well. */
function checkSpending(s: State, market: Market, at: number): Refusal | undefined {
  const { minimumQuoteSize, maxMarketOrderBid } = market.config;
  const { minimumWords, maximumWords } = market;
  if (compare(s.scratch, at, minimumWords, 0) < 0) {
    const value = toBigint(s.scratch, at);
    return refuse('ORDER_TOO_SMALL', {
      limit: 'minimumQuoteSize',
      minimum: minimumQuoteSize,
      value,
    });
  }
  if (compare(s.scratch, at, maximumWords, 0) > 0) {
    return refuse('ORDER_TOO_LARGE', { limit: 'maxMarketOrderBid', maximum: maxMarketOrderBid });
  }
  return undefined;
}

/** A buy by volume, as if all of it were to be had at the best price. Uses scratch at CHECK_HOLD. */
function checkAskedValue(
  s: State,
  market: Market,
  best: number,
  lots: number,
): Refusal | undefined {
  holdOf(s, market, BUY, best, lots, CHECK_HOLD);
  if (compare(s.scratch, CHECK_HOLD, market.maximumWords, 0) <= 0) return undefined;
  const maximum = market.config.maxMarketOrderBid;
  return refuse('ORDER_TOO_LARGE', { limit: 'maxMarketOrderBid', maximum });
}

export function checkAsk(market: Market, lots: number): Refusal | undefined {
  const maximum = market.config.maxMarketOrderAskLots;
  return lots > maximum
    ? refuse('ORDER_TOO_LARGE', { limit: 'maxMarketOrderAsk', maximum })
    : undefined;
}

export function conditionHolds(type: number, side: number, stop: number, price: number): boolean {
  return waitsForRise(type, side) ? price >= stop : price <= stop;
}

function checkSizes(s: State, d: Draft, terms: OrderTerms, market: Market): Refusal | undefined {
  if (terms.total !== undefined) {
    if (terms.total <= 0n || terms.total > LIMITS.amountMax) return outOfRange('total');
    fromBigint(s.scratch, CHECK_TOTAL, terms.total);
  }
  let bad: Refusal | undefined;
  if (terms.volume !== undefined) {
    bad = checkVolume(market, d.volume);
    if (bad !== undefined) return bad;
  }
  if (terms.visibleVolume !== undefined) {
    const { icebergParts } = market.config;
    if (d.visible > d.volume || !isLargeEnoughPart(d.visible, d.volume, icebergParts)) {
      return outOfRange('visibleVolume');
    }
  }
  if (terms.price !== undefined) {
    bad = checkPrice(market, d.side, 'price', d.price);
    if (bad !== undefined) return bad;
  }
  if (terms.stopPrice !== undefined) {
    bad = checkPrice(market, d.side, 'stopPrice', d.stop);
    if (bad !== undefined) return bad;
  }
  if (!isMarketKind(d.type)) return checkValue(s, market, d.price, d.volume);
  if (d.byTotal) return checkSpending(s, market, CHECK_TOTAL);
  if (d.side === BUY) return undefined;
  bad = checkAsk(market, d.volume);
  if (bad !== undefined || !isConditional(d.type)) return bad;
  // A trailing stop has no price of its own yet.
  const price = isTrailing(d.type) ? referencePrice(market) : d.stop;
  return checkValue(s, market, price, d.volume);
}

function checkCeilings(d: Draft, market: Market, account: Account): Refusal | undefined {
  const { config, lastPrice } = market;
  if (isConditional(d.type)) {
    if (lastPrice === 0) return refuse('NO_REFERENCE_PRICE');
    // A trailing stop without an activation price is active at once.
    if (d.stop !== 0 && conditionHolds(d.type, d.side, d.stop, lastPrice))
      return refuse('WOULD_TRIGGER_IMMEDIATELY', { lastPrice });
    const maximum = config.maxConditionalOrders;
    if ((account.pending[market.index] ?? 0) >= maximum) {
      return refuse('TOO_MANY_OPEN_ORDERS', { limit: 'maxConditionalOrders', maximum });
    }
  } else if (d.tif === GTC || d.tif === GTD) {
    const maximum = config.maxOpenOrders;
    if ((account.open[market.index] ?? 0) >= maximum) {
      return refuse('TOO_MANY_OPEN_ORDERS', { limit: 'maxOpenOrders', maximum });
    }
  }
  // Both terms are integers below 10^16, so the sum is exact enough to compare with 9 * 10^15: it is
  // exact up to 2^53, and what lies above that lies above the limit.
  if (!isMarketKind(d.type) && market.openLots[d.side]! + d.volume > LIMITS.sideLotsMax) {
    return refuse('ORDER_TOO_LARGE', { limit: 'sideLots', maximum: LIMITS.sideLotsMax });
  }
  return undefined;
}

/** Is this a limit order that waits in the book for an auction? */
export const isForAuction = (type: number, tif: number, postOnly: boolean): boolean =>
  type === LIMIT && !postOnly && (tif === GTC || tif === GTD);

export function isAdmitted(
  market: Market,
  isPostOnlyLimit: boolean,
  isAuctionLimit: boolean,
): boolean {
  if (market.sweeping > 0) return false;
  if (market.phase === 'auction') return isAuctionLimit;
  return market.phase === 'continuous' || (market.phase === 'post_only' && isPostOnlyLimit);
}

/** The reason why a market in this phase refuses something. */
export const refuseClosed = ({ config: { symbol }, phase, sweeping }: Market): Refusal =>
  refuse('MARKET_CLOSED', sweeping > 0 ? { symbol, phase, sweeping: true } : { symbol, phase });

/**
 * Checks an order of a known account in a known market. If it passes, the draft is filled, the hold
 * is in scratch at CHECK_HOLD, and `fillable` says whether a fill-or-kill order can be filled.
 */
export function check(
  s: State,
  account: Account,
  market: Market,
  terms: OrderTerms,
  time: number,
  inAllOrNone: boolean,
  fills: Fill[] | undefined,
): Refusal | undefined {
  const d = draft;
  if (account.suspended) return refuse('ACCOUNT_SUSPENDED', { account: account.id });
  let bad = checkShape(d, terms, time, s.rules);
  if (bad !== undefined) return bad;
  const conditional = isConditional(d.type);
  const isPlainMarket = d.type === MARKET_TYPE;
  // Its cost is known only when it runs, after the others of its batch, so no amount could be held
  // for it.
  if (inAllOrNone && isPlainMarket && d.side === BUY && !d.byTotal) return conflict('mode');
  const isAuctionLimit = isForAuction(d.type, d.tif, d.postOnly);
  if (!isAdmitted(market, d.type === LIMIT && d.postOnly, isAuctionLimit)) {
    return refuseClosed(market);
  }
  bad = parseNumbers(d, terms, market);
  if (bad !== undefined) return bad;
  bad = checkSizes(s, d, terms, market);
  if (bad !== undefined) return bad;
  bad = checkCeilings(d, market, account);
  if (bad !== undefined) return bad;
  if (!d.askedStp) d.stp = stpNumber(market.config.defaultStpMode);

  const other = market.bookOf(1 - d.side);
  const best = other.bestPrice();
  if (isPlainMarket && best === 0) return refuse('NO_LIQUIDITY');
  const buysByVolume = isPlainMarket && d.side === BUY && !d.byTotal;
  setZero(s.scratch, WALK_COST);
  setZero(s.scratch, WALK_FEE);
  let walked = 0;
  const trades = !conditional && market.phase !== 'auction';
  if (trades && (buysByVolume || d.tif === FOK || fills !== undefined)) {
    const limit = isMarketKind(d.type) ? protectionPrice(market, d.side) : d.price;
    const { side, volume: lots, byTotal, stp } = d;
    // Anyone may send a test order, so it reveals only what the book shows.
    const visibleOnly = s.rules >= 2 && fills !== undefined;
    const walkTerms = { account, side, limit, lots, byTotal, stp, time, visibleOnly };
    walked = walk(s, market, walkTerms, CHECK_TOTAL, fills);
  }
  if (isPlainMarket && !d.byTotal) {
    bad =
      d.side === BUY ? checkSpending(s, market, WALK_COST) : checkValue(s, market, best, d.volume);
    if (bad !== undefined) return bad;
    if (s.rules >= 3 && d.side === BUY) {
      // The fillable volume is no measure of the order: in a thin book any size would pass.
      bad = checkAskedValue(s, market, best, d.volume);
      if (bad !== undefined) return bad;
    }
  }
  if (!conditional && d.postOnly && best !== 0 && crosses(d.side, d.price, best)) {
    return refuse('POST_ONLY_WOULD_TAKE', { best });
  }
  d.fillable = conditional || d.tif !== FOK || walked === d.volume;
  return checkFunds(s, d, account, market, buysByVolume);
}

function checkFunds(
  s: State,
  d: Draft,
  account: Account,
  market: Market,
  buysByVolume: boolean,
): Refusal | undefined {
  let fits = true;
  if (d.byTotal) copy(s.scratch, CHECK_HOLD, s.scratch, CHECK_TOTAL);
  else if (buysByVolume) copy(s.scratch, CHECK_HOLD, s.scratch, WALK_COST);
  else if (d.side === BUY && !isMarketKind(d.type)) {
    // checkValue() has left price times volume here, or the largest value if that does not fit.
    fits = s.scratch[CHECK_HOLD + 2]! < LARGEST_LIMB;
  } else fits = holdOf(s, market, d.side, d.price, d.volume, CHECK_HOLD);
  const coin = coinGiven(market, d.side);
  const available = rowOf(s, account, coin) + AVAILABLE * LIMBS;
  if (fits && compare(s.scratch, CHECK_HOLD, s.rows, available) <= 0) return undefined;
  return refuse('INSUFFICIENT_FUNDS', {
    coin: s.coins[coin]!.name,
    required: fits ? toBigint(s.scratch, CHECK_HOLD) : exactHold(market, d),
    available: toBigint(s.rows, available),
  });
}

/** The hold of an order that would exceed 2^144. */
export function exactHold(
  market: Market,
  d: { side: number; price: number; volume: number },
): bigint {
  if (d.side === BUY) return BigInt(d.price) * BigInt(d.volume) * market.quoteScale.big;
  return BigInt(d.volume) * market.baseScale.big;
}
