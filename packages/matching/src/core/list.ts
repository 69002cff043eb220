// What the legs of an order list do for each other after they were accepted: a stop that fires takes over
// the hold of both, and the exits of a bracket begin when its entry has ended.

import { LIMITS } from '../command.ts';
import * as names from '../names.ts';
import { isMarketKind, reasonNumber } from '../names.ts';
import * as record from '../record.ts';
import { rowOf } from '../state.ts';
import type { Market, State } from '../state.ts';
import * as wide from '../wide.ts';
import { compare, copy, setZero } from '../wide.ts';
import { conditionHolds, isAdmitted } from './check.ts';
import { execute, holdOf } from './execute.ts';
import { JOURNAL_HOLD, coinGiven, decide, finish, siblingOf, triggersOf } from './finish.ts';
import { moveForOrder, touch } from './step.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { AVAILABLE, CANCELED, OPEN, STATUS_REJECTED } = names;
const {
  ACCOUNT,
  CELLS,
  FLAGS,
  FLAG_DORMANT,
  HELD,
  MARKET,
  NONE,
  PRICE,
  REMAINING,
  SHOWN,
  SIDE,
  STATUS,
  STOP,
  TYPE,
  VOLUME,
} = record;
const { LIMBS } = wide;

const REASON_CLOSED = reasonNumber('market_closed');
const REASON_FUNDS = reasonNumber('insufficient_funds_at_trigger');

// Cells of the state's scratch.
const NEED = 56;
const OTHER = 60;

/** A stop leg fires: the limit leg ends first, and what it held for both is the stop's. */
export function takeOver(s: State, slot: number): void {
  const limit = siblingOf(s, slot);
  if (limit === NONE) return;
  const { f64 } = s.pool;
  copy(f64, slot * CELLS + HELD, f64, limit * CELLS + HELD);
  setZero(f64, limit * CELLS + HELD);
  // The stop may rest at the price that the limit leg leaves.
  s.mayRejoin = true;
  decide(s, slot);
}

/** The dearer of two legs of this size, in scratch at NEED; for a sell both need the same. */
function needOf(s: State, market: Market, limit: number, stop: number, lots: number): boolean {
  const { f64, u32 } = s.pool;
  const side = u32[limit * CELLS * 2 + SIDE]!;
  let fits = holdOf(s, market, side, f64[limit * CELLS + PRICE]!, lots, NEED);
  if (isMarketKind(u32[stop * CELLS * 2 + TYPE]!)) return fits;
  fits = holdOf(s, market, side, f64[stop * CELLS + PRICE]!, lots, OTHER) && fits;
  if (compare(s.scratch, OTHER, s.scratch, NEED) > 0) copy(s.scratch, NEED, s.scratch, OTHER);
  return fits;
}

/** Why the exits cannot begin, as the reason of their end; 0 if they can. */
function findObstacle(s: State, market: Market, limit: number, stop: number, lots: number): number {
  const { u32 } = s.pool;
  const word = limit * CELLS * 2;
  const side = u32[word + SIDE]!;
  const open = isMarketKind(u32[stop * CELLS * 2 + TYPE]!) ? lots : 2 * lots;
  if (!isAdmitted(market, false, false)) return REASON_CLOSED;
  if (market.openLots[side]! + open > LIMITS.sideLotsMax) return REASON_CLOSED;
  const fits = needOf(s, market, limit, stop, lots);
  const account = s.accounts[u32[word + ACCOUNT]!]!;
  const available = rowOf(s, account, coinGiven(market, side)) + AVAILABLE * LIMBS;
  return fits && compare(s.scratch, NEED, s.rows, available) <= 0 ? 0 : REASON_FUNDS;
}

/**
 * The exits of an ended entry become a pair for what it filled, in the step that is open. Returns the stop
 * if its condition holds already; it has then left its list and fires next.
 */
export function beginExits(s: State, limit: number): number {
  const { f64, u32 } = s.pool;
  const stop = siblingOf(s, limit);
  const word = limit * CELLS * 2;
  const market = s.markets[u32[word + MARKET]!]!;
  const account = s.accounts[u32[word + ACCOUNT]!]!;
  const side = u32[word + SIDE]!;
  const lots = f64[limit * CELLS + SHOWN]!;
  f64[limit * CELLS + SHOWN] = 0;
  for (const leg of [limit, stop]) {
    touch(s, leg);
    f64[leg * CELLS + VOLUME] = lots;
    f64[leg * CELLS + REMAINING] = lots;
  }
  const obstacle = findObstacle(s, market, limit, stop, lots);
  if (obstacle !== 0) {
    const status = obstacle === REASON_CLOSED ? CANCELED : STATUS_REJECTED;
    finish(s, limit, status, obstacle, true);
    finish(s, stop, status, obstacle, true);
    return NONE;
  }
  for (const leg of [limit, stop]) {
    u32[leg * CELLS * 2 + FLAGS]! &= ~FLAG_DORMANT;
    if (!isMarketKind(u32[leg * CELLS * 2 + TYPE]!)) market.openLots[side]! += lots;
  }
  copy(f64, limit * CELLS + HELD, s.scratch, NEED);
  moveForOrder(
    s,
    JOURNAL_HOLD,
    limit,
    account,
    coinGiven(market, side),
    AVAILABLE,
    s.scratch,
    NEED,
  );
  const triggers = triggersOf(market, u32[stop * CELLS * 2 + TYPE]!, side);
  triggers.add(stop);
  account.pending[market.index]! -= 1;
  account.open[market.index]! += 1;
  u32[word + STATUS] = OPEN;
  execute(s, limit);
  if (siblingOf(s, limit) !== stop) return NONE;
  const type = u32[stop * CELLS * 2 + TYPE]!;
  if (!conditionHolds(type, side, f64[stop * CELLS + STOP]!, market.lastPrice)) return NONE;
  triggers.remove(stop);
  return stop;
}
