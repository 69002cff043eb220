import { describe, expect, test } from 'vitest';
import { Venue, describe as kindOf } from '../../sim/example.ts';
import { audit, findOrder, nextDue } from '../index.ts';
import type { Order, OrderTerms } from '../index.ts';

const LIFE_MS = 5_000;

/** A venue that fires one timer per command, with an unrelated order that uses up the turn. */
function venueBehind(market = {}): Venue {
  const venue = new Venue({ core: { sweepStep: 1 }, market });
  venue.buy(3, 500, 1, gtd(venue));
  return venue;
}

const gtd = (venue: Venue): Partial<OrderTerms> => ({
  timeInForce: 'GTD',
  expireTime: venue.time + LIFE_MS,
});

const now = (venue: Venue, { account, orderId }: Order): Order | undefined =>
  findOrder(venue.state, account, { orderId });

const marketBuy = { side: 'buy', type: 'market', volume: 2 } as const;

describe('many timers due at once', () => {
  test('fire a bounded number per command, in order, and the rest stays due', () => {
    const venue = new Venue({ core: { sweepStep: 3 } });
    const orders = Array.from({ length: 8 }, (_, i) => venue.buy(1, 900 - i, 1, gtd(venue)));
    venue.do({ type: 'cancel_all_after', account: 2, timeoutMs: 5_000 });
    venue.time += LIFE_MS;
    const fired = (): number[] =>
      venue.do({ type: 'tick' }).steps.flatMap((s) => s.orders.map((o) => o.orderId));
    expect(fired()).toEqual(orders.slice(0, 3).map((o) => o.orderId));
    expect(nextDue(venue.state)).toBe(venue.time);
    expect(fired()).toEqual(orders.slice(3, 6).map((o) => o.orderId));
    expect(fired()).toEqual(orders.slice(6).map((o) => o.orderId));
    expect(venue.steps.map((s) => s.cause)).toEqual(['gtd', 'gtd', 'dead_man']);
    expect(nextDue(venue.state)).toBe(Infinity);
  });

  test('under rules 1 everything fires before the command', () => {
    const venue = new Venue({ core: { sweepStep: 3, rules: 1 } });
    for (let i = 0; i < 8; i++) venue.buy(1, 900 - i, 1, gtd(venue));
    venue.time += LIFE_MS;
    expect(venue.do({ type: 'tick' }).steps).toHaveLength(8);
  });
});

describe('an expired order whose timer has not fired', () => {
  test('ends when an order would match it, and its hold returns', () => {
    const venue = venueBehind();
    const late = venue.sell(1, 1000, 5, gtd(venue));
    const good = venue.sell(2, 1001, 1);
    venue.time += LIFE_MS;
    const taker = venue.buy(3, 1001, 2);
    expect(taker).toMatchObject({ status: 'partially_filled', filledVolume: 1 });
    expect(now(venue, late)).toMatchObject({ status: 'expired', statusReason: 'gtd', held: 0n });
    expect(now(venue, good)?.status).toBe('filled');
    expect(venue.steps.map((s) => s.cause)).toEqual(['gtd', 'command']);
    expect(venue.steps[1]?.journals.map((j) => j.kind)).toContain('release');
    expect(audit(venue.state)).toEqual([]);
  });

  test('does not count for fill-or-kill, for the cost of a market buy, or for a test', () => {
    for (const visit of [
      (v: Venue) => v.place(3, { price: 1000, volume: 2, timeInForce: 'FOK' }),
      (v: Venue) =>
        v.do({ type: 'test', account: 3, order: { ...test2, timeInForce: 'FOK' } }).result,
    ]) {
      const venue = venueBehind();
      venue.sell(1, 1000, 1, gtd(venue));
      venue.sell(1, 1000, 1);
      venue.time += LIFE_MS;
      expect(kindOf(visit(venue))).toBe(4017);
    }
    const venue = venueBehind();
    venue.sell(1, 1000, 1, gtd(venue));
    venue.sell(1, 1010, 2);
    venue.time += LIFE_MS;
    expect(venue.placed(2, marketBuy)).toMatchObject({ status: 'filled', filledVolume: 2 });
    expect(venue.steps.at(-1)?.trades.map((t) => t.priceTicks)).toEqual([1010]);
  });

  test('does not block its own owner either', () => {
    const venue = venueBehind({ defaultStpMode: 'expire_taker' });
    venue.sell(2, 1000, 1, gtd(venue));
    venue.sell(1, 1000, 1);
    venue.time += LIFE_MS;
    expect(venue.buy(2, 1000, 1).status).toBe('filled');
    expect(venue.steps.at(-1)?.prevented).toEqual([]);
  });

  test('is not triggered', () => {
    const venue = venueBehind();
    venue.sell(1, 1000, 1);
    venue.buy(2, 1000, 1);
    const stop = { type: 'stop_limit', stopPrice: 1010, price: 1010, volume: 1 } as const;
    const late = venue.placed(2, { ...stop, ...gtd(venue) });
    venue.sell(1, 1010, 1);
    venue.time += LIFE_MS;
    venue.buy(3, 1010, 1);
    expect(now(venue, late)?.status).toBe('pending');
    venue.do({ type: 'tick' });
    expect(now(venue, late)).toMatchObject({ status: 'expired', triggeredAt: 0 });
  });

  test('cannot be amended', () => {
    const venue = venueBehind();
    const { orderId } = venue.sell(1, 1000, 1, gtd(venue));
    venue.buy(2, 900, 1);
    venue.time += LIFE_MS;
    const { result } = venue.do({
      type: 'amend',
      account: 1,
      orderId,
      price: 900,
      priceDecimals: 1,
    });
    expect(result).toMatchObject({
      rejection: { code: 4013, details: { status: 'expired' }, order: { statusReason: 'gtd' } },
    });
    expect(venue.steps.at(-1)?.trades).toEqual([]);
  });
});

const test2: OrderTerms = {
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  price: 100,
  volume: 2,
  volumeDecimals: 2,
};
