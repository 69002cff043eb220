// Compares the extremes of trailing stops. No outcome shows them before an order fires, and that may be long after
// they went wrong.

import { CELLS, ID } from '../src/record.ts';
import type { State } from '../src/state.ts';
import type { TwinState } from './twin/model.ts';

/** The first trailing stop that has another extreme in the core than in the twin, in words. */
export function compareTrails(state: State, twin: TwinState): string | undefined {
  for (const market of twin.markets) {
    const { symbol } = market.config;
    const trails = state.markets[state.marketIndex.get(symbol) ?? -1]?.trails;
    if (trails === undefined) return `market ${symbol} is missing`;
    const extremes = new Map<number, number>();
    for (const [slot, extreme] of trails.extremes()) {
      extremes.set(state.pool.f64[slot * CELLS + ID]!, extreme);
    }
    for (const o of market.live) {
      if (o.type !== 'trailing_stop' || o.status !== 'pending') continue;
      const mine = extremes.get(o.orderId) ?? 0;
      if (mine !== o.extreme) return `order ${o.orderId}: extreme ${mine}, twin ${o.extreme}`;
      extremes.delete(o.orderId);
    }
    for (const [orderId] of extremes) return `order ${orderId} follows the price, and should not`;
  }
  return undefined;
}
