// Acceptance of orders in the slow twin: the checks in their fixed order, then the hold.

import { LIMITS } from '../../src/command.ts';
import type { MarketConfig, OrderTerms } from '../../src/command.ts';
import type { Result } from '../../src/outcome.ts';
import {
  above,
  below,
  bestPrice,
  crosses,
  execute,
  opposite,
  protectionPrice,
  referencePrice,
  simulate,
} from './matching.ts';
import type { Walk } from './matching.ts';
import {
  STP_MODES,
  balanceOf,
  baseUnits,
  coinGiven,
  findAccount,
  findMarket,
  findOrder,
  finish,
  getMarketOf,
  isConditional,
  isMarketKind,
  money,
  pow10,
  post,
  rejected,
  touch,
  view,
} from './model.ts';
import type { TwinMarket, TwinOrder, TwinState } from './model.ts';
import { isSweeping, refuseClosed } from './sweeping.ts';
import { checkTrailing } from './trailing.ts';

type Rejected = Extract<Result, { kind: 'rejected' }>;

/** Terms that passed, in the market's own units. */
export interface Accepted {
  market: TwinMarket;
  terms: OrderTerms;
  price: number;
  stopPrice: number;
  volume: number;
  visibleVolume: number;
  hold: bigint;
  walk: Walk;
  fillable: boolean;
}

/** A decimal in units of 10^-target; undefined if it has more decimals than that. */
function scaled(value: number, decimals: number, target: number): bigint | undefined {
  if (decimals <= target) return BigInt(value) * pow10(target - decimals);
  const divisor = pow10(decimals - target);
  return BigInt(value) % divisor === 0n ? BigInt(value) / divisor : undefined;
}

type DecimalName = 'price' | 'stopPrice' | 'volume' | 'visibleVolume';

/** Turns the decimals that are given into the market's units, in `values`. Returns why one of them is refused. */
export function readDecimals(
  terms: Readonly<Partial<Record<DecimalName | 'priceDecimals' | 'volumeDecimals', number>>>,
  config: MarketConfig,
  values: Record<DecimalName, bigint>,
): Rejected | undefined {
  for (const name of ['price', 'stopPrice', 'volume', 'visibleVolume'] as const) {
    const value = terms[name];
    if (value === undefined) continue;
    const isPrice = name === 'price' || name === 'stopPrice';
    const decimals = (isPrice ? terms.priceDecimals : terms.volumeDecimals) ?? 0;
    if (!isDecimal(value, decimals)) return rejected('PARAMETER_RANGE', { parameter: name });
    const target = isPrice ? config.quotePrecision : config.basePrecision;
    const inUnits = scaled(value, decimals, target);
    if (inUnits === undefined) {
      return rejected(isPrice ? 'PRICE_PRECISION' : 'VOLUME_PRECISION', {
        parameter: name,
        decimals: target,
      });
    }
    values[name] = inUnits;
  }
  return undefined;
}

const isDecimal = (value: number, decimals: number): boolean =>
  Number.isSafeInteger(value) &&
  value > 0 &&
  Number.isInteger(decimals) &&
  decimals >= 0 &&
  decimals <= 18;

export const isClientId = (id: string): boolean =>
  id.length <= LIMITS.clientIdMax && /^[A-Za-z0-9._:/-]*$/.test(id);

/** Is this the same request as the one that made the order? */
export function isSameRequest(old: OrderTerms, now: OrderTerms): boolean {
  const sameDecimal = (
    a: number | undefined,
    aDecimals: number,
    b: number | undefined,
    bDecimals: number,
  ): boolean => {
    if (a === undefined || b === undefined) return a === b;
    if (!isDecimal(b, bDecimals)) return false;
    return BigInt(a) * pow10(18 - aDecimals) === BigInt(b) * pow10(18 - bDecimals);
  };
  const tif = (t: OrderTerms): string =>
    t.timeInForce ?? (isMarketKind(t.type, t.price !== undefined) ? '' : 'GTC');
  const [op, np] = [old.priceDecimals ?? 0, now.priceDecimals ?? 0];
  const [ov, nv] = [old.volumeDecimals ?? 0, now.volumeDecimals ?? 0];
  return (
    old.symbol === now.symbol &&
    old.side === now.side &&
    old.type === now.type &&
    tif(old) === tif(now) &&
    (old.postOnly ?? false) === (now.postOnly ?? false) &&
    old.stpMode === now.stpMode &&
    (old.expireTime ?? 0) === (now.expireTime ?? 0) &&
    (old.total ?? 0n) === (now.total ?? 0n) &&
    sameDecimal(old.price, op, now.price, np) &&
    sameDecimal(old.stopPrice, op, now.stopPrice, np) &&
    sameDecimal(old.volume, ov, now.volume, nv) &&
    sameDecimal(old.visibleVolume, ov, now.visibleVolume, nv)
  );
}

/** Answers from memory, or undefined if the order is new. */
export function recall(s: TwinState, account: number, terms: OrderTerms): Result | undefined {
  if (findAccount(s, account) === undefined) return rejected('SUB_ACCOUNT_UNKNOWN', { account });
  if (findMarket(s, terms.symbol) === undefined)
    return rejected('UNKNOWN_SYMBOL', { symbol: terms.symbol });
  const id = terms.clientOrderId ?? '';
  if (!isClientId(id)) return rejected('PARAMETER_INVALID', { parameter: 'clientOrderId' });
  if (id === '') return undefined;
  const known = findOrder(s, account, { clientOrderId: id });
  if (known === undefined) return undefined;
  // Rules before 4 ignored the delta, whatever the type.
  const isSameDelta = s.rules < 4 || known.trailingDelta === (terms.trailingDelta ?? 0);
  if (known.list !== undefined || !isSameRequest(known.terms, terms) || !isSameDelta) {
    return rejected('CLIENT_ORDER_ID_CONFLICT', { clientOrderId: id, orderId: known.orderId });
  }
  return { kind: 'placed', order: view(known), replay: true };
}

function checkShape(terms: OrderTerms, time: number, rules: number): Rejected | undefined {
  const { side, type, timeInForce, stpMode, postOnly } = terms;
  const known: Array<[string, boolean]> = [
    ['side', ['buy', 'sell'].includes(side)],
    [
      'type',
      [
        'limit',
        'market',
        'stop_limit',
        'stop_market',
        'take_profit_limit',
        'take_profit_market',
        ...(rules >= 4 ? ['trailing_stop'] : []),
      ].includes(type),
    ],
    [
      'timeInForce',
      timeInForce === undefined || ['GTC', 'IOC', 'FOK', 'GTD'].includes(timeInForce),
    ],
    ['stpMode', stpMode === undefined || STP_MODES.includes(stpMode)],
  ];
  for (const [parameter, ok] of known) if (!ok) return rejected('PARAMETER_INVALID', { parameter });
  const missing = (parameter: string): Rejected => rejected('PARAMETER_MISSING', { parameter });
  const conflict = (parameter: string): Rejected => rejected('PARAMETER_CONFLICT', { parameter });
  const untrailed = rules >= 4 ? checkTrailing(terms) : undefined;
  if (untrailed !== undefined) return untrailed;
  if (type === 'trailing_stop') {
    // Its stop price is optional: the price at which it begins to follow.
  } else if (isConditional(type)) {
    if (terms.stopPrice === undefined) return missing('stopPrice');
  } else if (terms.stopPrice !== undefined) return conflict('stopPrice');
  if (isMarketKind(type, terms.price !== undefined)) {
    if (terms.price !== undefined) return conflict('price');
    if (timeInForce !== undefined) return conflict('timeInForce');
    if (postOnly === true) return conflict('postOnly');
    if (terms.visibleVolume !== undefined) return conflict('visibleVolume');
    if (side === 'sell') {
      if (terms.total !== undefined) return conflict('total');
      if (terms.volume === undefined) return missing('volume');
    } else if (isConditional(type)) {
      if (terms.volume !== undefined) return conflict('volume');
      if (terms.total === undefined) return missing('total');
    } else {
      if (terms.total !== undefined && terms.volume !== undefined) return conflict('total');
      if (terms.total === undefined && terms.volume === undefined) return missing('total');
    }
  } else {
    if (terms.price === undefined) return missing('price');
    if (terms.volume === undefined) return missing('volume');
    if (terms.total !== undefined) return conflict('total');
    if (timeInForce === 'IOC' || timeInForce === 'FOK') {
      if (postOnly === true) return conflict('postOnly');
      if (terms.visibleVolume !== undefined) return conflict('visibleVolume');
    }
  }
  if (timeInForce === 'GTD') {
    if (terms.expireTime === undefined) return missing('expireTime');
    const ahead = terms.expireTime - time;
    const inRange =
      Number.isSafeInteger(terms.expireTime) &&
      ahead >= LIMITS.gtdAheadMinMs &&
      ahead <= LIMITS.gtdAheadMaxMs;
    if (!inRange) return rejected('PARAMETER_RANGE', { parameter: 'expireTime' });
  } else if (terms.expireTime !== undefined) return conflict('expireTime');
  return undefined;
}

export function checkPrice(
  market: TwinMarket,
  side: string,
  parameter: string,
  price: bigint,
): Rejected | undefined {
  const { minimumPriceTicks, maximumPriceTicks, priceBandPpm } = market.config;
  const reference = referencePrice(market);
  const minimum =
    side === 'sell'
      ? Math.max(minimumPriceTicks, below(reference, priceBandPpm))
      : minimumPriceTicks;
  const maximum =
    side === 'buy'
      ? Math.min(maximumPriceTicks, above(reference, priceBandPpm))
      : maximumPriceTicks;
  if (price < BigInt(minimum) || price > BigInt(maximum)) {
    return rejected('PRICE_OUT_OF_BAND', { parameter, minimum, maximum });
  }
  return undefined;
}

export function checkVolume(market: TwinMarket, volume: bigint): Rejected | undefined {
  const { minimumVolumeLots, maximumVolumeLots } = market.config;
  if (volume < BigInt(minimumVolumeLots)) {
    return rejected('ORDER_TOO_SMALL', { limit: 'minimumVolume', minimum: minimumVolumeLots });
  }
  if (volume > BigInt(maximumVolumeLots)) {
    return rejected('ORDER_TOO_LARGE', { limit: 'maximumVolume', maximum: maximumVolumeLots });
  }
  return undefined;
}

export function checkValue(market: TwinMarket, value: bigint): Rejected | undefined {
  const minimum = market.config.minimumQuoteSize;
  return value < minimum
    ? rejected('ORDER_TOO_SMALL', { limit: 'minimumQuoteSize', minimum, value })
    : undefined;
}

export function checkBid(market: TwinMarket, value: bigint): Rejected | undefined {
  const maximum = market.config.maxMarketOrderBid;
  return value > maximum
    ? rejected('ORDER_TOO_LARGE', { limit: 'maxMarketOrderBid', maximum })
    : undefined;
}

export function checkAsk(market: TwinMarket, volume: number): Rejected | undefined {
  const maximum = market.config.maxMarketOrderAskLots;
  return volume > maximum
    ? rejected('ORDER_TOO_LARGE', { limit: 'maxMarketOrderAsk', maximum })
    : undefined;
}

/** Lots of all live orders on a side that rest or will rest. */
export const openLots = (market: TwinMarket, side: string): number =>
  market.live
    .filter((o) => o.side === side && !isMarketKind(o.type, o.price > 0) && o.dormant !== true)
    .reduce((sum, o) => sum + o.remainingVolume, 0);

export const conditionHolds = (type: string, side: string, stop: number, price: number): boolean =>
  type.startsWith('stop') === (side === 'buy') ? price >= stop : price <= stop;

/** Only limit orders that wait in the book gather for an auction. */
const isForAuction = (o: Pick<OrderTerms, 'type' | 'timeInForce' | 'postOnly'>): boolean =>
  o.type === 'limit' &&
  o.postOnly !== true &&
  (o.timeInForce === undefined || o.timeInForce === 'GTC' || o.timeInForce === 'GTD');

/** Every check of a new order. Changes nothing. */
export function check(
  s: TwinState,
  accountId: number,
  terms: OrderTerms,
  time: number,
  inAllOrNone: boolean,
  visibleOnly = false,
): Accepted | Rejected {
  const account = findAccount(s, accountId);
  const market = findMarket(s, terms.symbol);
  if (account === undefined) return rejected('SUB_ACCOUNT_UNKNOWN', { account: accountId });
  if (market === undefined) return rejected('UNKNOWN_SYMBOL', { symbol: terms.symbol });
  if (!isClientId(terms.clientOrderId ?? ''))
    return rejected('PARAMETER_INVALID', { parameter: 'clientOrderId' });
  const { config } = market;
  const { side, type } = terms;
  if (account.suspended) return rejected('ACCOUNT_SUSPENDED', { account: accountId });
  const shape = checkShape(terms, time, s.rules);
  if (shape !== undefined) return shape;
  const conditional = isConditional(type);
  const isMarket = isMarketKind(type, terms.price !== undefined);
  if (inAllOrNone && type === 'market' && side === 'buy' && terms.volume !== undefined) {
    return rejected('PARAMETER_CONFLICT', { parameter: 'mode' });
  }
  const admitted =
    market.phase === 'continuous' ||
    (market.phase === 'post_only' && type === 'limit' && terms.postOnly === true) ||
    (market.phase === 'auction' && isForAuction(terms));
  if (!admitted || isSweeping(s, market)) return refuseClosed(s, market);

  const values = { price: 0n, stopPrice: 0n, volume: 0n, visibleVolume: 0n };
  const unreadable = readDecimals(terms, config, values);
  if (unreadable !== undefined) return unreadable;
  if (terms.total !== undefined && (terms.total <= 0n || terms.total > LIMITS.amountMax)) {
    return rejected('PARAMETER_RANGE', { parameter: 'total' });
  }
  if (terms.volume !== undefined) {
    const bad = checkVolume(market, values.volume);
    if (bad !== undefined) return bad;
  }
  if (terms.visibleVolume !== undefined) {
    const tooSmall = values.visibleVolume * BigInt(config.icebergParts) < values.volume;
    if (tooSmall || values.visibleVolume > values.volume) {
      return rejected('PARAMETER_RANGE', { parameter: 'visibleVolume' });
    }
  }
  for (const name of ['price', 'stopPrice'] as const) {
    if (terms[name] === undefined) continue;
    const bad = checkPrice(market, side, name, values[name]);
    if (bad !== undefined) return bad;
  }
  const price = Number(values.price);
  const stopPrice = Number(values.stopPrice);
  const volume = Number(values.volume);
  const visibleVolume = Number(values.visibleVolume);

  let bad: Rejected | undefined;
  if (!isMarket) bad = checkValue(market, money(market, price, volume));
  else if (terms.total !== undefined)
    bad = checkValue(market, terms.total) ?? checkBid(market, terms.total);
  else if (side === 'sell') {
    bad = checkAsk(market, volume);
    const worth = type === 'trailing_stop' ? referencePrice(market) : stopPrice;
    if (bad === undefined && conditional) bad = checkValue(market, money(market, worth, volume));
  }
  if (bad !== undefined) return bad;

  if (conditional) {
    if (market.lastPrice === 0) return rejected('NO_REFERENCE_PRICE');
    if (terms.stopPrice !== undefined && conditionHolds(type, side, stopPrice, market.lastPrice)) {
      return rejected('WOULD_TRIGGER_IMMEDIATELY', { lastPrice: market.lastPrice });
    }
    const pending = market.live.filter((o) => o.account === accountId && o.status === 'pending');
    if (pending.length >= config.maxConditionalOrders) {
      return rejected('TOO_MANY_OPEN_ORDERS', {
        limit: 'maxConditionalOrders',
        maximum: config.maxConditionalOrders,
      });
    }
  } else if (!isMarket && terms.timeInForce !== 'IOC' && terms.timeInForce !== 'FOK') {
    const open = market.live.filter((o) => o.account === accountId && o.status !== 'pending');
    if (open.length >= config.maxOpenOrders) {
      return rejected('TOO_MANY_OPEN_ORDERS', {
        limit: 'maxOpenOrders',
        maximum: config.maxOpenOrders,
      });
    }
  }
  if (!isMarket && BigInt(openLots(market, side)) + BigInt(volume) > BigInt(LIMITS.sideLotsMax)) {
    return rejected('ORDER_TOO_LARGE', { limit: 'sideLots', maximum: LIMITS.sideLotsMax });
  }

  const best = bestPrice(market, opposite(side));
  if (type === 'market' && best === undefined) return rejected('NO_LIQUIDITY');
  const stp = terms.stpMode ?? config.defaultStpMode;
  const limit = isMarket ? protectionPrice(market, side) : price;
  const walk =
    conditional || market.phase === 'auction'
      ? { fills: [], lots: 0, cost: 0n, fee: 0n }
      : simulate(s, market, {
          account: accountId,
          side,
          limit,
          lots: volume,
          total: terms.total,
          stp,
          time,
          visibleOnly,
        });
  if (type === 'market' && terms.total === undefined) {
    if (side === 'sell') bad = checkValue(market, money(market, best ?? 0, volume));
    else bad = checkValue(market, walk.cost) ?? checkBid(market, walk.cost);
    if (bad === undefined && side === 'buy' && s.rules >= 3) {
      bad = checkBid(market, money(market, best ?? 0, volume));
    }
    if (bad !== undefined) return bad;
  }
  if (!conditional && terms.postOnly === true && best !== undefined && crosses(side, price, best)) {
    return rejected('POST_ONLY_WOULD_TAKE', { best });
  }
  let hold: bigint;
  if (side === 'sell') hold = baseUnits(market, volume);
  else if (terms.total !== undefined) hold = terms.total;
  else if (isMarket) hold = walk.cost;
  else hold = money(market, price, volume);
  const coin = coinGiven(market, side);
  const available = balanceOf(s, accountId, coin, 'available');
  if (hold > available) return rejected('INSUFFICIENT_FUNDS', { coin, required: hold, available });
  const fillable = terms.timeInForce !== 'FOK' || conditional || walk.lots === volume;
  return { market, terms, price, stopPrice, volume, visibleVolume, hold, walk, fillable };
}

/** Gives the order its id and its hold. It is live afterwards, but neither in the book nor matched. */
export function accept(s: TwinState, accountId: number, a: Accepted, time: number): TwinOrder {
  const { market, terms } = a;
  s.orderCount += 1;
  const conditional = isConditional(terms.type);
  const o: TwinOrder = {
    orderId: s.shardBase + s.orderCount,
    account: accountId,
    clientOrderId: terms.clientOrderId ?? '',
    symbol: market.config.symbol,
    side: terms.side,
    type: terms.type,
    timeInForce: isMarketKind(terms.type, terms.price !== undefined)
      ? ''
      : (terms.timeInForce ?? 'GTC'),
    postOnly: terms.postOnly ?? false,
    stpMode: terms.stpMode ?? market.config.defaultStpMode,
    priceDecimals: market.config.quotePrecision,
    volumeDecimals: market.config.basePrecision,
    price: a.price,
    stopPrice: a.stopPrice,
    trailingDelta: terms.type === 'trailing_stop' ? (terms.trailingDelta ?? 0) : 0,
    orderListId: 0,
    orderListKind: '',
    volume: a.volume,
    total: terms.total ?? 0n,
    visibleVolume: a.visibleVolume,
    filledVolume: 0,
    remainingVolume: a.volume,
    preventedVolume: 0,
    filledTotal: 0n,
    fee: 0n,
    rebate: 0n,
    held: a.hold,
    status: conditional ? 'pending' : 'open',
    statusReason: '',
    createdAt: time,
    updatedAt: time,
    lastTradeAt: 0,
    triggeredAt: 0,
    expireTime: terms.expireTime ?? 0,
    engineSeq: s.engineSeq,
    shown: 0,
    joined: 0,
    resting: false,
    isFinal: false,
    timerSeq: 0,
    terms,
    isFollowing: false,
    extreme: 0,
    unspent: terms.total ?? 0n,
  };
  if (o.timeInForce === 'GTD') {
    s.timerSeq += 1;
    o.timerSeq = s.timerSeq;
  }
  market.live.push(o);
  touch(s, o);
  const coin = coinGiven(market, o.side);
  if (a.hold > 0n) {
    post(s, 'hold', o.orderId, [
      [accountId, coin, 'available', -a.hold],
      [accountId, coin, 'hold', a.hold],
    ]);
  }
  return o;
}

/** Runs an order that was accepted earlier: on its trigger, or as one of an all_or_none batch. */
export function executeLater(s: TwinState, o: TwinOrder): void {
  const market = getMarketOf(s, o);
  touch(s, o);
  const best = bestPrice(market, opposite(o.side));
  const admitted =
    market.phase === 'continuous' ||
    (market.phase === 'post_only' && o.postOnly) ||
    (market.phase === 'auction' && isForAuction(o.terms));
  if (!admitted) finish(s, o, 'canceled', 'market_closed');
  else if (o.postOnly && best !== undefined && crosses(o.side, o.price, best)) {
    finish(s, o, 'rejected', 'post_only_cross');
  } else if (o.timeInForce === 'FOK') {
    const { lots } = simulate(s, market, {
      account: o.account,
      side: o.side,
      limit: o.price,
      lots: o.remainingVolume,
      total: undefined,
      stp: o.stpMode,
      time: s.time,
      visibleOnly: false,
    });
    if (lots < o.remainingVolume) finish(s, o, 'expired', 'fok_unfilled');
    else execute(s, o);
  } else execute(s, o);
}

/** Places one order in the step that is open. */
export function placeOne(s: TwinState, account: number, terms: OrderTerms, time: number): Result {
  const recalled = recall(s, account, terms);
  if (recalled !== undefined) return recalled;
  const a = check(s, account, terms, time, false);
  if ('kind' in a) return a;
  const o = accept(s, account, a, time);
  if (!a.fillable) {
    finish(s, o, 'expired', 'fok_unfilled');
    return rejected('FOK_NOT_FILLABLE', {}, view(o));
  }
  if (!isConditional(o.type)) execute(s, o);
  return { kind: 'placed', order: view(o), replay: false };
}
