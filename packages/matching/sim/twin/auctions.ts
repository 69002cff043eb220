// Auctions in the slow twin: it tries prices one after the other, and adds up every order again for each.

import type { Side } from '../../src/command.ts';
import { bestPrice, releaseSurplus, rest, tradeAt } from './matching.ts';
import { decide, familyOf, finish, getStep, isExpired, noteBook } from './model.ts';
import type { TwinMarket, TwinOrder, TwinState } from './model.ts';
import { isSweeping } from './sweeping.ts';

/** Prices up to which each one is tried. Beyond, only those at which something can change. */
const EVERY_PRICE = 200;

export const auctionReference = (market: TwinMarket): number =>
  market.lastPrice === 0 ? market.config.listingPriceTicks : market.lastPrice;

export function isCrossed(market: TwinMarket): boolean {
  const [bid, ask] = [bestPrice(market, 'buy'), bestPrice(market, 'sell')];
  return bid !== undefined && ask !== undefined && bid >= ask;
}

const accepts = (o: TwinOrder, price: number): boolean =>
  o.side === 'buy' ? o.price >= price : o.price <= price;

/** The side's orders that accept the price: best price first, then by their place in the queue. */
function queueAt(market: TwinMarket, side: Side, price: number): TwinOrder[] {
  return market.live
    .filter((o) => o.resting && o.side === side && accepts(o, price))
    .sort((a, b) => {
      if (a.price === b.price) return a.joined - b.joined;
      return side === 'buy' ? b.price - a.price : a.price - b.price;
    });
}

function volumeAt(market: TwinMarket, side: Side, price: number): number {
  let sum = 0;
  for (const o of market.live) {
    if (o.resting && o.side === side && accepts(o, price)) sum += o.remainingVolume;
  }
  return sum;
}

function listPrices(market: TwinMarket, reference: number): number[] {
  const orders = market.live.filter((o) => o.resting).map((o) => o.price);
  const [low, high] = [Math.min(...orders), Math.max(...orders)];
  if (high - low <= EVERY_PRICE) return Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return [...orders.flatMap((price) => [price - 1, price, price + 1]), reference]
    .filter((price) => price >= low && price <= high)
    .sort((a, b) => a - b);
}

/** Price, what trades there, and what is left over; undefined if nothing can trade at any price. */
function findPrice(
  market: TwinMarket,
  reference: number,
): { price: number; lots: number; imbalance: number } | undefined {
  let best: { price: number; lots: number; imbalance: number } | undefined;
  for (const price of listPrices(market, reference)) {
    const [demand, supply] = [volumeAt(market, 'buy', price), volumeAt(market, 'sell', price)];
    const lots = Math.min(demand, supply);
    const imbalance = demand - supply;
    if (lots === 0) continue;
    const reasons =
      best === undefined
        ? [1]
        : [
            lots - best.lots,
            Math.abs(best.imbalance) - Math.abs(imbalance),
            Math.abs(best.price - reference) - Math.abs(price - reference),
            best.price - price,
          ];
    if ((reasons.find((reason) => reason !== 0) ?? 0) > 0) best = { price, lots, imbalance };
  }
  return best;
}

/** Trades what meets in the book of a market that is about to trade again. */
export function uncross(s: TwinState, market: TwinMarket): void {
  if (market.phase !== 'auction' && !isCrossed(market)) return;
  if (isSweeping(s, market)) return;
  noteBook(s, market);
  endExpired(s, market);
  const { symbol, quotePrecision, basePrecision } = market.config;
  const write = (priceTicks: number, lots: number, imbalanceLots: number, reference: number) => {
    getStep(s).uncrosses.push({
      symbol,
      priceTicks,
      lots,
      imbalanceLots,
      referenceTicks: reference,
      priceDecimals: quotePrecision,
      volumeDecimals: basePrecision,
    });
  };
  while (isCrossed(market)) {
    const reference = auctionReference(market);
    const found = findPrice(market, reference);
    if (found === undefined) throw new Error('twin: a crossed book has no price');
    const traded = tradeAll(s, market, found.price);
    if (traded === 0) continue;
    const left = volumeAt(market, 'buy', found.price) - volumeAt(market, 'sell', found.price);
    market.lastPrice = found.price;
    s.tradedPrices.push({ market, price: found.price, isLookBack: false });
    write(found.price, traded, left, reference);
  }
  if (!getStep(s).uncrosses.some((u) => u.symbol === symbol)) {
    write(0, 0, 0, auctionReference(market));
  }
  const { lastPrice: price } = market;
  market.history = price > 0 ? [{ time: s.time - 300_000, price }] : [];
}

function endExpired(s: TwinState, market: TwinMarket): void {
  const [bid, ask] = [bestPrice(market, 'buy'), bestPrice(market, 'sell')];
  if (bid === undefined || ask === undefined) return;
  const inTheWay = [...queueAt(market, 'buy', ask), ...queueAt(market, 'sell', bid)];
  for (const o of inTheWay) if (isExpired(s, o, s.time)) finish(s, o, 'expired', 'gtd');
}

function tradeAll(s: TwinState, market: TwinMarket, price: number): number {
  let traded = 0;
  for (;;) {
    const [bid] = queueAt(market, 'buy', price);
    const [ask] = queueAt(market, 'sell', price);
    if (bid === undefined || ask === undefined) break;
    const [younger, older] = bid.orderId > ask.orderId ? [bid, ask] : [ask, bid];
    if (familyOf(s, bid.account) === familyOf(s, ask.account)) {
      getStep(s).prevented.push({
        symbol: market.config.symbol,
        takerOrderId: older.orderId,
        makerOrderId: younger.orderId,
        priceTicks: price,
        lots: 0,
        mode: 'expire_maker',
      });
      finish(s, younger, 'expired', 'stp');
      continue;
    }
    const lots = Math.min(bid.remainingVolume, ask.remainingVolume);
    tradeAt(s, market, younger, older, lots, price);
    traded += lots;
    for (const o of [bid, ask]) {
      decide(s, o);
      o.shown = Math.max(0, o.shown - lots);
      if (o.remainingVolume === 0) finish(s, o, 'filled', '');
      else {
        o.status = 'partially_filled';
        releaseSurplus(s, market, o);
      }
    }
  }
  for (const o of market.live) if (o.resting && o.shown === 0) rest(s, market, o);
  return traded;
}
