// One side of a book: levels sorted by price, best first. Prices stay the texts that the venue printed, so that the
// checksum is taken over exactly these texts; they are compared as exact decimals.
import { compare } from '../decimal/decimal.ts';

export interface Level {
  readonly price: string;
  readonly volume: string;
}

export type Side = 'bids' | 'asks';

/** The venue sends the best levels of a side up to this many. */
export const LEVELS_MAX = 1000;

/** The place of a price on its side: where it is, or where it would stand. */
export function findLevel(
  levels: readonly Level[],
  side: Side,
  price: string,
): { readonly at: number; readonly isThere: boolean } {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = comparePrices((levels[middle] as Level).price, price);
    if (order === 0) return { at: middle, isThere: true };
    // Bids fall from the best one on, asks rise.
    if (side === 'asks' ? order < 0 : order > 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, isThere: false };
}

/** Sets one level; a volume of zero removes it. */
export function setLevel(levels: Level[], side: Side, level: Level): void {
  const { at, isThere } = findLevel(levels, side, level.price);
  if (isZero(level.volume)) {
    if (isThere) levels.splice(at, 1);
  } else {
    levels.splice(at, isThere ? 1 : 0, level);
  }
}

export function isSorted(levels: readonly Level[], side: Side): boolean {
  return levels.every((level, at) => {
    const before = levels[at - 1];
    if (before === undefined) return true;
    const order = comparePrices(before.price, level.price);
    return side === 'asks' ? order < 0 : order > 0;
  });
}

/** Prices of one market nearly always have the same form, and then their texts compare as they do. */
function comparePrices(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length === b.length && a.indexOf('.') === b.indexOf('.')) return a < b ? -1 : 1;
  return compare(a, b);
}

const isZero = (volume: string): boolean => /^[0.]+$/.test(volume);
