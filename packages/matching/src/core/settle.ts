// The money of one trade: fees, rebate, and the balances of both sides, as one double entry.

import { assert } from '../assert.ts';
import * as names from '../names.ts';
import { isMarketKind } from '../names.ts';
import * as record from '../record.ts';
import { rowOf } from '../state.ts';
import type { Account, Market, State } from '../state.ts';
import * as scratchCells from './scratch.ts';
import * as tape from '../tape.ts';
import * as wide from '../wide.ts';
import { add, copy, isZero, product, setZero, share, subtract } from '../wide.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { TRADE } = tape;
const { BUY, HOLD } = names;
const { CELLS, HELD, ID, PRICE, REBATE, SIDE, TYPE } = record;
const { LIMBS } = wide;
const { BASE, MAKER_FEE, TAKER_FEE, TOTAL } = scratchCells;

// Other cells of the state's scratch that a settlement uses.
const REBATE_AMOUNT = 16;
const RESERVED = 20;
const TEMP = 24;

/**
 * Moves the money of a trade and writes its record, which holds the trade, the amounts it is made of
 * and every balance it changed; decode.ts spells the postings out.
 */
export function settle(
  s: State,
  market: Market,
  slot: number,
  account: Account,
  makerSlot: number,
  maker: Account,
  lots: number,
  price: number,
  isAuction: boolean,
): void {
  const { f64, u32 } = s.pool;
  const { scratch } = s;
  const cell = slot * CELLS;
  const makerCell = makerSlot * CELLS;
  const takerSide = u32[cell * 2 + SIDE]!;
  const takerBuys = takerSide === BUY;
  const { quoteScale, baseScale, base, quote } = market;
  assert(product(scratch, TOTAL, price, lots, quoteScale), 'a trade is larger than its hold');
  assert(product(scratch, BASE, lots, 1, baseScale), 'a trade is larger than its hold');

  // A rebate is paid in the coin of the taker's fee and at no more than its rate, so that it never
  // exceeds that fee and the fee account never goes below zero in any coin.
  // In an auction both pay the maker's rate. No taker's fee is there to pay a rebate from, so there is none.
  const takerPpm = isAuction ? Math.max(account.tier.makerPpm, 0) : account.tier.takerPpm;
  const makerPpm = isAuction
    ? Math.max(maker.tier.makerPpm, 0)
    : Math.max(maker.tier.makerPpm, -takerPpm);
  shareOf(s, market, TAKER_FEE, takerBuys, price, lots, takerPpm, true);
  if (makerPpm > 0) shareOf(s, market, MAKER_FEE, !takerBuys, price, lots, makerPpm, true);
  else setZero(scratch, MAKER_FEE);
  if (makerPpm < 0) shareOf(s, market, REBATE_AMOUNT, takerBuys, price, lots, -makerPpm, false);
  else setZero(scratch, REBATE_AMOUNT);
  const hasRebate = makerPpm < 0 && !isZero(scratch, REBATE_AMOUNT);

  s.tradeCount += 1;
  const t = s.tape;
  const at = t.begin(TRADE, hasRebate ? 53 : 47);
  const out = t.f64;
  out[at] = s.config.shard * 1e15 + s.tradeCount;
  out[at + 1] = price;
  out[at + 2] = lots;
  out[at + 3] = f64[cell + ID]!;
  out[at + 4] = f64[makerCell + ID]!;
  const words = t.i32;
  words[(at + 5) * 2] = takerPpm;
  words[(at + 5) * 2 + 1] = makerPpm;
  words[(at + 6) * 2] = account.index;
  words[(at + 6) * 2 + 1] = maker.index;
  words[(at + 7) * 2] = market.index;
  const { quotePrecision, basePrecision } = market.config;
  words[(at + 7) * 2 + 1] = takerSide | (quotePrecision << 8) | (basePrecision << 16);
  copy(out, at + 8, scratch, TOTAL);
  copy(out, at + 11, scratch, TAKER_FEE);
  copy(out, at + 14, scratch, MAKER_FEE);
  copy(out, at + 17, scratch, REBATE_AMOUNT);
  copy(out, at + 20, scratch, BASE);

  const buyer = takerBuys ? account : maker;
  const seller = takerBuys ? maker : account;
  const buyerCell = takerBuys ? cell : makerCell;
  const sellerCell = takerBuys ? makerCell : cell;
  const buyerFee = takerBuys ? TAKER_FEE : MAKER_FEE;
  const sellerFee = takerBuys ? MAKER_FEE : TAKER_FEE;

  // What leaves the buyer's hold is what its own limit had put aside for these lots.
  let reserved = TOTAL;
  const buyerLimit = f64[buyerCell + PRICE]!;
  if (buyerLimit !== price && !isMarketKind(u32[buyerCell * 2 + TYPE]!)) {
    reserved = RESERVED;
    product(scratch, RESERVED, buyerLimit, lots, quoteScale);
  }
  copy(out, at + 23, scratch, reserved);

  // Rows first: finding one may make it, and replace the array.
  const buyerQuote = rowOf(s, buyer, quote);
  const buyerBase = rowOf(s, buyer, base);
  const sellerBase = rowOf(s, seller, base);
  const sellerQuote = rowOf(s, seller, quote);
  const feesQuote = rowOf(s, s.fees, quote);
  const feesBase = rowOf(s, s.fees, base);
  const { rows } = s;
  subtract(rows, buyerQuote + HOLD * LIMBS, scratch, reserved);
  if (reserved === RESERVED) {
    copy(scratch, TEMP, scratch, RESERVED);
    subtract(scratch, TEMP, scratch, TOTAL);
    add(rows, buyerQuote, scratch, TEMP);
  }
  copy(scratch, TEMP, scratch, BASE);
  subtract(scratch, TEMP, scratch, buyerFee);
  add(rows, buyerBase, scratch, TEMP);
  subtract(rows, sellerBase + HOLD * LIMBS, scratch, BASE);
  copy(scratch, TEMP, scratch, TOTAL);
  subtract(scratch, TEMP, scratch, sellerFee);
  add(rows, sellerQuote, scratch, TEMP);
  add(rows, feesQuote, scratch, sellerFee);
  add(rows, feesBase, scratch, buyerFee);
  copy(out, at + 26, rows, buyerQuote + HOLD * LIMBS);
  copy(out, at + 29, rows, buyerQuote);
  copy(out, at + 32, rows, buyerBase);
  copy(out, at + 35, rows, sellerBase + HOLD * LIMBS);
  copy(out, at + 38, rows, sellerQuote);
  copy(out, at + 41, rows, feesQuote);
  copy(out, at + 44, rows, feesBase);
  if (hasRebate) {
    const fees = takerBuys ? feesBase : feesQuote;
    const makers = takerBuys ? sellerBase : buyerQuote;
    subtract(rows, fees, scratch, REBATE_AMOUNT);
    add(rows, makers, scratch, REBATE_AMOUNT);
    copy(out, at + 47, rows, fees);
    copy(out, at + 50, rows, makers);
    add(f64, makerCell + REBATE, scratch, REBATE_AMOUNT);
  }
  subtract(f64, buyerCell + HELD, scratch, reserved);
  subtract(f64, sellerCell + HELD, scratch, BASE);
}

/** A share of what one side of a trade receives: the lots for a buyer, their price for a seller. */
function shareOf(
  s: State,
  market: Market,
  out: number,
  ofBase: boolean,
  price: number,
  lots: number,
  ppm: number,
  roundUp: boolean,
): void {
  if (ofBase) share(s.scratch, out, lots, 1, market.baseScale, ppm, roundUp);
  else share(s.scratch, out, price, lots, market.quoteScale, ppm, roundUp);
}
