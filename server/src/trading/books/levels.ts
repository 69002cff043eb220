// The levels of one side, best first: finding and setting one.
import type { Level } from './print.ts';

export type Side = 'bids' | 'asks';

export const isBetter = (side: Side, a: number, b: number): boolean =>
  side === 'bids' ? a > b : a < b;

/** Where the price is, or would be. */
export function placeOf(levels: readonly Level[], side: Side, priceTicks: number): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = levels[middle] as Level;
    if (isBetter(side, there.priceTicks, priceTicks)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Replaces the level at its price; no lots remove it. */
export function setLevel(levels: Level[], side: Side, level: Level): void {
  const place = placeOf(levels, side, level.priceTicks);
  const isKnown = levels[place]?.priceTicks === level.priceTicks;
  if (level.lots === 0) levels.splice(place, isKnown ? 1 : 0);
  else levels.splice(place, isKnown ? 1 : 0, level);
}
