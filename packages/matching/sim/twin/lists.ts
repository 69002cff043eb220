// Order lists in the slow twin: a list is an object that knows its legs.

import { LIMITS } from '../../src/command.ts';
import type { OrderTerms, Side } from '../../src/command.ts';
import type { Result } from '../../src/outcome.ts';
import { execute, opposite } from './matching.ts';
import {
  balanceOf,
  baseUnits,
  coinGiven,
  findAccount,
  findMarket,
  findOrder,
  finish,
  isMarketKind,
  money,
  post,
  rejected,
  touch,
  view,
} from './model.ts';
import type { CommandOf, TwinList, TwinMarket, TwinOrder, TwinState } from './model.ts';
import {
  accept,
  check,
  checkPrice,
  conditionHolds,
  isClientId,
  isSameRequest,
  openLots,
  readDecimals,
} from './placing.ts';
import type { Accepted } from './placing.ts';
import { isSweeping } from './sweeping.ts';

type Terms = CommandOf<'place_list'>['list'];
type Rejected = Extract<Result, { kind: 'rejected' }>;

/** The legs as orders, and how a list calls the parameters of each. */
interface Leg {
  terms: OrderTerms;
  idName: string;
  priceName: string;
}

/** Without the parameters that were not given. */
const given = (terms: Record<string, unknown>): OrderTerms =>
  Object.fromEntries(
    Object.entries(terms).filter(([, value]) => value !== undefined),
  ) as unknown as OrderTerms;

export function legsOf(list: Terms): Leg[] {
  if (list.kind === 'oco') {
    const { symbol, side, volume, volumeDecimals, priceDecimals, stpMode } = list;
    const both = { symbol, side, volume, volumeDecimals, priceDecimals, stpMode };
    return [
      {
        terms: given({
          ...both,
          type: 'limit',
          price: list.limitPrice,
          clientOrderId: list.limitClientOrderId,
        }),
        idName: 'limitClientOrderId',
        priceName: 'limitPrice',
      },
      {
        terms: given({
          ...both,
          type: list.stopLimitPrice === undefined ? 'stop_market' : 'stop_limit',
          price: list.stopLimitPrice,
          stopPrice: list.stopPrice,
          clientOrderId: list.stopClientOrderId,
        }),
        idName: 'stopClientOrderId',
        priceName: 'stopLimitPrice',
      },
    ];
  }
  const { entry, priceDecimals } = list;
  const { symbol, volume, volumeDecimals, stpMode } = entry;
  const side = entry.side === 'buy' ? 'sell' : 'buy';
  const both = { symbol, side, volume, volumeDecimals, priceDecimals, stpMode };
  return [
    { terms: entry, idName: 'clientOrderId', priceName: 'price' },
    {
      terms: given({
        ...both,
        type: 'limit',
        price: list.takeProfitPrice,
        clientOrderId: list.takeProfitClientOrderId,
      }),
      idName: 'takeProfitClientOrderId',
      priceName: 'takeProfitPrice',
    },
    {
      terms: given({
        ...both,
        type: list.stopLossLimitPrice === undefined ? 'stop_market' : 'stop_limit',
        price: list.stopLossLimitPrice,
        stopPrice: list.stopLossPrice,
        clientOrderId: list.stopLossClientOrderId,
      }),
      idName: 'stopLossClientOrderId',
      priceName: 'stopLossLimitPrice',
    },
  ];
}

/** Places a list in the step that is open. */
export function placeList(s: TwinState, c: CommandOf<'place_list'>): Result {
  const { list, account: accountId } = c;
  if (!['oco', 'bracket'].includes(list.kind)) {
    return rejected('PARAMETER_INVALID', { parameter: 'kind' });
  }
  const legs = legsOf(list);
  const { symbol } = list.kind === 'oco' ? list : list.entry;
  const market = findMarket(s, symbol);
  if (findAccount(s, accountId) === undefined)
    return rejected('SUB_ACCOUNT_UNKNOWN', { account: accountId });
  if (market === undefined) return rejected('UNKNOWN_SYMBOL', { symbol });
  const seen = new Set<string>();
  for (const { terms, idName } of legs) {
    const id = terms.clientOrderId ?? '';
    if (!isClientId(id)) return rejected('PARAMETER_INVALID', { parameter: idName });
    if (seen.has(id)) return rejected('PARAMETER_CONFLICT', { parameter: idName });
    if (id !== '') seen.add(id);
  }
  const recalled = recall(s, accountId, list.kind, legs);
  if (recalled !== undefined) return recalled;
  const accepted =
    list.kind === 'oco' ? checkOco(s, c, market, legs) : checkBracket(s, c, market, list, legs);
  if ('kind' in accepted) return accepted;
  const made: TwinList = { kind: list.kind, legs: [] };
  for (const [i, a] of accepted.entries()) {
    const o = accept(s, accountId, a, c.time);
    made.legs.push(o);
    o.list = made;
    o.orderListKind = list.kind;
    o.orderListId = made.legs[0]?.orderId ?? 0;
    if (list.kind === 'bracket' && i > 0) {
      o.dormant = true;
      o.status = 'pending';
    }
  }
  const [first] = made.legs;
  if (first === undefined || accepted[0] === undefined) throw new Error('twin: an empty list');
  if (!accepted[0].fillable) {
    finish(s, first, 'expired', 'fok_unfilled');
    return rejected('FOK_NOT_FILLABLE', {}, view(first));
  }
  execute(s, first);
  return { kind: 'listed', orders: made.legs.map(view), replay: false };
}

function recall(
  s: TwinState,
  account: number,
  kind: Terms['kind'],
  legs: Leg[],
): Result | undefined {
  for (const [i, { terms }] of legs.entries()) {
    const clientOrderId = terms.clientOrderId ?? '';
    const known = clientOrderId === '' ? undefined : findOrder(s, account, { clientOrderId });
    if (known === undefined) continue;
    const isKnown = (o: TwinOrder): boolean => !o.isFinal || s.finished.includes(o);
    const made = known.list;
    const isSame =
      made?.kind === kind &&
      made.legs.indexOf(known) === i &&
      legs.every((leg, k) => {
        const o = made.legs[k];
        if (o === undefined || !isKnown(o)) return true;
        if (o.clientOrderId !== (leg.terms.clientOrderId ?? '')) return false;
        return isSameRequest(o.terms, leg.terms);
      });
    if (made === undefined || !isSame) {
      return rejected('CLIENT_ORDER_ID_CONFLICT', { clientOrderId, orderId: known.orderId });
    }
    return { kind: 'listed', orders: made.legs.filter(isKnown).map(view), replay: true };
  }
  return undefined;
}

function renamed(refusal: Rejected, leg: Leg | undefined): Rejected {
  const { code, details } = refusal.rejection;
  if (details['parameter'] !== 'price' || leg === undefined) return refusal;
  return {
    kind: 'rejected',
    rejection: { code, details: { ...details, parameter: leg.priceName } },
  };
}

function checkOco(
  s: TwinState,
  c: CommandOf<'place_list'>,
  market: TwinMarket,
  legs: Leg[],
): Accepted[] | Rejected {
  const [limit, stop] = legs;
  if (limit === undefined || stop === undefined) throw new Error('twin: a list without legs');
  const { side } = limit.terms;
  if (side === 'buy' && stop.terms.price === undefined) {
    return rejected('PARAMETER_MISSING', { parameter: 'stopLimitPrice' });
  }
  const first = check(s, c.account, limit.terms, c.time, false);
  if ('kind' in first) return renamed(first, limit);
  const second = check(s, c.account, stop.terms, c.time, false);
  if ('kind' in second) return renamed(second, stop);
  const { lastPrice } = market;
  if (side === 'buy' ? first.price >= lastPrice : first.price <= lastPrice) {
    return rejected('PARAMETER_CONFLICT', { parameter: 'limitPrice' });
  }
  const open = BigInt(openLots(market, side)) + BigInt(first.volume) * 2n;
  if (!isMarketKind(stop.terms.type, true) && open > BigInt(LIMITS.sideLotsMax)) {
    return rejected('ORDER_TOO_LARGE', { limit: 'sideLots', maximum: LIMITS.sideLotsMax });
  }
  const hold = first.hold > second.hold ? first.hold : second.hold;
  return [
    { ...first, hold },
    { ...second, hold: 0n },
  ];
}

function checkBracket(
  s: TwinState,
  c: CommandOf<'place_list'>,
  market: TwinMarket,
  list: Extract<Terms, { kind: 'bracket' }>,
  legs: Leg[],
): Accepted[] | Rejected {
  const { entry } = list;
  if (!['limit', 'market'].includes(entry.type)) {
    return rejected('PARAMETER_CONFLICT', { parameter: 'type' });
  }
  if (entry.side === 'sell' && list.stopLossLimitPrice === undefined) {
    return rejected('PARAMETER_MISSING', { parameter: 'stopLossLimitPrice' });
  }
  const first = check(s, c.account, entry, c.time, false);
  if ('kind' in first) return first;
  const { market: entryMarket } = first;
  if (entryMarket.phase === 'auction') {
    return rejected('MARKET_CLOSED', { symbol: entryMarket.config.symbol, phase: 'auction' });
  }
  const side: Side = opposite(entry.side);
  const ticks: Record<string, number> = {};
  for (const name of ['takeProfitPrice', 'stopLossPrice', 'stopLossLimitPrice'] as const) {
    const value = list[name];
    if (value === undefined && name === 'stopLossLimitPrice') continue;
    const values = { price: 0n, stopPrice: 0n, volume: 0n, visibleVolume: 0n };
    const terms = given({ price: value, priceDecimals: list.priceDecimals });
    const unreadable =
      value === undefined
        ? rejected('PARAMETER_RANGE', { parameter: 'price' })
        : readDecimals(terms, market.config, values);
    if (unreadable !== undefined) {
      return renamed(unreadable, { terms, idName: '', priceName: name });
    }
    const bad = checkPrice(market, side, name, values.price);
    if (bad !== undefined) return bad;
    ticks[name] = Number(values.price);
  }
  const from = entry.type === 'market' ? market.lastPrice : first.price;
  if (from === 0) return rejected('NO_REFERENCE_PRICE');
  const { takeProfitPrice = 0, stopLossPrice = 0, stopLossLimitPrice = 0 } = ticks;
  const isBuy = entry.side === 'buy';
  if (isBuy ? takeProfitPrice <= from : takeProfitPrice >= from) {
    return rejected('PARAMETER_CONFLICT', { parameter: 'takeProfitPrice' });
  }
  if (isBuy ? stopLossPrice >= from : stopLossPrice <= from) {
    return rejected('PARAMETER_CONFLICT', { parameter: 'stopLossPrice' });
  }
  const maximum = market.config.maxConditionalOrders;
  const pending = market.live.filter((o) => o.account === c.account && o.status === 'pending');
  if (pending.length > maximum - 2) {
    return rejected('TOO_MANY_OPEN_ORDERS', { limit: 'maxConditionalOrders', maximum });
  }
  const exit = { ...first, visibleVolume: 0, hold: 0n };
  const [, profit, loss] = legs;
  if (profit === undefined || loss === undefined) throw new Error('twin: a bracket without exits');
  return [
    first,
    { ...exit, terms: profit.terms, price: takeProfitPrice, stopPrice: 0 },
    { ...exit, terms: loss.terms, price: stopLossLimitPrice, stopPrice: stopLossPrice },
  ];
}

/** A stop leg fires: the limit leg ends, and its hold goes over to the stop. */
export function takeOver(s: TwinState, o: TwinOrder): void {
  const limit = o.list?.legs.find((leg) => leg !== o && !leg.isFinal);
  if (limit === undefined) return;
  o.held = limit.held;
  limit.held = 0n;
  finish(s, limit, 'canceled', 'list_sibling', true);
}

/** The exits begin, in the step that is open. Gives the stop if it must fire at once. */
export function beginExits(
  s: TwinState,
  market: TwinMarket,
  list: TwinList,
  lots: number,
): TwinOrder | undefined {
  const [, profit, loss] = list.legs;
  if (profit === undefined || loss === undefined) throw new Error('twin: a bracket without exits');
  const exits = [profit, loss];
  for (const o of exits) {
    touch(s, o);
    o.volume = lots;
    o.remainingVolume = lots;
  }
  const isBuy = profit.side === 'buy';
  const dearer = Math.max(profit.price, loss.price);
  const need = isBuy ? money(market, dearer, lots) : baseUnits(market, lots);
  const coin = coinGiven(market, profit.side);
  const limits = exits.filter((o) => !isMarketKind(o.type, o.price > 0)).length;
  const open = BigInt(openLots(market, profit.side)) + BigInt(lots) * BigInt(limits);
  const isClosed = market.phase !== 'continuous' || isSweeping(s, market);
  if (isClosed || open > BigInt(LIMITS.sideLotsMax)) {
    for (const o of exits) finish(s, o, 'canceled', 'market_closed', true);
    return undefined;
  }
  if (need > balanceOf(s, profit.account, coin, 'available')) {
    for (const o of exits) finish(s, o, 'rejected', 'insufficient_funds_at_trigger', true);
    return undefined;
  }
  for (const o of exits) o.dormant = false;
  post(s, 'hold', profit.orderId, [
    [profit.account, coin, 'available', -need],
    [profit.account, coin, 'hold', need],
  ]);
  profit.held = need;
  profit.status = 'open';
  execute(s, profit);
  const fires =
    !loss.isFinal && conditionHolds(loss.type, loss.side, loss.stopPrice, market.lastPrice);
  return fires ? loss : undefined;
}
