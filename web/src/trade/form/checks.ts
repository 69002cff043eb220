// What is wrong with what was entered, by the rules of the venue and in its order. Each finding has the rule and the value,
// so that the text can teach.
import { decimal, type MarketDetail } from '@rialto/sdk';
import { floorTo, numberOf, totalDecimals, type Available, type Sized } from './derive.ts';
import { opposite, type Draft, type Field, type Side } from './draft.ts';
import { bestOf, isBeyond, moved, type Estimate, type Prices } from './estimate.ts';

/** Where a finding is shown: at a field, or at the time when the order ends. */
export type Spot = Field | 'expires';

export type Problem =
  | { readonly code: 'missing' }
  /** The field itself says why. */
  | { readonly code: 'unread' }
  | { readonly code: 'positive' }
  | { readonly code: 'decimals'; readonly has: number; readonly allowed: number }
  /** An amount, with its unit, or a price. */
  | { readonly code: 'least' | 'most'; readonly bound: string; readonly unit: 'base' | 'quote' }
  | { readonly code: 'value'; readonly least: string; readonly yours: string }
  | { readonly code: 'valueMost'; readonly most: string; readonly yours: string }
  | {
      readonly code: 'funds';
      readonly need: string;
      readonly have: string;
      readonly unit: 'base' | 'quote';
    }
  /** It has to lie on the other side of the last price, or of the entry. */
  | {
      readonly code: 'apart';
      readonly mustBe: 'above' | 'below';
      readonly than: 'last' | 'entry';
      readonly price: string;
    }
  | { readonly code: 'visible'; readonly least: string; readonly most: string }
  | { readonly code: 'delta' }
  | { readonly code: 'expires' }
  | { readonly code: 'noBook' }
  /** Post-only, and the best price of the other side would be taken. */
  | { readonly code: 'wouldTake'; readonly best: string };

export type Problems = Readonly<Partial<Record<Spot, Problem>>>;

export interface Terms {
  readonly market: MarketDetail;
  readonly prices: Prices;
  readonly available: Available;
  readonly nowMs: number;
}

const DELTA_LEAST = '0.1';
const DELTA_MOST = '20';
const EXPIRES_LEAST_MS = 5000;
const EXPIRES_MOST_MS = 90 * 24 * 3600 * 1000;

export function check(draft: Draft, sized: Sized, estimated: Estimate, terms: Terms): Problems {
  const problems: Partial<Record<Spot, Problem>> = {};
  const add = (spot: Spot, problem: Problem | undefined) => {
    if (problem !== undefined) problems[spot] ??= problem;
  };
  const { shape, driver } = sized;
  const { market } = terms;
  const decimals = { price: Number(market.quotePrecision), volume: Number(market.basePrecision) };
  const isSizeTyped = driver !== 'percent';
  const exit = draft.kind === 'bracket' ? opposite(draft.side) : draft.side;

  const prices: readonly [Field, 'required' | 'optional' | 'none', Side][] = [
    ['price', shape.price, draft.side],
    ['stopPrice', shape.stopPrice, exit],
    ['stopLimit', shape.stopLimit, exit],
    ['takeProfit', shape.hasTakeProfit ? 'required' : 'none', exit],
  ];
  for (const [field, need, side] of prices) {
    if (need === 'none') continue;
    add(field, readable(draft, field, need === 'required'));
    const value = numberOf(draft, field);
    if (value === undefined) continue;
    add(field, tooFine(value, decimals.price));
    add(field, outOfBand(value, side, terms));
  }
  if (shape.hasDelta) {
    add('delta', readable(draft, 'delta', true));
    add('delta', deltaProblem(numberOf(draft, 'delta')));
  }
  if (isSizeTyped) add(driver, readable(draft, driver, true));
  add(...sizeProblem(sized, decimals.volume, market));
  if (shape.canRest && draft.fields.visible.kind !== 'empty')
    add('visible', visibleProblem(draft, sized, market));
  if (shape.hasTimeInForce && draft.timeInForce === 'GTD')
    add('expires', expiryProblem(draft.expiresMs, terms.nowMs));
  if (shape.canRest && draft.isPostOnly) add('price', takeProblem(draft, terms.prices));
  for (const [spot, problem] of apart(draft, sized, terms)) add(spot, problem);

  const spot: Field = sized.sent?.name === 'total' || driver === 'total' ? 'total' : 'amount';
  if (sized.sent !== undefined && problems[spot] === undefined) {
    if (draft.kind === 'market' && bestOf(terms.prices, draft.side) === undefined)
      add(spot, { code: 'noBook' });
    add(spot, valueProblem(draft, sized, estimated, terms));
    add(spot, fundsProblem(draft, estimated, terms.available));
  }
  return problems;
}

/** Whether the field holds a number above nought. */
function readable({ fields }: Draft, field: Field, isRequired: boolean): Problem | undefined {
  const reading = fields[field];
  if (reading.kind === 'empty') return isRequired ? { code: 'missing' } : undefined;
  if (reading.kind !== 'number') return { code: 'unread' };
  return decimal.compare(reading.value, '0') > 0 ? undefined : { code: 'positive' };
}

function tooFine(value: string, allowed: number): Problem | undefined {
  const has = (value.split('.')[1] ?? '').length;
  return has > allowed ? { code: 'decimals', has, allowed } : undefined;
}

/** Buys are bounded above by the last price, sells below; both by the market's own limits. */
function outOfBand(
  value: string,
  side: Side,
  { market, prices: { last } }: Terms,
): Problem | undefined {
  const reference = last === '' ? market.referencePrice : last;
  const bound = moved(reference, market.priceBandPercent, side, market.priceStep);
  const most = side === 'buy' ? decimal.min(market.maximumPrice, bound) : market.maximumPrice;
  const least = side === 'sell' ? decimal.max(market.minimumPrice, bound) : market.minimumPrice;
  if (decimal.compare(value, most) > 0) return { code: 'most', bound: most, unit: 'quote' };
  if (decimal.compare(value, least) < 0) return { code: 'least', bound: least, unit: 'quote' };
  return undefined;
}

function deltaProblem(delta: string | undefined): Problem | undefined {
  if (delta === undefined) return undefined;
  const isIn = decimal.compare(delta, DELTA_LEAST) >= 0 && decimal.compare(delta, DELTA_MOST) <= 0;
  return isIn ? tooFine(delta, 2) : { code: 'delta' };
}

function sizeProblem(
  { sent, amount, driver, shape, total }: Sized,
  decimals: number,
  market: MarketDetail,
): [Field, Problem | undefined] {
  if (sent?.name === 'total')
    return ['total', driver === 'total' ? tooFine(total, totalDecimals(market)) : undefined];
  const spot = driver === 'total' && !shape.isMarket ? 'total' : 'amount';
  if (amount === '') return [spot, undefined];
  const { minimumVolume, maximumVolume } = market;
  if (driver === 'amount') {
    const problem = tooFine(amount, decimals);
    if (problem !== undefined) return [spot, problem];
  }
  if (decimal.compare(amount, minimumVolume) < 0)
    return [spot, { code: 'least', bound: minimumVolume, unit: 'base' }];
  if (decimal.compare(amount, maximumVolume) > 0)
    return [spot, { code: 'most', bound: maximumVolume, unit: 'base' }];
  return [spot, undefined];
}

/** An iceberg shows a part of itself, and at most so many of them. */
function visibleProblem(
  draft: Draft,
  { amount }: Sized,
  market: MarketDetail,
): Problem | undefined {
  const problem = readable(draft, 'visible', false);
  const visible = numberOf(draft, 'visible');
  if (problem !== undefined || visible === undefined || amount === '') return problem;
  const fine = tooFine(visible, Number(market.basePrecision));
  if (fine !== undefined) return fine;
  const part = decimal.divide(amount, market.icebergParts, 24);
  const least = decimal.roundUp(part, market.volumeStep);
  const isIn = decimal.compare(visible, least) >= 0 && decimal.compare(visible, amount) <= 0;
  return isIn ? undefined : { code: 'visible', least, most: amount };
}

function expiryProblem(expiresMs: number | undefined, nowMs: number): Problem | undefined {
  if (expiresMs === undefined) return { code: 'missing' };
  const ahead = expiresMs - nowMs;
  return ahead >= EXPIRES_LEAST_MS && ahead <= EXPIRES_MOST_MS ? undefined : { code: 'expires' };
}

/** Triggers that hold already, and exits on the wrong side, are refused by the venue. */
function apart(
  draft: Draft,
  { shape }: Sized,
  { prices: { last } }: Terms,
): readonly (readonly [Field, Problem])[] {
  const { kind, side } = draft;
  const found: [Field, Problem][] = [];
  const need = (
    field: Field,
    mustBe: 'above' | 'below',
    than: 'last' | 'entry',
    price: string | undefined,
  ) => {
    const value = numberOf(draft, field);
    if (value === undefined || price === undefined || price === '') return;
    const order = decimal.compare(value, price);
    if (mustBe === 'above' ? order <= 0 : order >= 0)
      found.push([field, { code: 'apart', mustBe, than, price }]);
  };
  const [up, down] = side === 'buy' ? (['above', 'below'] as const) : (['below', 'above'] as const);
  if (kind === 'stop_limit' || kind === 'stop_market' || kind === 'oco')
    need('stopPrice', up, 'last', last);
  if (kind === 'oco') need('price', down, 'last', last);
  if (kind.startsWith('take_profit') || kind === 'trailing_stop')
    need('stopPrice', down, 'last', last);
  if (kind === 'bracket') {
    const entry = shape.isMarket ? last : numberOf(draft, 'price');
    need('takeProfit', up, 'entry', entry);
    need('stopPrice', down, 'entry', entry);
  }
  return found;
}

/** The value of the order against the market's smallest, and of market orders against its largest. */
function valueProblem(
  draft: Draft,
  { shape, sent, amount, cost }: Sized,
  { taking }: Estimate,
  { market, prices }: Terms,
): Problem | undefined {
  const { minimumQuoteSize: least, maxMarketOrderBid, maxMarketOrderAsk } = market;
  const tooSmall = (yours: string): Problem | undefined =>
    decimal.compare(yours, least) < 0
      ? { code: 'value', least, yours: floorTo(yours, totalDecimals(market)) }
      : undefined;
  const tooLarge = (yours: string): Problem | undefined =>
    decimal.compare(yours, maxMarketOrderBid) > 0
      ? { code: 'valueMost', most: maxMarketOrderBid, yours }
      : undefined;
  if (!shape.isMarket) {
    const price = numberOf(draft, 'price');
    const stop = numberOf(draft, 'stopLimit') ?? numberOf(draft, 'stopPrice');
    // Each leg of an OCO is an order of its own.
    const isCheaper = draft.kind === 'oco' && stop !== undefined && price !== undefined;
    const by = isCheaper ? decimal.min(price, stop) : price;
    return by === undefined ? undefined : tooSmall(decimal.multiply(by, amount));
  }
  if (sent?.name === 'total') return tooSmall(cost) ?? tooLarge(cost);
  const best = bestOf(prices, draft.side);
  if (draft.side === 'buy') {
    if (best === undefined || taking === undefined) return undefined;
    return tooSmall(taking.total) ?? tooLarge(decimal.multiply(best, amount));
  }
  if (decimal.compare(amount, maxMarketOrderAsk) > 0)
    return { code: 'most', bound: maxMarketOrderAsk, unit: 'base' };
  const by =
    draft.kind === 'trailing_stop'
      ? prices.last || market.referencePrice
      : shape.isConditional
        ? numberOf(draft, 'stopPrice')
        : best;
  return by === undefined ? undefined : tooSmall(decimal.multiply(by, amount));
}

function fundsProblem(
  { side }: Draft,
  { need }: Estimate,
  available: Available,
): Problem | undefined {
  const unit = side === 'buy' ? 'quote' : 'base';
  const have = available[unit];
  if (need === undefined || have === undefined || decimal.compare(need, have) <= 0)
    return undefined;
  return { code: 'funds', need, have, unit };
}

/** A post-only order is refused if any part of it would trade at once. */
function takeProblem(draft: Draft, prices: Prices): Problem | undefined {
  const price = numberOf(draft, 'price');
  const best = bestOf(prices, draft.side);
  if (price === undefined || best === undefined || isBeyond(draft.side, best, price))
    return undefined;
  return { code: 'wouldTake', best };
}
