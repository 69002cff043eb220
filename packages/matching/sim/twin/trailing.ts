// Trailing stops in the slow twin: every order keeps its own extreme, and every trade looks at all of them.

import { LIMITS } from '../../src/command.ts';
import type { OrderTerms } from '../../src/command.ts';
import type { Result } from '../../src/outcome.ts';
import { rejected } from './model.ts';
import type { TwinMarket, TwinOrder } from './model.ts';

type Rejected = Extract<Result, { kind: 'rejected' }>;

export function checkTrailing({ type, trailingDelta }: OrderTerms): Rejected | undefined {
  const parameter = 'trailingDelta';
  if (type !== 'trailing_stop') {
    return trailingDelta === undefined ? undefined : rejected('PARAMETER_CONFLICT', { parameter });
  }
  if (trailingDelta === undefined) return rejected('PARAMETER_MISSING', { parameter });
  const isPermitted =
    Number.isInteger(trailingDelta) &&
    trailingDelta >= LIMITS.trailingDeltaMin &&
    trailingDelta <= LIMITS.trailingDeltaMax;
  return isPermitted ? undefined : rejected('PARAMETER_RANGE', { parameter });
}

/** A trade: those that waited for this price begin to follow, the others follow. */
export function followTrade(market: TwinMarket, price: number): void {
  for (const o of market.live) {
    if (o.type !== 'trailing_stop' || o.status !== 'pending') continue;
    const sells = o.side === 'sell';
    if (o.isFollowing) {
      o.extreme = sells ? Math.max(o.extreme, price) : Math.min(o.extreme, price);
      continue;
    }
    const isReached = o.stopPrice === 0 || (sells ? price >= o.stopPrice : price <= o.stopPrice);
    if (!isReached) continue;
    o.isFollowing = true;
    o.extreme = price;
  }
}

/** Has the price come back from the extreme by the order's delta? */
export function hasTurned(o: TwinOrder, price: number): boolean {
  if (!o.isFollowing) return false;
  const now = BigInt(price) * 10_000n;
  const extreme = BigInt(o.extreme);
  const delta = BigInt(o.trailingDelta);
  return o.side === 'sell'
    ? now <= extreme * (10_000n - delta)
    : now >= extreme * (10_000n + delta);
}
