// Orders that the demo's market makers and takers place. Random values become whole ticks and lots
// here.
import type { DemoMarket } from '../data/markets.ts';
import type { Chance } from './chance.ts';

export interface Draw {
  readonly priceTicks: number;
  readonly lots: number;
}

/** Half the distance between the best prices, as a part of the price. */
const HALF_SPREAD = 0.0003;
/** How far the next level lies, on average, as a part of the price. */
const LEVEL_STEP = 0.0006;

export const ticksOf = (market: DemoMarket, price: number): number =>
  Math.max(1, Math.round(price * 10 ** market.quotePrecision));

/** Volume worth about `factor` usual orders: most are small, a few are large. */
export function drawLots(
  chance: Chance,
  market: DemoMarket,
  priceTicks: number,
  factor: number,
): number {
  const smallest = Number(market.minimumQuoteSize) * 1.5;
  const value = Math.max(smallest, market.usualSize * factor * 2 ** (1.2 * chance.bell()));
  const price = priceTicks / 10 ** market.quotePrecision;
  return Math.max(1, Math.ceil((value / price) * 10 ** market.basePrecision));
}

/** A resting order `level` levels away from the middle; deeper levels are larger. */
export function drawQuote(
  chance: Chance,
  market: DemoMarket,
  middle: number,
  side: 'buy' | 'sell',
  level: number,
): Draw {
  const away = HALF_SPREAD + LEVEL_STEP * (level + chance.fraction());
  const sign = side === 'buy' ? -1 : 1;
  const exact = middle * (1 + sign * away) * 10 ** market.quotePrecision;
  // Rounds away from the middle, so that the two sides never meet.
  const priceTicks = Math.max(1, side === 'buy' ? Math.floor(exact) : Math.ceil(exact));
  return { priceTicks, lots: drawLots(chance, market, priceTicks, 1.5 + level * 0.4) };
}
