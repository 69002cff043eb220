// Draws many trailing stops of one market, and the trades that move and fire them.

import type { Place, SetPhase, Side } from '../../src/command.ts';
import type { Random } from '../random.ts';
import type { TermsDrawer } from '../terms.ts';
import type { MarketPlan } from '../world.ts';
import { trailInstead } from './trailing.ts';

type Untimed<C> = Omit<C, 'time' | 'checkpoint'>;

/**
 * Several trailing stops of one market with one or two deltas, while the price goes up and down under them: this is
 * what makes groups, merges them and fires them.
 */
export function drawTrails(
  r: Random,
  terms: TermsDrawer,
  plan: MarketPlan,
  account: () => number,
): Array<Untimed<Place> | Untimed<SetPhase>> {
  const { symbol, quotePrecision, basePrecision, listingPriceTicks } = plan.config;
  let price = terms.observed.market(symbol).last || listingPriceTicks;
  const deltas = [r.pick([10, 20, 50, 100]), r.logBetween(10, 500)];
  const usual = { symbol, priceDecimals: quotePrecision, volumeDecimals: basePrecision };
  const limit = (side: Side): Untimed<Place> => ({
    type: 'place',
    account: account(),
    order: { ...usual, side, type: 'limit', price, volume: terms.lots(plan) },
  });
  const commands: Array<Untimed<Place> | Untimed<SetPhase>> = [];
  for (let left = r.between(6, 30); left > 0; left--) {
    if (r.chance(0.4)) {
      const owner = account();
      const order = terms.terms('conditional', owner);
      order.side = order.total === undefined ? order.side : 'buy';
      Object.assign(order, usual);
      trailInstead(r, order, price, r.between(1, 3));
      order.trailingDelta = r.pick(deltas);
      if (order.price !== undefined) order.price = price;
      if (order.volume !== undefined) order.volume = terms.lots(plan);
      commands.push({ type: 'place', account: owner, order });
      // The last price is looked at again when trading resumes, and is no trade for the new order.
      if (r.chance(0.1)) {
        commands.push({ type: 'set_phase', symbol, phase: 'halted' });
        commands.push({ type: 'set_phase', symbol, phase: 'continuous' });
      }
      continue;
    }
    const step = Math.max(1, Math.floor((price * r.pick([5, 12, 30])) / 10_000));
    price = Math.max(1, r.chance(0.5) ? price + step : price - step);
    const sides: Side[] = r.chance(0.5) ? ['buy', 'sell'] : ['sell', 'buy'];
    commands.push(...sides.map(limit));
  }
  return commands;
}
