// Sweeps in the slow twin. It looks at every order again, and remembers only how far it has come.

import { LIMITS } from '../../src/command.ts';
import type { Side } from '../../src/command.ts';
import type { Result, StatusReason } from '../../src/outcome.ts';
import { findMarket, finish, liveOrders, rejected } from './model.ts';
import type { CommandOf, TwinMarket, TwinOrder, TwinState, TwinSweep } from './model.ts';

const LOOKS_PER_ORDER = 10;

/** Is a sweep of the whole market under way? */
export const isSweeping = (s: TwinState, market: TwinMarket): boolean =>
  s.sweeps.some((w) => w.account === undefined && w.symbol === market.config.symbol);

/** May nothing be placed, amended or triggered? */
export function refuseClosed(s: TwinState, market: TwinMarket): ReturnType<typeof rejected> {
  const { phase } = market;
  const { symbol } = market.config;
  return rejected(
    'MARKET_CLOSED',
    isSweeping(s, market) ? { symbol, phase, sweeping: true } : { symbol, phase },
  );
}

/** Rising orders fire at the lowest stop first, falling ones at the highest. */
const isRising = (o: TwinOrder): boolean => o.type.startsWith('stop') === (o.side === 'buy');

function compareTriggers(a: TwinOrder, b: TwinOrder): number {
  const [aTrails, bTrails] = [a.type === 'trailing_stop', b.type === 'trailing_stop'];
  if (aTrails !== bTrails) return aTrails ? 1 : -1;
  if (aTrails) return a.orderId - b.orderId;
  if (isRising(a) !== isRising(b)) return isRising(a) ? -1 : 1;
  if (a.stopPrice !== b.stopPrice) {
    return isRising(a) ? a.stopPrice - b.stopPrice : b.stopPrice - a.stopPrice;
  }
  return a.orderId - b.orderId;
}

function compareResting(a: TwinOrder, b: TwinOrder): number {
  if (a.side !== b.side) return a.side === 'buy' ? -1 : 1;
  if (a.price !== b.price) return a.side === 'buy' ? b.price - a.price : a.price - b.price;
  return a.joined - b.joined;
}

/** What the sweep has not looked at yet, in its order. */
function listAhead(s: TwinState, w: TwinSweep): TwinOrder[] {
  if (w.account !== undefined) {
    return liveOrders(s)
      .filter((o) => o.account === w.account && o.orderId > w.lastId && o.orderId <= w.throughId)
      .sort((a, b) => a.orderId - b.orderId);
  }
  const live = findMarket(s, w.symbol ?? '')?.live ?? [];
  const { last } = w;
  return [
    ...live
      .filter((o) => o.resting && (w.side === undefined || o.side === w.side))
      .sort(compareResting),
    ...live
      .filter((o) => !o.resting && o.dormant !== true)
      .filter((o) => last === undefined || compareTriggers(last, o) < 0)
      .sort(compareTriggers),
  ];
}

/** One step; gives the ids and whether it was the last. */
function advance(s: TwinState, w: TwinSweep): { orderIds: number[]; done: boolean } {
  const orderIds: number[] = [];
  let looks = s.sweepStep * LOOKS_PER_ORDER;
  for (const o of listAhead(s, w)) {
    // It ended with another leg of its list.
    if (o.isFinal) continue;
    const isNoneLeft =
      w.account !== undefined &&
      w.symbol !== undefined &&
      !liveOrders(s).some((other) => other.account === w.account && other.symbol === w.symbol);
    if (isNoneLeft) return { orderIds, done: true };
    if (orderIds.length >= s.sweepStep || looks === 0) return { orderIds, done: false };
    if (w.account !== undefined || !o.resting) looks -= 1;
    w.lastId = o.orderId;
    // A copy: the order may be rewritten or end, but the position must stay.
    if (!o.resting) w.last = { ...o };
    const isWanted =
      (w.symbol === undefined || o.symbol === w.symbol) &&
      (w.side === undefined || o.side === w.side);
    if (!isWanted) continue;
    const legs = o.list?.legs.filter((leg) => !leg.isFinal) ?? [];
    finish(s, o, 'canceled', w.reason);
    orderIds.push(o.orderId);
    for (const leg of legs) if (leg !== o && leg.isFinal) orderIds.push(leg.orderId);
  }
  return { orderIds, done: true };
}

/** Ends orders, oldest first: all at once under rules 1, otherwise as many as one step allows. */
export function cancelWhere(
  s: TwinState,
  wanted: { account?: number; symbol?: string; side?: Side },
  reason: StatusReason,
): { orderIds: number[]; sweepId: number } {
  const { account, symbol, side } = wanted;
  if (s.rules < 2) {
    const chosen = liveOrders(s)
      .filter((o) => account === undefined || o.account === account)
      .filter((o) => symbol === undefined || o.symbol === symbol)
      .filter((o) => side === undefined || o.side === side)
      .sort((a, b) => a.orderId - b.orderId);
    for (const o of chosen) finish(s, o, 'canceled', reason);
    return { orderIds: chosen.map((o) => o.orderId), sweepId: 0 };
  }
  const throughId = s.shardBase + s.orderCount;
  const w: TwinSweep = {
    id: 0,
    account,
    symbol,
    side,
    reason,
    throughId,
    lastId: 0,
    last: undefined,
  };
  const { orderIds, done } = advance(s, w);
  if (done) return { orderIds, sweepId: 0 };
  s.sweepCount += 1;
  w.id = s.sweepCount;
  s.sweeps.push(w);
  return { orderIds, sweepId: w.id };
}

export function cancelMarket(s: TwinState, c: CommandOf<'cancel_market'>): Result {
  if (c.side !== undefined && !['buy', 'sell'].includes(c.side)) {
    return rejected('PARAMETER_INVALID', { parameter: 'side' });
  }
  const { symbol, side } = c;
  if (findMarket(s, symbol) === undefined) return rejected('UNKNOWN_SYMBOL', { symbol });
  const wanted = side === undefined ? { symbol } : { symbol, side };
  return { kind: 'canceled_all', ...cancelWhere(s, wanted, c.reason ?? 'admin') };
}

export function cancelAll(s: TwinState, c: CommandOf<'cancel_all'>): Result {
  const { account, symbol } = c;
  if (!s.accounts.some((a) => a.id === account))
    return rejected('SUB_ACCOUNT_UNKNOWN', { account });
  if (symbol !== undefined && findMarket(s, symbol) === undefined) {
    return rejected('UNKNOWN_SYMBOL', { symbol });
  }
  let { side } = c;
  if (side !== undefined && !['buy', 'sell'].includes(side)) {
    if (s.rules >= 2) return rejected('PARAMETER_INVALID', { parameter: 'side' });
    side = undefined;
  }
  const unfinished = s.sweeps.filter(
    (w) => w.account === account && (w.symbol !== undefined || w.side !== undefined),
  );
  const maximum = LIMITS.accountSweepsMax;
  if ((symbol !== undefined || side !== undefined) && unfinished.length >= maximum) {
    return rejected('TOO_MANY_OPEN_ORDERS', { limit: 'sweeps', maximum });
  }
  const wanted = {
    account,
    ...(symbol === undefined ? {} : { symbol }),
    ...(side === undefined ? {} : { side }),
  };
  return { kind: 'canceled_all', ...cancelWhere(s, wanted, c.reason ?? 'cancel_all') };
}

/** Continues the oldest sweep, in the step that is open. */
export function sweepOn(s: TwinState, w: TwinSweep): Result {
  const { orderIds, done } = advance(s, w);
  if (done) {
    s.sweeps.shift();
    const market = w.account === undefined ? findMarket(s, w.symbol ?? '') : undefined;
    if (market?.phase === 'continuous' && market.lastPrice > 0 && !isSweeping(s, market)) {
      s.tradedPrices.push({ market, price: market.lastPrice, isLookBack: true });
    }
  }
  return { kind: 'swept', sweepId: w.id, orderIds, done };
}
