// What an order would meet in the book now, what it costs and what it leaves. Estimates: the book moves.
import { decimal, type Level, type MarketDetail } from '@rialto/sdk';
import { numberOf, paidPrice, type Available, type Sized } from './derive.ts';
import type { Draft, Side } from './draft.ts';

/** What the market shows now. */
export interface Prices {
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** The last price, by which the venue measures; empty before the first trade. */
  readonly last: string;
}

/** Shares of what is received. */
export interface Rates {
  readonly maker: string;
  readonly taker: string;
}

interface Taking {
  readonly volume: string;
  readonly total: string;
  /** Empty if nothing is taken. */
  readonly worst: string;
  readonly average: string;
  /** Everything that was asked for. */
  readonly isComplete: boolean;
}

export interface Estimate {
  /** What trades at once; undefined for an order that waits for its trigger. */
  readonly taking: Taking | undefined;
  /** In the coin that is received; undefined while the size is unknown. */
  readonly fee: string | undefined;
  /** What the order holds, in the coin that is given; undefined while the size is unknown. */
  readonly need: string | undefined;
  /** What is left of the coin that is given; undefined if it does not reach. */
  readonly after: string | undefined;
  readonly worst: string | undefined;
}

export const bestOf = ({ bids, asks }: Prices, side: Side): string | undefined =>
  (side === 'buy' ? asks : bids)[0]?.price;

/** Walks the side that is traded against, no further than `limit`. A size by total takes whole lots at each level. */
export function take(
  prices: Prices,
  side: Side,
  size: { readonly volume: string } | { readonly total: string },
  { limit, lots }: { readonly limit: string | undefined; readonly lots: number },
): Taking {
  const levels = side === 'buy' ? prices.asks : prices.bids;
  let left = 'volume' in size ? size.volume : size.total;
  let [volume, total, worst] = ['0', '0', ''];
  let isComplete = false;
  for (const level of levels) {
    if (limit !== undefined && isBeyond(side, level.price, limit)) break;
    const wanted = 'volume' in size ? left : decimal.divide(left, level.price, lots);
    const taken = decimal.min(wanted, level.volume);
    isComplete = decimal.compare(wanted, level.volume) <= 0;
    if (decimal.isZero(taken)) break;
    const cost = decimal.multiply(level.price, taken);
    volume = decimal.add(volume, taken);
    total = decimal.add(total, cost);
    worst = level.price;
    left = decimal.subtract(left, 'volume' in size ? taken : cost);
    if (isComplete) break;
  }
  const average = decimal.isZero(volume) ? '' : decimal.divide(total, volume, 18);
  return { volume, total, worst, average, isComplete };
}

/** Whether a price is worse than the limit for this side. */
export const isBeyond = (side: Side, price: string, limit: string): boolean =>
  side === 'buy' ? decimal.compare(price, limit) > 0 : decimal.compare(price, limit) < 0;

/** How far a market order may walk: so many percent from the last price. */
function protectionOf(market: MarketDetail, prices: Prices, side: Side): string {
  const reference = prices.last === '' ? market.referencePrice : prices.last;
  return moved(reference, market.marketSlippagePercent, side, market.priceStep);
}

/** A price moved by so many percent in the direction that costs, to a whole step towards where it was. */
export function moved(price: string, percent: string, side: Side, step: string): string {
  const by = decimal.divide(decimal.multiply(price, percent), '100', 24);
  return side === 'buy'
    ? decimal.roundDown(decimal.add(price, by), step)
    : decimal.roundUp(decimal.subtract(price, by), step);
}

export function estimate(
  draft: Draft,
  sized: Sized,
  terms: {
    readonly market: MarketDetail;
    readonly prices: Prices;
    readonly rates: Rates;
    readonly available: Available;
  },
): Estimate {
  const { market, prices, rates, available } = terms;
  const { side } = draft;
  const { shape, sent } = sized;
  const limit = shape.isMarket
    ? protectionOf(market, prices, side)
    : (numberOf(draft, 'price') ?? '');
  const isWaiting = shape.isConditional || limit === '';
  const taking =
    sent === undefined || isWaiting
      ? undefined
      : take(prices, side, sent.name === 'total' ? { total: sent.value } : { volume: sent.value }, {
          limit,
          lots: Number(market.basePrecision),
        });
  const need = needOf(draft, sized, taking);
  const have = available[side === 'buy' ? 'quote' : 'base'];
  const isEnough = need !== undefined && have !== undefined && decimal.compare(need, have) <= 0;
  return {
    taking,
    fee: feeOf(draft, sized, taking, rates),
    need,
    after: isEnough ? decimal.subtract(have, need) : undefined,
    worst: shape.isMarket ? taking?.worst || undefined : paidPrice(draft, shape),
  };
}

/** As the venue holds it: fees come out of what is received, so they need no room. */
function needOf(
  { side }: Draft,
  { sent, cost }: Sized,
  taking: Taking | undefined,
): string | undefined {
  if (sent === undefined) return undefined;
  if (side === 'sell') return sent.value;
  if (cost !== '') return cost;
  return taking === undefined || decimal.isZero(taking.total) ? undefined : taking.total;
}

/** What trades at once pays as a taker; what rests, or is to be triggered as a limit order, as a maker. */
function feeOf(
  draft: Draft,
  { shape, sent, cost }: Sized,
  taking: Taking | undefined,
  { maker, taker }: Rates,
): string | undefined {
  if (sent === undefined) return undefined;
  const isBuy = draft.side === 'buy';
  const taken = taking === undefined ? '0' : isBuy ? taking.volume : taking.total;
  const byTaking = decimal.multiply(taken, taker);
  if (shape.isMarket) return taking === undefined ? undefined : byTaking;
  const price = paidPrice(draft, shape);
  if (price === undefined || cost === '') return undefined;
  const left = decimal.subtract(sent.value, taking?.volume ?? '0');
  const resting = isBuy ? left : decimal.multiply(left, price);
  return decimal.add(byTaking, decimal.multiply(resting, maker));
}
