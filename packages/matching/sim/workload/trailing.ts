// Draws the terms of a trailing stop.

import { LIMITS } from '../../src/command.ts';
import type { OrderTerms } from '../../src/command.ts';
import type { Random } from '../random.ts';

/**
 * Makes a trailing stop of the terms of another conditional order. Few deltas and often the smallest, so that many
 * orders share one and prices come back by it.
 */
export function trailInstead(r: Random, terms: OrderTerms, last: number, away: number): void {
  terms.type = 'trailing_stop';
  terms.trailingDelta = r.chance(0.1)
    ? r.pick([LIMITS.trailingDeltaMin, LIMITS.trailingDeltaMax])
    : r.chance(0.7)
      ? r.pick([10, 12, 25, 100])
      : r.logBetween(LIMITS.trailingDeltaMin, LIMITS.trailingDeltaMax);
  if (r.chance(0.5)) delete terms.stopPrice;
  else {
    // Near the last price, so that it is reached often.
    const near = r.chance(0.5) ? Math.min(away, r.between(1, 3)) : away;
    terms.stopPrice = Math.max(1, terms.side === 'sell' ? last + near : last - near);
  }
}
