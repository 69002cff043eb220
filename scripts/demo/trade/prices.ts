// The value of coins over time. Every coin moves independently, and a market's price is the ratio
// of its two coins, so the demo's markets agree with each other as real ones do.
import { DAY_MS } from '../../../server/src/platform/std/time.ts';
import { LEVELS, levelOf } from '../data/markets.ts';
import type { Chance } from './chance.ts';

/** Standard deviation of a day's move, as a part of the price. */
const DAILY_MOVE: Readonly<Record<string, number>> = {
  btc: 0.022,
  eth: 0.03,
  xrp: 0.04,
  ton: 0.042,
  trx: 0.02,
  sol: 0.045,
  doge: 0.05,
  ltc: 0.03,
  usdt: 0,
  irt: 0.008,
};
/** A coin is pulled back towards its level, so that a demo that runs for days stays believable. */
const RETURN_DAYS = 12;

export interface Prices {
  /** Advances time to `ms`. */
  advance(ms: number): void;
  of(base: string, quote: string): number;
}

export function createPrices(
  chance: Chance,
  startMs: number,
  start: Readonly<Record<string, number>> = LEVELS,
): Prices {
  const worth: Record<string, number> = { ...start };
  let nowMs = startMs;
  return {
    advance(ms) {
      const days = (ms - nowMs) / DAY_MS;
      if (days <= 0) return;
      nowMs = ms;
      for (const [coin, spread] of Object.entries(DAILY_MOVE)) {
        const level = LEVELS[coin] ?? 1;
        const value = worth[coin] ?? level;
        const back = ((level - value) / level) * Math.min(1, days / RETURN_DAYS);
        worth[coin] = value * (1 + back + spread * Math.sqrt(days) * chance.bell());
      }
    },
    of: (base, quote) => levelOf(base, quote, worth),
  };
}
