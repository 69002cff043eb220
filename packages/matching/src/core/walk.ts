// What an order would trade if it came now: for fill-or-kill, for the cost of a market buy by volume,
// and for test orders. Changes nothing.

import { addPpm, subtractPpm } from '../amount.ts';
import * as names from '../names.ts';
import type { Fill } from '../outcome.ts';
import * as record from '../record.ts';
import type { Account, Market, State } from '../state.ts';
import * as scratchCells from './scratch.ts';
import { hasExpired, isExpired } from './expiry.ts';
import { add, compare, copy, product, setZero, share, subtract, toBigint } from '../wide.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { BUY, DECREMENT, EXPIRE_MAKER } = names;
const { ACCOUNT, CELLS, NEXT, NONE, REMAINING, SHOWN, VISIBLE } = record;
const { WALK_COST, WALK_FEE } = scratchCells;

// Other cells of the state's scratch that a walk uses.
const WALK_UNSPENT = 40;
const WALK_TEMP = 44;

/** Do the sides meet? Only what gathered in an auction can. */
export const isCrossed = ({ bids, asks }: Market): boolean =>
  bids.count > 0 && asks.count > 0 && bids.bestPrice() >= asks.bestPrice();

/** What the price of an auction is measured by: a book that may cross has no mid price. */
export const auctionReference = (market: Market): number =>
  market.lastPrice !== 0 ? market.lastPrice : market.config.listingPriceTicks;

export function referencePrice(market: Market): number {
  if (market.lastPrice !== 0) return market.lastPrice;
  if (market.phase === 'auction' || isCrossed(market)) return auctionReference(market);
  if (market.bids.count > 0 && market.asks.count > 0) {
    // At most 2 * 10^15, so the sum is exact.
    return Math.floor((market.bids.bestPrice() + market.asks.bestPrice()) / 2);
  }
  return market.config.listingPriceTicks;
}

/** The worst price at which a market order may trade. */
export function protectionPrice(market: Market, side: number): number {
  const reference = referencePrice(market);
  const ppm = market.config.marketSlippagePpm;
  return side === BUY ? addPpm(reference, ppm) : subtractPpm(reference, ppm);
}

export const crosses = (side: number, limit: number, price: number): boolean =>
  side === BUY ? price <= limit : price >= limit;

/** Whole lots that the amount buys at the price, or `cap` if it buys at least that many. */
export function affordable(
  s: State,
  market: Market,
  a: Float64Array,
  i: number,
  price: number,
  cap: number,
): number {
  product(s.scratch, WALK_TEMP, price, cap, market.quoteScale);
  if (compare(s.scratch, WALK_TEMP, a, i) <= 0) return cap;
  // Below cap, so the quotient is an exact number.
  const unit = BigInt(price) * market.quoteScale.big;
  return Number(toBigint(a, i) / unit);
}

export interface WalkTerms {
  account: Account;
  side: number;
  limit: number;
  lots: number;
  byTotal: boolean;
  stp: number;
  time: number;
  /** Leaves out what icebergs hide. */
  visibleOnly: boolean;
}

/**
 * Gives the lots that would trade; the cost is left in scratch at WALK_COST, the taker's fee at
 * WALK_FEE. For a buy by total, the total is read from scratch at `total`.
 */
export function walk(
  s: State,
  market: Market,
  terms: WalkTerms,
  total: number,
  fills: Fill[] | undefined,
): number {
  const { account, side, limit, byTotal, stp, time, visibleOnly } = terms;
  const someExpired = hasExpired(s, time);
  const { scratch } = s;
  const { f64, i32, u32 } = s.pool;
  const book = market.bookOf(1 - side);
  let wanted = terms.lots;
  let traded = 0;
  setZero(scratch, WALK_COST);
  setZero(scratch, WALK_FEE);
  if (byTotal) copy(scratch, WALK_UNSPENT, scratch, total);

  const take = (price: number, shown: number): number => {
    const lots = byTotal
      ? affordable(s, market, scratch, WALK_UNSPENT, price, shown)
      : Math.min(wanted, shown);
    if (lots === 0) return 0;
    product(scratch, WALK_TEMP, price, lots, market.quoteScale);
    add(scratch, WALK_COST, scratch, WALK_TEMP);
    if (byTotal) subtract(scratch, WALK_UNSPENT, scratch, WALK_TEMP);
    else wanted -= lots;
    const ppm = account.tier.takerPpm;
    if (side === BUY) share(scratch, WALK_TEMP, lots, 1, market.baseScale, ppm, true);
    else share(scratch, WALK_TEMP, price, lots, market.quoteScale, ppm, true);
    add(scratch, WALK_FEE, scratch, WALK_TEMP);
    traded += lots;
    fills?.push({ priceTicks: price, lots });
    return lots;
  };

  for (let position = book.count - 1; position >= 0; position--) {
    const price = book.priceAt(position);
    if (!crosses(side, limit, price)) break;
    // Icebergs whose slice is used up queue again behind all others, in the same order.
    const again: Array<{ slot: number; rest: number }> = [];
    for (let slot = book.headOf(book.levelAt(position)); slot !== NONE;) {
      if (!byTotal && wanted === 0) return traded;
      const cell = slot * CELLS;
      if (someExpired && isExpired(s, slot, time)) {
        slot = i32[cell * 2 + NEXT]!;
        continue;
      }
      const maker = s.accounts[u32[cell * 2 + ACCOUNT]!]!;
      const remaining = f64[cell + REMAINING]!;
      if (maker.parent === account.parent) {
        if (stp !== EXPIRE_MAKER) {
          if (stp !== DECREMENT) return traded;
          const want = byTotal
            ? affordable(s, market, scratch, WALK_UNSPENT, price, remaining + 1)
            : wanted;
          if (want <= remaining) return traded;
          if (byTotal) {
            product(scratch, WALK_TEMP, price, remaining, market.quoteScale);
            subtract(scratch, WALK_UNSPENT, scratch, WALK_TEMP);
          } else wanted -= remaining;
        } else if (byTotal && affordable(s, market, scratch, WALK_UNSPENT, price, 1) === 0) {
          return traded;
        }
      } else {
        const shown = f64[cell + SHOWN]!;
        const lots = take(price, shown);
        if (lots < shown) return traded;
        if (remaining > shown && !visibleOnly) again.push({ slot, rest: remaining - shown });
      }
      slot = i32[slot * CELLS * 2 + NEXT]!;
    }
    while (again.length > 0) {
      const next = again.shift()!;
      const slice = Math.min(f64[next.slot * CELLS + VISIBLE]!, next.rest);
      if (!byTotal && wanted === 0) return traded;
      const lots = take(price, slice);
      if (lots < slice) return traded;
      if (next.rest > slice) again.push({ slot: next.slot, rest: next.rest - slice });
    }
  }
  return traded;
}
