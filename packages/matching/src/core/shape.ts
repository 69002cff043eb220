// Which parameters of an order go together, and the words of its enumerations.

import { LIMITS } from '../command.ts';
import type { OrderTerms } from '../command.ts';
import * as names from '../names.ts';
import { isConditional, isMarketKind, isTrailing } from '../names.ts';
import { conflict, outOfRange, refuse } from './reject.ts';
import type { Refusal } from './reject.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { BUY, FOK, GTC, GTD, IOC, LIMIT, SELL, TIF_NONE, TRAILING_LIMIT, TRAILING_MARKET } = names;

/** An order's terms in the market's own units. */
export class Draft {
  side = BUY;
  type = LIMIT;
  tif = GTC;
  stp = 0;
  askedStp = false;
  postOnly = false;
  price = 0;
  stop = 0;
  volume = 0;
  visible = 0;
  byTotal = false;
  /** See link.ts. */
  link = 0;
  /** An exit of a bracket: it gets neither a hold nor a place before its entry has ended. */
  dormant = false;
  expireTime = 0;
  fillable = true;
}

/** One draft is enough: a check is followed by its acceptance before the next check begins. */
export const draft = new Draft();

export function typeNumber(type: string): number {
  switch (type) {
    case 'limit':
      return 0;
    case 'market':
      return 1;
    case 'stop_limit':
      return 2;
    case 'stop_market':
      return 3;
    case 'take_profit_limit':
      return 4;
    case 'take_profit_market':
      return 5;
    default:
      return -1;
  }
}

export function tifNumber(tif: string | undefined): number {
  switch (tif) {
    case undefined:
      return TIF_NONE;
    case 'GTC':
      return GTC;
    case 'IOC':
      return IOC;
    case 'FOK':
      return FOK;
    case 'GTD':
      return GTD;
    default:
      return -1;
  }
}

export function stpNumber(stp: string): number {
  switch (stp) {
    case 'expire_taker':
      return 0;
    case 'expire_maker':
      return 1;
    case 'expire_both':
      return 2;
    case 'decrement':
      return 3;
    default:
      return -1;
  }
}

export const missing = (parameter: string): Refusal => refuse('PARAMETER_MISSING', { parameter });

/** Which parameters go together, and the words of the enumerations. */
export function checkShape(
  d: Draft,
  terms: OrderTerms,
  time: number,
  rules: number,
): Refusal | undefined {
  const { side } = terms;
  if (side !== 'buy' && side !== 'sell') return refuse('PARAMETER_INVALID', { parameter: 'side' });
  d.side = side === 'buy' ? BUY : SELL;
  d.type = typeNumber(terms.type);
  if (rules >= 4 && terms.type === 'trailing_stop') {
    d.type = terms.price === undefined ? TRAILING_MARKET : TRAILING_LIMIT;
  }
  if (d.type < 0) return refuse('PARAMETER_INVALID', { parameter: 'type' });
  d.tif = tifNumber(terms.timeInForce);
  if (d.tif < 0) return refuse('PARAMETER_INVALID', { parameter: 'timeInForce' });
  d.askedStp = terms.stpMode !== undefined;
  if (terms.stpMode !== undefined) {
    d.stp = stpNumber(terms.stpMode);
    if (d.stp < 0) return refuse('PARAMETER_INVALID', { parameter: 'stpMode' });
  }
  d.postOnly = terms.postOnly === true;
  d.byTotal = terms.total !== undefined;
  d.link = 0;
  d.dormant = false;
  if (isTrailing(d.type)) {
    const delta = terms.trailingDelta;
    if (delta === undefined) return missing('trailingDelta');
    const { trailingDeltaMin, trailingDeltaMax } = LIMITS;
    if (!Number.isInteger(delta) || delta < trailingDeltaMin || delta > trailingDeltaMax) {
      return outOfRange('trailingDelta');
    }
    d.link = delta;
  } else if (rules >= 4 && terms.trailingDelta !== undefined) {
    return conflict('trailingDelta');
  } else if (isConditional(d.type)) {
    if (terms.stopPrice === undefined) return missing('stopPrice');
  } else if (terms.stopPrice !== undefined) return conflict('stopPrice');
  if (isMarketKind(d.type)) {
    const bad = checkMarketShape(d, terms);
    if (bad !== undefined) return bad;
  } else {
    if (terms.price === undefined) return missing('price');
    if (terms.volume === undefined) return missing('volume');
    if (d.byTotal) return conflict('total');
    if (d.tif === TIF_NONE) d.tif = GTC;
    if (d.tif === IOC || d.tif === FOK) {
      if (d.postOnly) return conflict('postOnly');
      if (terms.visibleVolume !== undefined) return conflict('visibleVolume');
    }
  }
  d.expireTime = 0;
  if (d.tif === GTD) {
    if (terms.expireTime === undefined) return missing('expireTime');
    const ahead = terms.expireTime - time;
    const isInRange =
      Number.isSafeInteger(terms.expireTime) &&
      ahead >= LIMITS.gtdAheadMinMs &&
      ahead <= LIMITS.gtdAheadMaxMs;
    if (!isInRange) return outOfRange('expireTime');
    d.expireTime = terms.expireTime;
  } else if (terms.expireTime !== undefined) return conflict('expireTime');
  return undefined;
}

function checkMarketShape(d: Draft, terms: OrderTerms): Refusal | undefined {
  if (terms.price !== undefined) return conflict('price');
  if (d.tif !== TIF_NONE) return conflict('timeInForce');
  if (d.postOnly) return conflict('postOnly');
  if (terms.visibleVolume !== undefined) return conflict('visibleVolume');
  if (d.side === SELL) {
    if (d.byTotal) return conflict('total');
    if (terms.volume === undefined) return missing('volume');
  } else if (isConditional(d.type)) {
    if (terms.volume !== undefined) return conflict('volume');
    if (!d.byTotal) return missing('total');
  } else if (d.byTotal) {
    if (terms.volume !== undefined) return conflict('total');
  } else if (terms.volume === undefined) return missing('total');
  return undefined;
}
