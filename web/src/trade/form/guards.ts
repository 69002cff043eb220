// Notices about an order that the venue would take and that the person may not mean. They warn; they do not forbid.
import { decimal } from '@rialto/sdk';
import { numberOf, type Sized } from './derive.ts';
import { opposite, type Draft, type Side } from './draft.ts';
import { bestOf, type Estimate, type Prices } from './estimate.ts';

export interface Guard {
  readonly kind:
    /** The limit lies so far on the wrong side of the market, or of its own trigger. */
    | 'through'
    /** The average price lies so far from the best one. */
    | 'slippage'
    /** So much of everything that the book shows on the other side. */
    | 'depth';
  /** With two decimals, cut off. */
  readonly percent: string;
  /** So far that the symbol has to be typed. */
  readonly mustType: boolean;
}

const THROUGH = '5';
const SLIPPAGE = '2';
const DEPTH = '25';
const TYPED = '20';

export function guardsOf(
  draft: Draft,
  sized: Sized,
  { taking }: Estimate,
  prices: Prices,
): readonly Guard[] {
  const guards: Guard[] = [];
  const add = (kind: Guard['kind'], percent: string | undefined, above: string) => {
    if (percent === undefined || decimal.compare(percent, above) <= 0) return;
    const mustType = kind !== 'depth' && decimal.compare(percent, TYPED) > 0;
    guards.push({ kind, percent: decimal.divide(percent, '1', 2), mustType });
  };
  add('through', throughOf(draft, sized, prices), THROUGH);
  const best = bestOf(prices, draft.side);
  const average = taking?.average ?? '';
  if (average !== '' && best !== undefined)
    add('slippage', distance(draft.side, average, best), SLIPPAGE);
  add('depth', depthOf(draft, sized, prices), DEPTH);
  return guards;
}

/** How many percent a price is worse than another one; below nought if it is better. */
function distance(side: Side, price: string, from: string): string {
  const by = side === 'buy' ? decimal.subtract(price, from) : decimal.subtract(from, price);
  return decimal.divide(decimal.multiply(by, '100'), from, 12);
}

/** The worst of its limits. A limit behind a trigger is measured by the trigger: that is the market then. */
function throughOf(draft: Draft, { shape }: Sized, prices: Prices): string | undefined {
  const found: string[] = [];
  const price = shape.isMarket ? undefined : numberOf(draft, 'price');
  const stop = shape.stopPrice === 'none' ? undefined : numberOf(draft, 'stopPrice');
  const from = shape.isConditional ? (stop ?? prices.last) : bestOf(prices, draft.side);
  if (price !== undefined && from !== undefined && from !== '')
    found.push(distance(draft.side, price, from));
  const limit = shape.stopLimit === 'none' ? undefined : numberOf(draft, 'stopLimit');
  const exit = draft.kind === 'bracket' ? opposite(draft.side) : draft.side;
  if (limit !== undefined && stop !== undefined) found.push(distance(exit, limit, stop));
  return found.length === 0 ? undefined : found.reduce((a, b) => decimal.max(a, b));
}

function depthOf(
  { side }: Draft,
  { sent, amount }: Sized,
  { asks, bids }: Prices,
): string | undefined {
  if (sent === undefined) return undefined;
  const levels = side === 'buy' ? asks : bids;
  const visible = decimal.sum(
    levels.map(({ price, volume }) =>
      sent.name === 'total' ? decimal.multiply(price, volume) : volume,
    ),
  );
  if (decimal.isZero(visible)) return undefined;
  const size = sent.name === 'total' ? sent.value : amount;
  return decimal.divide(decimal.multiply(size, '100'), visible, 12);
}
