// Conditional orders: after a step its trades are looked at one by one; what they trigger runs, each
// order as a separate step, and its trades are looked at in turn. Each order triggers once, so the
// chain ends.

import { grown } from '../book.ts';
import * as names from '../names.ts';
import { isTrailing } from '../names.ts';
import * as record from '../record.ts';
import type { Market, State } from '../state.ts';
import { hasExpired, isExpired } from './expiry.ts';
import { triggersOf } from './finish.ts';
import { executeLater } from './later.ts';
import { beginExits, takeOver } from './list.ts';
import { beginStep, endStep } from './step.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { BUY, OPEN, STATUS_FILLED } = names;
const {
  ACCOUNT,
  CELLS,
  FLAGS,
  FLAG_DORMANT,
  ID,
  LINK,
  MARKET,
  NONE,
  SHOWN,
  SIDE,
  STATUS,
  TRIGGERED,
  TYPE,
} = record;

const CAUSE_TRIGGER = 2;
const CAUSE_LIST = 7;

function enqueue(s: State, slot: number): void {
  if (s.triggeredTail === s.triggered.length) {
    s.triggered = grown(s.triggered, new Int32Array(s.triggeredTail * 2));
    s.pricesSeen = grown(s.pricesSeen, new Int32Array(s.triggeredTail * 2));
  }
  s.pricesSeen[s.triggeredTail] = s.chainPriceCount;
  s.triggered[s.triggeredTail++] = slot;
}

/** Trailing stops follow every trade, also while nothing may fire. */
function followTrade(s: State, market: Market, price: number): void {
  market.trails.follow(price);
  if (s.chainPriceCount === s.chainPrices.length) {
    s.chainPrices = grown(s.chainPrices, new Float64Array(s.chainPriceCount * 2));
  }
  s.chainPrices[s.chainPriceCount++] = price;
}

/** Queues what the trades of the step that just ended have triggered, then the exits that it let begin. */
function scanStep(s: State): void {
  scanTrades(s);
  for (const slot of s.begun) enqueue(s, slot);
  s.begun.length = 0;
}

function scanTrades(s: State): void {
  const market = s.tradeMarket;
  const count = s.tradePriceCount;
  s.tradePriceCount = 0;
  if (market === undefined) return;
  const mayFire = market.phase === 'continuous' && market.sweeping === 0;
  const { rising, falling, trails } = market;
  if (trails.count === 0 && (!mayFire || rising.count + falling.count === 0)) return;
  const take = (slot: number): void => enqueue(s, slot);
  for (let i = 0; i < count; i++) {
    const price = s.tradePrices[i]!;
    // The trade before has moved and hit everything that this one would.
    if (i > 0 && price === s.tradePrices[i - 1]) continue;
    if (trails.count > 0 && !s.looksBack) followTrade(s, market, price);
    if (!mayFire) continue;
    const first = s.triggeredTail;
    for (const list of [rising, falling]) {
      for (let slot = list.takeHit(price); slot >= 0; slot = list.takeHit(price)) enqueue(s, slot);
    }
    if (trails.count > 0) trails.takeHits(price, take);
    // Orders hit by the same trade fire in the order they were placed.
    const { f64 } = s.pool;
    s.triggered
      .subarray(first, s.triggeredTail)
      .sort((a, b) => f64[a * CELLS + ID]! - f64[b * CELLS + ID]!);
  }
}

/** Runs the whole chain that the last step has started, if it started one. */
export function runStarted(s: State, time: number): void {
  if (s.tradePriceCount > 0 || s.begun.length > 0) runTriggered(s, time);
}

function runTriggered(s: State, time: number): void {
  s.triggeredHead = 0;
  s.triggeredTail = 0;
  s.chainPriceCount = 0;
  scanStep(s);
  let keptCount = 0;
  while (s.triggeredHead < s.triggeredTail) {
    const at = s.triggeredHead++;
    const slot = s.triggered[at]!;
    const { f64, u32 } = s.pool;
    const word = slot * CELLS * 2;
    // The other leg of its list traded meanwhile. No order is placed while the chain runs, so the slot of
    // an order that was forgotten still holds it.
    if (u32[word + STATUS]! >= STATUS_FILLED) continue;
    const type = u32[word + TYPE]!;
    const market = s.markets[u32[word + MARKET]!]!;
    if ((u32[word + FLAGS]! & FLAG_DORMANT) !== 0) {
      beginStep(s, time, CAUSE_LIST);
      const stop = beginExits(s, slot);
      endStep(s);
      scanStep(s);
      if (stop !== NONE) enqueue(s, stop);
      continue;
    }
    if (market.phase !== 'continuous' || (hasExpired(s, time) && isExpired(s, slot, time))) {
      // A halt came first: the order keeps waiting, and is checked again when trading resumes. Or
      // the order expired first, and only its timer has not fired yet.
      if (isTrailing(type)) {
        s.pricesSeen[keptCount] = s.pricesSeen[at]!;
        s.triggered[keptCount++] = slot;
      } else triggersOf(market, type, u32[word + SIDE]!).add(slot);
      continue;
    }
    beginStep(s, time, CAUSE_TRIGGER);
    const account = s.accounts[u32[word + ACCOUNT]!]!;
    if (isTrailing(type)) market.trails.leave(slot);
    account.pending[market.index]! -= 1;
    account.open[market.index]! += 1;
    u32[word + STATUS] = OPEN;
    f64[slot * CELLS + TRIGGERED] = time;
    if (u32[word + LINK] !== 0) takeOver(s, slot);
    executeLater(s, slot);
    endStep(s);
    scanStep(s);
  }
  if (keptCount > 0) putTrailsBack(s, keptCount);
}

/**
 * Trailing stops that fired and could not run follow the price again, with what traded since they fired. A chain
 * concerns one market, so its prices are theirs.
 */
function putTrailsBack(s: State, count: number): void {
  const { f64, u32 } = s.pool;
  const market = s.markets[u32[s.triggered[0]! * CELLS * 2 + MARKET]!]!;
  const slots: number[] = [];
  let seen = s.chainPriceCount;
  let low = Infinity;
  let high = 0;
  for (let i = count - 1; i >= 0; i--) {
    for (; seen > s.pricesSeen[i]!; seen--) {
      low = Math.min(low, s.chainPrices[seen - 1]!);
      high = Math.max(high, s.chainPrices[seen - 1]!);
    }
    const slot = s.triggered[i]!;
    const extreme = f64[slot * CELLS + SHOWN]!;
    const isBuy = u32[slot * CELLS * 2 + SIDE] === BUY;
    f64[slot * CELLS + SHOWN] = isBuy ? Math.min(extreme, low) : Math.max(extreme, high);
    slots.push(slot);
  }
  market.trails.putBack(slots);
}
