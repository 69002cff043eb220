// Placing an order list: its legs are checked like single orders, accepted together, and share one hold.

import { LIMITS } from '../command.ts';
import type { BracketTerms, ListTerms, OcoTerms, OrderTerms, PlaceList } from '../command.ts';
import { isInList, listLink, positionOf } from '../link.ts';
import {
  BUY,
  EXPIRED,
  GTC,
  LIMIT,
  STOP_LIMIT,
  STOP_MARKET,
  TIF_NONE,
  isMarketKind,
  reasonNumber,
} from '../names.ts';
import { ACCOUNT, CELLS, FLAGS, FLAG_HAS_CLIENT, ID, LINK, NONE } from '../record.ts';
import { findAccount, findMarket } from '../state.ts';
import type { Account, Market, State } from '../state.ts';
import * as tape from '../tape.ts';
import { LIMBS, compare, copy, setZero } from '../wide.ts';
import { CHECK_HOLD } from './scratch.ts';
import { check, checkPrice, toUnits, refuseClosed } from './check.ts';
import { execute } from './execute.ts';
import { finish } from './finish.ts';
import { accept, mustLookUpAgain, writeLookUpAgain } from './place.ts';
import { findByClient, hasTerms } from './recall.ts';
import { conflict, refuse, writeRefusal, writeResult } from './reject.ts';
import type { Refusal } from './reject.ts';
import { Draft, draft, missing } from './shape.ts';
import { beginStep, endStep, writeOrder } from './step.ts';
import { runStarted } from './trigger.ts';

const REASON_FOK = reasonNumber('fok_unfilled');

/** The parameters of a list that carry the client ids of its legs, by place. */
const CLIENT_IDS = {
  oco: ['limitClientOrderId', 'stopClientOrderId'],
  bracket: ['clientOrderId', 'takeProfitClientOrderId', 'stopLossClientOrderId'],
} as const;

/** What the list holds: the need of its dearest leg. */
const shared = new Float64Array(LIMBS);

const copyDraft = (): Draft => Object.assign(new Draft(), draft);

/** Each leg as the order that it is, so that it is checked, repeated and recorded like any other. */
function legsOf(list: ListTerms): OrderTerms[] {
  return list.kind === 'oco' ? ocoLegs(list) : bracketLegs(list);
}

function ocoLegs(list: OcoTerms): OrderTerms[] {
  const { symbol, side, volume, volumeDecimals, priceDecimals, stpMode } = list;
  const common = { symbol, side, volume, volumeDecimals, priceDecimals, stpMode };
  const { limitPrice, stopPrice, stopLimitPrice } = list;
  return [
    { ...common, type: 'limit', price: limitPrice, clientOrderId: list.limitClientOrderId },
    {
      ...common,
      type: stopLimitPrice === undefined ? 'stop_market' : 'stop_limit',
      price: stopLimitPrice,
      stopPrice,
      clientOrderId: list.stopClientOrderId,
    },
  ] as OrderTerms[];
}

function bracketLegs(list: BracketTerms): OrderTerms[] {
  const { entry, priceDecimals, stopLossLimitPrice } = list;
  const { symbol, volume, volumeDecimals, stpMode } = entry;
  const side = entry.side === 'buy' ? 'sell' : 'buy';
  const common = { symbol, side, volume, volumeDecimals, priceDecimals, stpMode };
  return [
    entry,
    {
      ...common,
      type: 'limit',
      price: list.takeProfitPrice,
      clientOrderId: list.takeProfitClientOrderId,
    },
    {
      ...common,
      type: stopLossLimitPrice === undefined ? 'stop_market' : 'stop_limit',
      price: stopLossLimitPrice,
      stopPrice: list.stopLossPrice,
      clientOrderId: list.stopLossClientOrderId,
    },
  ] as OrderTerms[];
}

export function placeList(s: State, c: PlaceList): void {
  const { list, time } = c;
  if (list.kind !== 'oco' && list.kind !== 'bracket') {
    refuseInStep(s, time, refuse('PARAMETER_INVALID', { parameter: 'kind' }));
    return;
  }
  const legs = legsOf(list);
  for (const terms of legs) {
    if (mustLookUpAgain(s, c.account, terms, c.checkpoint)) {
      writeLookUpAgain(s);
      return;
    }
  }
  const account = findAccount(s, c.account);
  const market = findMarket(s, legs[0]!.symbol);
  let bad: Refusal | undefined;
  if (account === undefined) bad = refuse('SUB_ACCOUNT_UNKNOWN', { account: c.account });
  else if (market === undefined) bad = refuse('UNKNOWN_SYMBOL', { symbol: legs[0]!.symbol });
  else {
    bad = checkIds(s, account, list.kind, legs);
    if (bad === undefined) {
      placeKnown(s, c, account, market, legs);
      return;
    }
  }
  refuseInStep(s, time, bad);
}

function refuseInStep(s: State, time: number, refusal: Refusal): void {
  beginStep(s, time, 0);
  endStep(s);
  writeRefusal(s, refusal);
}

/** The ids must be readable, and no two legs may have the same. */
function checkIds(
  s: State,
  account: Account,
  kind: ListTerms['kind'],
  legs: readonly OrderTerms[],
): Refusal | undefined {
  for (const [i, { clientOrderId }] of legs.entries()) {
    const id = clientOrderId ?? '';
    const parameter = CLIENT_IDS[kind][i]!;
    if (id === '') continue;
    if (!s.key.set(account.index, id)) return refuse('PARAMETER_INVALID', { parameter });
    for (let k = 0; k < i; k++) if (legs[k]!.clientOrderId === id) return conflict(parameter);
  }
  return undefined;
}

/** For a known account and market: answers from memory, or places the list. */
function placeKnown(
  s: State,
  c: PlaceList,
  account: Account,
  market: Market,
  legs: readonly OrderTerms[],
): void {
  beginStep(s, c.time, 0);
  const known = recallList(s, account, market, c.list.kind, legs);
  if (known !== undefined) {
    endStep(s);
    if ('code' in known) writeRefusal(s, known);
    else writeListed(s, known, true);
    return;
  }
  const drafts =
    c.list.kind === 'oco'
      ? checkOco(s, account, market, legs, c.time)
      : checkBracket(s, account, market, c.list, legs, c.time);
  if ('code' in drafts) {
    endStep(s);
    writeRefusal(s, drafts);
    return;
  }
  const slots = drafts.map((leg, i) => {
    Object.assign(draft, leg);
    draft.link = listLink(i, c.list.kind === 'bracket');
    if (i === 0) copy(s.scratch, CHECK_HOLD, shared, 0);
    else setZero(s.scratch, CHECK_HOLD);
    s.key.set(account.index, legs[i]!.clientOrderId ?? '');
    return accept(s, account, market, legs[i]!);
  });
  const [first] = slots as [number];
  const { fillable } = drafts[0]!;
  if (fillable) execute(s, first);
  else finish(s, first, EXPIRED, REASON_FOK);
  endStep(s);
  if (fillable) writeListed(s, slots, false);
  else writeRefusal(s, refuse('FOK_NOT_FILLABLE', {}, first));
  runStarted(s, c.time);
}

function writeListed(s: State, slots: readonly number[], replay: boolean): void {
  writeResult(s, tape.R_LISTED, replay ? 1 : 0, slots.length);
  for (const slot of slots) writeOrder(s, tape.ORDER, slot);
}

/**
 * The orders of the list if one of its ids is known and the request is the one that made it; a leg that is
 * forgotten is left out. A refusal if the id stands for something else. Undefined for a new list.
 */
function recallList(
  s: State,
  account: Account,
  market: Market,
  kind: ListTerms['kind'],
  legs: readonly OrderTerms[],
): number[] | Refusal | undefined {
  const { f64, u32 } = s.pool;
  for (const [i, { clientOrderId }] of legs.entries()) {
    const slot = findByClient(s, account, clientOrderId ?? '');
    if (slot === NONE) continue;
    const orderId = f64[slot * CELLS + ID]!;
    const found = legs.map((_, k) => s.ids.find(orderId - i + k));
    const isSame =
      u32[slot * CELLS * 2 + LINK] === listLink(i, kind === 'bracket') &&
      legs.every((terms, k) => found[k] === NONE || isLeg(s, found[k]!, market, k, terms));
    if (isSame) return found.filter((leg) => leg !== NONE);
    return refuse('CLIENT_ORDER_ID_CONFLICT', { clientOrderId: clientOrderId!, orderId });
  }
  return undefined;
}

/** Was this order made as the leg at this place, with these terms and this client id? */
function isLeg(
  s: State,
  slot: number,
  market: Market,
  position: number,
  terms: OrderTerms,
): boolean {
  const word = slot * CELLS * 2;
  const { u32 } = s.pool;
  const link = u32[word + LINK]!;
  if (!isInList(link) || positionOf(link) !== position) return false;
  const id = terms.clientOrderId ?? '';
  const hasId = (u32[word + FLAGS]! & FLAG_HAS_CLIENT) !== 0;
  if (hasId !== (id !== '')) return false;
  if (hasId && findByClient(s, s.accounts[u32[word + ACCOUNT]!]!, id) !== slot) return false;
  return hasTerms(s, slot, market, terms);
}

/** A refusal that names a parameter by its name in the list. */
function renamed(refusal: Refusal, names: Readonly<Record<string, string>>): Refusal {
  const { parameter } = refusal.details;
  if (typeof parameter !== 'string') return refusal;
  return { ...refusal, details: { ...refusal.details, parameter: names[parameter] ?? parameter } };
}

function checkOco(
  s: State,
  account: Account,
  market: Market,
  legs: readonly OrderTerms[],
  time: number,
): Draft[] | Refusal {
  const [limit, stop] = legs as [OrderTerms, OrderTerms];
  // A market buy of a volume has no cost that could be held.
  if (limit.side === 'buy' && stop.price === undefined) return missing('stopLimitPrice');
  let bad = check(s, account, market, limit, time, false, undefined);
  if (bad !== undefined) return renamed(bad, { price: 'limitPrice' });
  const first = copyDraft();
  copy(shared, 0, s.scratch, CHECK_HOLD);
  bad = check(s, account, market, stop, time, false, undefined);
  if (bad !== undefined) return renamed(bad, { price: 'stopLimitPrice' });
  const second = copyDraft();
  if (compare(s.scratch, CHECK_HOLD, shared, 0) > 0) copy(shared, 0, s.scratch, CHECK_HOLD);
  // The stop has not fired, so it lies on the other side of the last price.
  const isApart =
    first.side === BUY ? first.price < market.lastPrice : first.price > market.lastPrice;
  if (!isApart) return conflict('limitPrice');
  const open = market.openLots[first.side]! + first.volume + second.volume;
  if (!isMarketKind(second.type) && open > LIMITS.sideLotsMax) {
    return refuse('ORDER_TOO_LARGE', { limit: 'sideLots', maximum: LIMITS.sideLotsMax });
  }
  return [first, second];
}

/** A price of an exit in ticks, within what the market permits, or the refusal. */
function exitPrice(
  market: Market,
  side: number,
  parameter: string,
  value: number,
  decimals: number,
): number | Refusal {
  const ticks = toUnits(value, decimals, market.config.quotePrecision, 'price');
  if (typeof ticks !== 'number') return renamed(ticks, { price: parameter });
  return checkPrice(market, side, parameter, ticks) ?? ticks;
}

function checkBracket(
  s: State,
  account: Account,
  market: Market,
  list: BracketTerms,
  legs: readonly OrderTerms[],
  time: number,
): Draft[] | Refusal {
  const { entry } = list;
  if (entry.type !== 'limit' && entry.type !== 'market') return conflict('type');
  if (entry.side === 'sell' && list.stopLossLimitPrice === undefined) {
    return missing('stopLossLimitPrice');
  }
  const bad = check(s, account, market, entry, time, false, undefined);
  if (bad !== undefined) return bad;
  // An auction takes orders that only wait in the book.
  if (market.phase === 'auction') return refuseClosed(market);
  copy(shared, 0, s.scratch, CHECK_HOLD);
  const first = copyDraft();
  const side = 1 - first.side;
  const decimals = list.priceDecimals ?? 0;
  const profit = exitPrice(market, side, 'takeProfitPrice', list.takeProfitPrice, decimals);
  if (typeof profit !== 'number') return profit;
  const stop = exitPrice(market, side, 'stopLossPrice', list.stopLossPrice, decimals);
  if (typeof stop !== 'number') return stop;
  const hasLimit = list.stopLossLimitPrice !== undefined;
  const limit = hasLimit
    ? exitPrice(market, side, 'stopLossLimitPrice', list.stopLossLimitPrice!, decimals)
    : 0;
  if (typeof limit !== 'number') return limit;
  const from = isMarketKind(first.type) ? market.lastPrice : first.price;
  if (from === 0) return refuse('NO_REFERENCE_PRICE');
  const sign = first.side === BUY ? 1 : -1;
  if ((profit - from) * sign <= 0) return conflict('takeProfitPrice');
  if ((from - stop) * sign <= 0) return conflict('stopLossPrice');
  const maximum = market.config.maxConditionalOrders;
  if ((account.pending[market.index] ?? 0) + 2 > maximum) {
    return refuse('TOO_MANY_OPEN_ORDERS', { limit: 'maxConditionalOrders', maximum });
  }
  const exit = { side, postOnly: false, visible: 0, byTotal: false, expireTime: 0, dormant: true };
  const limited = { type: STOP_LIMIT, tif: GTC, price: limit, stop };
  const unlimited = { type: STOP_MARKET, tif: TIF_NONE, price: 0, stop };
  return [
    first,
    Object.assign(new Draft(), first, exit, { type: LIMIT, tif: GTC, price: profit, stop: 0 }),
    Object.assign(new Draft(), first, exit, hasLimit ? limited : unlimited),
  ];
}
