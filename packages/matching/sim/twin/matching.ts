// How the slow twin trades: at every fill it looks at every order of the market again.

import type { Phase, Side, StpMode } from '../../src/command.ts';
import type { Fill } from '../../src/outcome.ts';
import {
  baseUnits,
  coinGiven,
  coinReceived,
  decide,
  familyOf,
  finish,
  getAccount,
  getMarketOf,
  getStep,
  isExpired,
  isMarketKind,
  money,
  noteBook,
  post,
  siblingOf,
  touch,
} from './model.ts';
import type { TwinMarket, TwinOrder, TwinState } from './model.ts';

export function bestPrice(market: TwinMarket, side: Side): number | undefined {
  let best: number | undefined;
  for (const o of market.live) {
    if (!o.resting || o.side !== side) continue;
    if (best === undefined || (side === 'buy' ? o.price > best : o.price < best)) best = o.price;
  }
  return best;
}

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

export function referencePrice(market: TwinMarket): number {
  if (market.lastPrice !== 0) return market.lastPrice;
  const bid = bestPrice(market, 'buy');
  const ask = bestPrice(market, 'sell');
  // What gathers in an auction may cross, and has no middle.
  const hasMiddle = market.phase !== 'auction' && (bid ?? 0) < (ask ?? 0);
  if (bid !== undefined && ask !== undefined && hasMiddle)
    return Number((BigInt(bid) + BigInt(ask)) / 2n);
  return market.config.listingPriceTicks;
}

/** The highest price not more than `ppm` above the reference. */
export const above = (price: number, ppm: number): number =>
  Number((BigInt(price) * BigInt(1_000_000 + ppm)) / 1_000_000n);
/** The lowest price not more than `ppm` below it. */
export const below = (price: number, ppm: number): number =>
  Number((BigInt(price) * BigInt(1_000_000 - ppm) + 999_999n) / 1_000_000n);

export function protectionPrice(market: TwinMarket, side: Side): number {
  const reference = referencePrice(market);
  const { marketSlippagePpm } = market.config;
  return side === 'buy' ? above(reference, marketSlippagePpm) : below(reference, marketSlippagePpm);
}

export const crosses = (side: Side, limit: number, price: number): boolean =>
  side === 'buy' ? price <= limit : price >= limit;

const ceilRate = (amount: bigint, ppm: number): bigint =>
  (amount * BigInt(ppm) + 999_999n) / 1_000_000n;
const floorRate = (amount: bigint, ppm: number): bigint => (amount * BigInt(ppm)) / 1_000_000n;

interface Resting {
  order: TwinOrder;
  remaining: number;
  shown: number;
  joined: number;
}

export interface Walk {
  fills: Fill[];
  lots: number;
  cost: bigint;
  fee: bigint;
}

/** What an order would trade if it came now, computed on a copy of the other side. */
export function simulate(
  s: TwinState,
  market: TwinMarket,
  taker: {
    account: number;
    side: Side;
    limit: number;
    lots: number;
    total: bigint | undefined;
    stp: StpMode;
    time: number;
    /** Leaves out what icebergs hide. */
    visibleOnly: boolean;
  },
): Walk {
  let queue: Resting[] = market.live
    .filter((o) => o.resting && o.side === opposite(taker.side))
    .filter((o) => !isExpired(s, o, taker.time))
    .map((order) => ({
      order,
      remaining: order.remainingVolume,
      shown: order.shown,
      joined: order.joined,
    }));
  let joins = s.joins;
  let wanted = taker.lots;
  let unspent = taker.total ?? 0n;
  const walk: Walk = { fills: [], lots: 0, cost: 0n, fee: 0n };
  const rates = getTier(s, taker.account);
  for (;;) {
    if (taker.total === undefined && wanted === 0) break;
    let maker: Resting | undefined;
    for (const r of queue) {
      if (maker === undefined || isBefore(taker.side, r, maker)) maker = r;
    }
    if (maker === undefined || !crosses(taker.side, taker.limit, maker.order.price)) break;
    const { price } = maker.order;
    const want = taker.total === undefined ? wanted : affordable(market, unspent, price);
    if (want === 0) break;
    if (familyOf(s, maker.order.account) === familyOf(s, taker.account)) {
      if (taker.stp === 'expire_taker' || taker.stp === 'expire_both') break;
      if (taker.stp === 'expire_maker') {
        queue = queue.filter((r) => r !== maker);
        continue;
      }
      const shrink = Math.min(want, maker.remaining);
      if (shrink === want) break;
      queue = queue.filter((r) => r !== maker);
      if (taker.total === undefined) wanted -= shrink;
      else unspent -= money(market, price, shrink);
      continue;
    }
    const lots = Math.min(want, maker.shown);
    walk.fills.push({ priceTicks: price, lots });
    walk.lots += lots;
    const cost = money(market, price, lots);
    walk.cost += cost;
    walk.fee += ceilRate(taker.side === 'buy' ? baseUnits(market, lots) : cost, rates.taker);
    if (taker.total === undefined) wanted -= lots;
    else unspent -= cost;
    maker.remaining -= lots;
    maker.shown -= lots;
    const isUsedUp = maker.remaining === 0 || (taker.visibleOnly && maker.shown === 0);
    if (isUsedUp) queue = queue.filter((r) => r !== maker);
    else if (maker.shown === 0) {
      maker.shown = Math.min(maker.order.visibleVolume, maker.remaining);
      joins += 1;
      maker.joined = joins;
    }
  }
  return walk;
}

/** Whole lots that `unspent` buys at the price. */
function affordable(market: TwinMarket, unspent: bigint, price: number): number {
  const lots = unspent / money(market, price, 1);
  // No order may hold more than this bound, and below it the number is exact.
  return Number(lots > 9_000_000_000_000_000n ? 9_000_000_000_000_000n : lots);
}

function isBefore(takerSide: Side, a: Resting, b: Resting): boolean {
  if (a.order.price !== b.order.price) {
    return takerSide === 'buy' ? a.order.price < b.order.price : a.order.price > b.order.price;
  }
  return a.joined < b.joined;
}

export function getTier(s: TwinState, account: number): { maker: number; taker: number } {
  const tier = s.tiers.get(getAccount(s, account).tier);
  if (tier === undefined) throw new Error('twin: no such tier');
  return tier;
}

function findMaker(market: TwinMarket, takerSide: Side): TwinOrder | undefined {
  let best: TwinOrder | undefined;
  for (const o of market.live) {
    if (!o.resting || o.side === takerSide) continue;
    if (best === undefined) best = o;
    else if (o.price !== best.price) {
      if (takerSide === 'buy' ? o.price < best.price : o.price > best.price) best = o;
    } else if (o.joined < best.joined) best = o;
  }
  return best;
}

export function rest(s: TwinState, market: TwinMarket, o: TwinOrder): void {
  noteBook(s, market);
  s.joins += 1;
  o.joined = s.joins;
  o.resting = true;
  o.shown =
    o.visibleVolume === 0 ? o.remainingVolume : Math.min(o.visibleVolume, o.remainingVolume);
}

/**
 * Runs an accepted order against the book. Its hold is in place; afterwards it is final, or rests
 * with exactly the hold that its remainder needs.
 */
export function execute(s: TwinState, o: TwinOrder): void {
  const market = getMarketOf(s, o);
  const isMarket = isMarketKind(o.type, o.price > 0);
  const byTotal = o.total > 0n;
  touch(s, o);
  noteBook(s, market);
  if (market.phase === 'auction') {
    rest(s, market, o);
    return;
  }
  const limit = isMarket ? protectionPrice(market, o.side) : o.price;
  let mustHalt = false;
  let end: 'filled' | 'stp' | 'book' | 'limit' | 'dust' = 'filled';
  for (;;) {
    if (byTotal ? o.unspent === 0n : o.remainingVolume === 0) break;
    const maker = findMaker(market, o.side);
    if (maker === undefined) {
      end = 'book';
      break;
    }
    if (!crosses(o.side, limit, maker.price)) {
      end = 'limit';
      break;
    }
    if (isExpired(s, maker, s.time)) {
      finish(s, maker, 'expired', 'gtd');
      continue;
    }
    const want = byTotal ? affordable(market, o.unspent, maker.price) : o.remainingVolume;
    if (want === 0) {
      end = 'dust';
      break;
    }
    if (familyOf(s, maker.account) === familyOf(s, o.account)) {
      if (preventSelfTrade(s, market, o, maker, want)) continue;
      end = 'stp';
      break;
    }
    trade(s, market, o, maker, Math.min(want, maker.shown));
    if (isHaltPrice(market, maker.price, s.time)) mustHalt = true;
    market.history.push({ time: s.time, price: maker.price });
  }
  if (end === 'filled' || (end === 'dust' && o.filledVolume > 0)) finish(s, o, 'filled', '');
  else if (end === 'stp') finish(s, o, 'expired', 'stp');
  else if (isMarket) {
    finish(s, o, 'expired', end === 'limit' ? 'slippage_limit' : 'market_remainder');
  } else if (o.timeInForce === 'IOC') finish(s, o, 'expired', 'ioc_remainder');
  else if (o.timeInForce === 'FOK') throw new Error('twin: a fill-or-kill order was left over');
  else {
    o.status = o.filledVolume > 0 ? 'partially_filled' : 'open';
    const needed =
      o.side === 'buy'
        ? money(market, o.price, o.remainingVolume)
        : baseUnits(market, o.remainingVolume);
    if (needed !== o.held && siblingOf(o) === undefined) {
      const coin = coinGiven(market, o.side);
      post(s, 'release', o.orderId, [
        [o.account, coin, 'hold', needed - o.held],
        [o.account, coin, 'available', o.held - needed],
      ]);
      o.held = needed;
    }
    rest(s, market, o);
  }
  if (mustHalt && market.phase === 'continuous') {
    setPhase(s, market, 'halted', s.time + market.config.haltMinutes * 60_000, 'post_only');
  }
}

/** Says whether the incoming order may go on. */
function preventSelfTrade(
  s: TwinState,
  market: TwinMarket,
  taker: TwinOrder,
  maker: TwinOrder,
  want: number,
): boolean {
  const mode = taker.stpMode;
  const lots = mode === 'decrement' ? Math.min(want, maker.remainingVolume) : 0;
  getStep(s).prevented.push({
    symbol: market.config.symbol,
    takerOrderId: taker.orderId,
    makerOrderId: maker.orderId,
    priceTicks: maker.price,
    lots,
    mode,
  });
  if (mode === 'expire_taker') return false;
  if (mode === 'expire_maker' || mode === 'expire_both') {
    finish(s, maker, 'expired', 'stp');
    return mode === 'expire_maker';
  }
  touch(s, maker);
  taker.preventedVolume += lots;
  if (taker.total > 0n) taker.unspent -= money(market, maker.price, lots);
  else taker.remainingVolume -= lots;
  maker.preventedVolume += lots;
  maker.remainingVolume -= lots;
  maker.shown = Math.min(maker.shown, maker.remainingVolume);
  decide(s, taker);
  decide(s, maker);
  if (maker.remainingVolume === 0) finish(s, maker, 'expired', 'stp');
  else releaseSurplus(s, market, maker);
  return lots < want;
}

/** A resting order keeps what its remainder needs. */
export function releaseSurplus(s: TwinState, market: TwinMarket, o: TwinOrder): void {
  const { side, price, remainingVolume } = o;
  const freed =
    o.held -
    (side === 'buy' ? money(market, price, remainingVolume) : baseUnits(market, remainingVolume));
  if (freed === 0n) return;
  const coin = coinGiven(market, side);
  post(s, 'release', o.orderId, [
    [o.account, coin, 'hold', -freed],
    [o.account, coin, 'available', freed],
  ]);
  o.held -= freed;
}

function trade(
  s: TwinState,
  market: TwinMarket,
  taker: TwinOrder,
  maker: TwinOrder,
  lots: number,
): void {
  const price = maker.price;
  const takerPpm = getTier(s, taker.account).taker;
  const makerPpm = Math.max(getTier(s, maker.account).maker, -takerPpm);
  settle(s, market, taker, maker, lots, price, takerPpm, makerPpm);
  market.lastPrice = price;
  s.tradedPrices.push({ market, price, isLookBack: false });
  maker.shown -= lots;
  decide(s, taker);
  decide(s, maker);
  if (maker.remainingVolume === 0) finish(s, maker, 'filled', '');
  else {
    maker.status = 'partially_filled';
    releaseSurplus(s, market, maker);
    if (maker.shown === 0) rest(s, market, maker);
  }
}

/** A trade of an auction: both pay the maker's rate, and nobody is paid. */
export function tradeAt(
  s: TwinState,
  market: TwinMarket,
  taker: TwinOrder,
  maker: TwinOrder,
  lots: number,
  price: number,
): void {
  const [takerPpm, makerPpm] = [taker, maker].map(({ account }) =>
    Math.max(0, getTier(s, account).maker),
  );
  settle(s, market, taker, maker, lots, price, takerPpm ?? 0, makerPpm ?? 0);
}

/** The money of one trade, and what it changes in both orders. */
function settle(
  s: TwinState,
  market: TwinMarket,
  taker: TwinOrder,
  maker: TwinOrder,
  lots: number,
  price: number,
  takerPpm: number,
  makerPpm: number,
): void {
  const [buyer, seller] = taker.side === 'buy' ? [taker, maker] : [maker, taker];
  const total = money(market, price, lots);
  const base = baseUnits(market, lots);
  const takerGets = taker.side === 'buy' ? base : total;
  const makerGets = taker.side === 'buy' ? total : base;
  const takerFee = ceilRate(takerGets, takerPpm);
  const makerFee = makerPpm > 0 ? ceilRate(makerGets, makerPpm) : 0n;
  const rebate = makerPpm < 0 ? floorRate(takerGets, -makerPpm) : 0n;
  const [buyerFee, sellerFee] = taker.side === 'buy' ? [takerFee, makerFee] : [makerFee, takerFee];
  // A market buy has no limit of its own: what it pays is what leaves its hold.
  const reserved = isMarketKind(buyer.type, buyer.price > 0)
    ? total
    : money(market, buyer.price, lots);

  s.tradeCount += 1;
  const tradeId = s.shardBase + s.tradeCount;
  const { base: baseCoin, quote, symbol, quotePrecision, basePrecision } = market.config;
  getStep(s).trades.push({
    tradeId,
    symbol,
    priceTicks: price,
    lots,
    priceDecimals: quotePrecision,
    volumeDecimals: basePrecision,
    total,
    takerSide: taker.side,
    buyer: {
      orderId: buyer.orderId,
      account: buyer.account,
      feePpm: taker.side === 'buy' ? takerPpm : makerPpm,
      fee: buyerFee,
    },
    seller: {
      orderId: seller.orderId,
      account: seller.account,
      feePpm: taker.side === 'buy' ? makerPpm : takerPpm,
      fee: sellerFee,
    },
    rebate,
  });
  const rebateCoin = coinReceived(market, taker.side);
  post(s, 'trade', tradeId, [
    [buyer.account, quote, 'hold', -reserved],
    [buyer.account, quote, 'available', reserved - total],
    [buyer.account, baseCoin, 'available', base - buyerFee],
    [seller.account, baseCoin, 'hold', -base],
    [seller.account, quote, 'available', total - sellerFee],
    ['fees', quote, 'available', sellerFee],
    ['fees', baseCoin, 'available', buyerFee],
    ['fees', rebateCoin, 'available', -rebate],
    [maker.account, rebateCoin, 'available', rebate],
  ]);
  buyer.held -= reserved;
  seller.held -= base;
  for (const [o, fee] of [
    [buyer, buyerFee],
    [seller, sellerFee],
  ] as const) {
    touch(s, o);
    o.filledVolume += lots;
    o.filledTotal += total;
    o.fee += fee;
    o.lastTradeAt = s.time;
    if (o.total > 0n) o.unspent -= total;
    else o.remainingVolume -= lots;
  }
  maker.rebate += rebate;
}

/** Compares with the last price made at least five minutes earlier, to the second. */
function isHaltPrice(market: TwinMarket, price: number, time: number): boolean {
  if (market.config.haltPpm === 0) return false;
  const cutoff = Math.floor(time / 1000) - 300;
  let earlier: number | undefined;
  for (const t of market.history) if (Math.floor(t.time / 1000) <= cutoff) earlier = t.price;
  if (earlier === undefined) return false;
  const distance = BigInt(Math.abs(price - earlier)) * 1_000_000n;
  return distance > BigInt(earlier) * BigInt(market.config.haltPpm);
}

export function setPhase(
  s: TwinState,
  market: TwinMarket,
  phase: Phase,
  until: number,
  next: Phase,
): void {
  // After a halt, the price at which trading stopped counts as the price of five minutes ago.
  if (s.rules >= 2 && market.phase === 'halted' && phase !== 'halted') {
    const { lastPrice: price } = market;
    market.history = price > 0 ? [{ time: s.time - 300_000, price }] : [];
  }
  market.phase = phase;
  market.phaseDue = until;
  market.phaseNext = next;
  if (until > 0) {
    s.timerSeq += 1;
    market.phaseSeq = s.timerSeq;
  }
  getStep(s).phases.push({ symbol: market.config.symbol, phase, until });
}
