// Auctions: in the call phase orders gather and nothing trades; the uncross then trades everything that meets,
// at one price, by price and then by time.

import type { BookSide } from '../book.ts';
import {
  BUY,
  EXPIRED,
  EXPIRE_MAKER,
  PARTIALLY_FILLED,
  STATUS_FILLED,
  reasonNumber,
} from '../names.ts';
import {
  ACCOUNT,
  CELLS,
  ID,
  LEVEL,
  LINK,
  NEXT,
  NONE,
  PRICE,
  REMAINING,
  SHOWN,
  SIDE,
  STATUS,
  VISIBLE,
} from '../record.ts';
import { HALT_WINDOW_SECONDS } from '../state.ts';
import type { Market, State } from '../state.ts';
import * as tape from '../tape.ts';
import { fill, releaseSurplus } from './execute.ts';
import { hasExpired, isExpired } from './expiry.ts';
import { decide, finish } from './finish.ts';
import { noteTradePrice } from './phase.ts';
import { MAKER_FEE, TAKER_FEE } from './scratch.ts';
import { settle } from './settle.ts';
import { noteLevel, touch } from './step.ts';
import { findUncross } from './uncross.ts';
import type { AuctionLevel, UncrossPrice } from './uncross.ts';
import { auctionReference, isCrossed } from './walk.ts';

const REASON_GTD = reasonNumber('gtd');
const REASON_STP = reasonNumber('stp');

/**
 * Trades what meets in the book of a market that is about to trade again. A market that is being swept does
 * not: the sweep takes away at least one of its sides.
 */
export function uncross(s: State, market: Market): void {
  if (market.phase !== 'auction' && !isCrossed(market)) return;
  if (market.sweeping > 0) return;
  endExpired(s, market);
  let rounds = 0;
  for (;;) {
    const reference = auctionReference(market);
    const found = findUncross(
      levelsWithin(s, market, market.bids),
      levelsWithin(s, market, market.asks),
      reference,
    );
    if (found === undefined) break;
    // Orders that would have met their own family end, and without them the rest may still meet, at another
    // price.
    if (tradeAt(s, market, found, reference)) rounds += 1;
  }
  if (rounds === 0) writeUncross(s, market, 0, 0, 0, auctionReference(market));
  // As after a halt: the older prices would halt the market for the price that the auction has just found.
  market.restartHistory(Math.max(0, Math.floor(s.time / 1000) - HALT_WINDOW_SECONDS));
}

/** Ends the expired orders that would stand in the way; they have no part in the auction. */
function endExpired(s: State, market: Market): void {
  if (!hasExpired(s, s.time) || !isCrossed(market)) return;
  const { i32 } = s.pool;
  const bestBid = market.bids.bestPrice();
  const bestAsk = market.asks.bestPrice();
  const expired: number[] = [];
  for (const book of [market.bids, market.asks]) {
    for (let at = book.count - 1; at >= 0; at--) {
      const price = book.priceAt(at);
      if (book.side === BUY ? price < bestAsk : price > bestBid) break;
      let slot = book.headOf(book.levelAt(at));
      for (; slot !== NONE; slot = i32[slot * CELLS * 2 + NEXT]!) {
        if (isExpired(s, slot, s.time)) expired.push(slot);
      }
    }
  }
  for (const slot of expired) finish(s, slot, EXPIRED, REASON_GTD);
}

/** What a side wants at each price that meets the other side, from its best price, hidden volume included. */
function levelsWithin(s: State, market: Market, book: BookSide): AuctionLevel[] {
  const { f64, i32 } = s.pool;
  const levels: AuctionLevel[] = [];
  const other = market.bookOf(1 - book.side).bestPrice();
  if (other === 0) return levels;
  for (let at = book.count - 1; at >= 0; at--) {
    const priceTicks = book.priceAt(at);
    if (book.side === BUY ? priceTicks < other : priceTicks > other) break;
    let lots = 0;
    let slot = book.headOf(book.levelAt(at));
    for (; slot !== NONE; slot = i32[slot * CELLS * 2 + NEXT]!)
      lots += f64[slot * CELLS + REMAINING]!;
    levels.push({ priceTicks, lots });
  }
  return levels;
}

/** The first order of a side that may trade at the price. */
function firstAt(book: BookSide, price: number): number {
  const level = book.bestLevel();
  if (level === NONE) return NONE;
  const best = book.bestPrice();
  return (book.side === BUY ? best >= price : best <= price) ? book.headOf(level) : NONE;
}

/** Trades all that meets at the price, and says whether anything did. */
function tradeAt(s: State, market: Market, found: UncrossPrice, reference: number): boolean {
  const { f64, u32 } = s.pool;
  const price = found.priceTicks;
  let traded = 0;
  let imbalance = found.imbalanceLots;
  for (;;) {
    const bid = firstAt(market.bids, price);
    const ask = firstAt(market.asks, price);
    if (bid === NONE || ask === NONE) break;
    const buyer = s.accounts[u32[bid * CELLS * 2 + ACCOUNT]!]!;
    const seller = s.accounts[u32[ask * CELLS * 2 + ACCOUNT]!]!;
    const isBidYounger = f64[bid * CELLS + ID]! > f64[ask * CELLS + ID]!;
    if (buyer.parent === seller.parent) {
      const younger = isBidYounger ? bid : ask;
      const lots = f64[younger * CELLS + REMAINING]!;
      imbalance += isBidYounger ? -lots : lots;
      preventSelfMatch(s, market, isBidYounger ? ask : bid, younger, price);
      continue;
    }
    const lots = Math.min(f64[bid * CELLS + REMAINING]!, f64[ask * CELLS + REMAINING]!);
    // For the record, the younger order counts as the taker. Both pay the maker's rate.
    if (isBidYounger) settle(s, market, bid, buyer, ask, seller, lots, price, true);
    else settle(s, market, ask, seller, bid, buyer, lots, price, true);
    traded += lots;
    take(s, market, bid, lots, isBidYounger ? TAKER_FEE : MAKER_FEE);
    take(s, market, ask, lots, isBidYounger ? MAKER_FEE : TAKER_FEE);
  }
  showNextSlice(s, market, market.bids);
  showNextSlice(s, market, market.asks);
  if (traded === 0) return false;
  market.lastPrice = price;
  noteTradePrice(s, market, price);
  writeUncross(s, market, price, traded, imbalance, reference);
  return true;
}

/** Books a fill. An order takes part with all it has, so an iceberg may trade more than it shows. */
function take(s: State, market: Market, slot: number, lots: number, fee: number): void {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  touch(s, slot);
  fill(s, market, cell, lots, fee);
  // The other leg of its list waits for a price, so it is not in the book.
  const inList = u32[cell * 2 + LINK] !== 0;
  if (inList) decide(s, slot);
  show(s, market, slot, Math.max(0, f64[cell + SHOWN]! - lots));
  if (f64[cell + REMAINING] === 0) finish(s, slot, STATUS_FILLED, 0);
  else {
    u32[cell * 2 + STATUS] = PARTIALLY_FILLED;
    if (inList) releaseSurplus(s, market, slot);
  }
}

/** Sets what an order in the book shows. */
function show(s: State, market: Market, slot: number, shown: number): void {
  const { f64, i32, u32 } = s.pool;
  const cell = slot * CELLS;
  const book = market.bookOf(u32[cell * 2 + SIDE]!);
  const level = i32[cell * 2 + LEVEL]!;
  noteLevel(s, market, book, level, f64[cell + PRICE]!);
  book.addLots(level, shown - f64[cell + SHOWN]!);
  f64[cell + SHOWN] = shown;
}

/** Only the order that traded last can have something left. If it shows nothing, its next slice begins. */
function showNextSlice(s: State, market: Market, book: BookSide): void {
  const { f64 } = s.pool;
  const level = book.bestLevel();
  const slot = level === NONE ? NONE : book.headOf(level);
  if (slot === NONE || f64[slot * CELLS + SHOWN]! > 0) return;
  const cell = slot * CELLS;
  show(s, market, slot, Math.min(f64[cell + VISIBLE]!, f64[cell + REMAINING]!));
  book.requeue(slot);
}

/** Orders of one family never trade with each other: the younger one ends. */
function preventSelfMatch(
  s: State,
  market: Market,
  older: number,
  younger: number,
  price: number,
): void {
  const { f64 } = s.pool;
  const at = s.tape.begin(tape.PREVENTED_MATCH, 5);
  s.tape.f64[at] = f64[older * CELLS + ID]!;
  s.tape.f64[at + 1] = f64[younger * CELLS + ID]!;
  s.tape.f64[at + 2] = price;
  s.tape.f64[at + 3] = 0;
  s.tape.u32[(at + 4) * 2] = market.index;
  s.tape.u32[(at + 4) * 2 + 1] = EXPIRE_MAKER;
  finish(s, younger, EXPIRED, REASON_STP);
}

function writeUncross(
  s: State,
  market: Market,
  price: number,
  lots: number,
  imbalance: number,
  reference: number,
): void {
  const at = s.tape.begin(tape.UNCROSS, 5);
  s.tape.f64[at] = price;
  s.tape.f64[at + 1] = lots;
  s.tape.f64[at + 2] = imbalance;
  s.tape.f64[at + 3] = reference;
  s.tape.u32[(at + 4) * 2] = market.index;
  const { quotePrecision, basePrecision } = market.config;
  s.tape.u32[(at + 4) * 2 + 1] = quotePrecision | (basePrecision << 8);
}
