// The depth of a book as two curves on the screen: how much there is up to each price. Pure.
import { unitsOf, type BookSide, type Level, type Scale } from '../book/group.ts';

export interface DepthPoint {
  readonly price: string;
  /** From the best price to here, in units of the last decimal of a volume. */
  readonly total: bigint;
  readonly x: number;
  readonly y: number;
}

export interface DepthCurves {
  readonly bids: readonly DepthPoint[];
  readonly asks: readonly DepthPoint[];
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Prices further from the middle than this share of it, in thousandths, tell little. */
const REACH = 50n;

/** How much of the height the higher side takes. */
const FILL = 0.92;

/** Places on the screen are numbers; what they were computed from are whole numbers. */
export function depthCurves(
  book: { readonly bids: readonly Level[]; readonly asks: readonly Level[] },
  scale: Scale,
  { width, height }: Size,
): DepthCurves | undefined {
  const [bid, ask] = [book.bids[0], book.asks[0]];
  if (bid === undefined || ask === undefined) return undefined;
  const best = { bids: unitsOf(bid.price, scale.price), asks: unitsOf(ask.price, scale.price) };
  // Twice the middle, so that it stays whole.
  const middle = best.bids + best.asks;
  const summed = (side: BookSide) => {
    let total = 0n;
    return book[side].flatMap(({ price, volume }) => {
      const ticks = unitsOf(price, scale.price);
      const away = abs(2n * ticks - middle);
      if (away * 1000n > middle * REACH) return [];
      total += unitsOf(volume, scale.volume);
      return [{ price, total, away, ticks }];
    });
  };
  const sides = { bids: summed('bids'), asks: summed('asks') };
  const all = [...sides.bids, ...sides.asks];
  const reach = all.reduce((most, { away }) => (away > most ? away : most), 1n);
  const most = all.reduce((largest, { total }) => (total > largest ? total : largest), 1n);
  const place = ({ price, total, ticks }: (typeof all)[number]): DepthPoint => ({
    price,
    total,
    x: (width / 2) * (1 + ratio(2n * ticks - middle, reach)),
    y: height - height * FILL * ratio(total, most),
  });
  return { bids: sides.bids.map(place), asks: sides.asks.map(place) };
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const ratio = (part: bigint, whole: bigint): number => Number((part * 100_000n) / whole) / 100_000;

/** Steps from the best price outwards, closed at the bottom if it is to be filled. */
export function pathOf(points: readonly DepthPoint[], { height }: Size, isFilled: boolean): string {
  const [first] = points;
  if (first === undefined) return '';
  const steps = points.map(({ x, y }) => `H${x.toFixed(1)}V${y.toFixed(1)}`).join('');
  return `M${first.x.toFixed(1)} ${height}${steps}${isFilled ? `V${height}Z` : ''}`;
}

/** The last point that is reached when one walks from the middle to `x`. */
export function pointAt(curves: DepthCurves, x: number, width: number): DepthPoint | undefined {
  return x < width / 2
    ? curves.bids.findLast((point) => point.x >= x)
    : curves.asks.findLast((point) => point.x <= x);
}

export interface DepthLabel {
  readonly price: string;
  readonly x: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** The prices at both ends and at the best ask. */
export function labelsOf({ bids, asks }: DepthCurves, { width }: Size): readonly DepthLabel[] {
  const [low, best, high] = [bids.at(-1), asks[0], asks.at(-1)];
  if (low === undefined || best === undefined || high === undefined) return [];
  return [
    { price: low.price, x: Math.max(8, low.x), anchor: 'start' },
    { price: best.price, x: best.x, anchor: 'middle' },
    { price: high.price, x: Math.min(width - 8, high.x), anchor: 'end' },
  ];
}
