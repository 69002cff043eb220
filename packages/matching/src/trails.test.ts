import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trailAbove, trailBelow } from './amount.ts';
import { LIMITS } from './command.ts';
import { BUY, SELL } from './names.ts';
import { CELLS, ID, LEVEL, LINK, NEXT, NONE, OrderPool, SHOWN, SIDE, STOP } from './record.ts';
import { Trails } from './trails.ts';

let lastId = 0;

function order(pool: OrderPool, side: number, delta: number, stop = 0): number {
  const slot = pool.take();
  pool.f64[slot * CELLS + ID] = lastId += 1;
  pool.f64[slot * CELLS + STOP] = stop;
  pool.f64[slot * CELLS + SHOWN] = 0;
  pool.u32[slot * CELLS * 2 + SIDE] = side;
  pool.u32[slot * CELLS * 2 + LINK] = delta;
  pool.i32[slot * CELLS * 2 + LEVEL] = NONE;
  pool.i32[slot * CELLS * 2 + NEXT] = NONE;
  return slot;
}

const price = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 9_900, max: 10_100 }),
  // Where a product of two numbers would no longer be exact.
  fc.integer({ min: LIMITS.ticksMax - 1_000_000, max: LIMITS.ticksMax }),
);
const delta = fc.integer({ min: LIMITS.trailingDeltaMin, max: LIMITS.trailingDeltaMax });

describe('the price at which a trailing stop fires', () => {
  test('is exact, and rounds away from the extreme', () => {
    fc.assert(
      fc.property(price, delta, (extreme, d) => {
        const low = BigInt(trailBelow(extreme, d));
        const high = BigInt(trailAbove(extreme, d));
        // The greatest price with price·10000 <= extreme·(10000 - d), and the least of the other side.
        const below = BigInt(extreme) * BigInt(10_000 - d);
        const above = BigInt(extreme) * BigInt(10_000 + d);
        expect(low * 10_000n <= below && (low + 1n) * 10_000n > below).toBe(true);
        expect(high * 10_000n >= above && (high - 1n) * 10_000n < above).toBe(true);
        expect(low < BigInt(extreme) && high > BigInt(extreme)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});

interface Model {
  slot: number;
  side: number;
  delta: number;
  stop: number;
  extreme: number;
  isActive: boolean;
}

/** A trade: a price, and what happens before it. */
const event = fc.record({
  price: fc.oneof(
    fc.integer({ min: 900, max: 1_100 }),
    fc.integer({ min: 10 ** 15 - 10 ** 12, max: 10 ** 15 }),
  ),
  added: fc.array(
    fc.record({
      side: fc.constantFrom(BUY, SELL),
      delta: fc.constantFrom(10, 11, 100, 500, 2_000),
      away: fc.constantFrom(0, 1, 40),
    }),
    { maxLength: 3 },
  ),
  removed: fc.nat(),
});

describe('the groups of trailing stops', () => {
  test('hold the extreme of every order, which never loosens, and fire as a computation in bigint says', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 120 }), (events) => {
        const pool = new OrderPool(4);
        const trails = new Trails(pool);
        let model: Model[] = [];
        let last = events[0]!.price;
        let previous = new Map<number, number>();
        for (const { price: now, added, removed } of events) {
          for (const { side, delta: d, away } of added) {
            const stop = away === 0 ? 0 : side === SELL ? last + away : last - away;
            const slot = order(pool, side, d, stop);
            trails.enter(slot);
            model.push({ slot, side, delta: d, stop, extreme: 0, isActive: false });
          }
          const gone = removed % 5 === 0 ? model[removed % Math.max(1, model.length)] : undefined;
          if (gone !== undefined) {
            trails.leave(gone.slot);
            model = model.filter((o) => o !== gone);
          }
          last = now;
          trails.follow(now);
          for (const o of model) follow(o, now);
          const held = new Map(trails.extremes());
          for (const o of model) {
            expect(held.get(o.slot)).toBe(o.isActive ? o.extreme : undefined);
            expect(trails.isActive(o.slot)).toBe(o.isActive);
            const before = previous.get(o.slot) ?? 0;
            const better = (held.get(o.slot) ?? 0) - before;
            if (before > 0) expect(o.side === SELL ? better : -better).toBeGreaterThanOrEqual(0);
          }
          previous = held;
          const hit = new Map<number, number>();
          trails.takeHits(now, (slot) => hit.set(slot, pool.f64[slot * CELLS + SHOWN]!));
          const expected = model.filter((o) => isHit(o, now));
          expect(new Map(hit)).toEqual(new Map(expected.map((o) => [o.slot, o.extreme])));
          // Some of them run, and the others go back as after a halt.
          const back = [...hit.keys()].filter((slot) => slot % 2 === 0);
          for (const slot of hit.keys()) if (!back.includes(slot)) trails.leave(slot);
          model = model.filter((o) => !hit.has(o.slot) || back.includes(o.slot));
          trails.putBack(back);
          expect(trails.count).toBe(model.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('cost work in proportion to the orders, however often the price rises', () => {
    const pool = new OrderPool(16_384);
    const trails = new Trails(pool);
    const side = trails.sideOf(SELL);
    const orders = 10_000;
    // Falling prices between the placements: as many groups as orders, in ten deltas.
    for (let i = 0; i < orders; i++) {
      trails.enter(order(pool, SELL, 1_991 + (i % 10)));
      trails.follow(1_000_000 - i);
      // Every delta has a fresh group at most, so a price moves at most one group in each of the ten.
      expect(side.work).toBeLessThanOrEqual(i + 1);
    }
    expect([...side.groups()].length).toBe(orders);
    const before = side.work;
    for (let i = 1; i <= 2_000; i++) trails.follow(1_000_000 + i);
    expect([...side.groups()].length).toBe(10);
    // The first rise merges all groups; after that a price moves the one group of each delta.
    expect(side.work - before).toBeLessThanOrEqual(orders + 2_000 * 10);
    let fired = 0;
    trails.takeHits(Math.floor(1_002_000 * 0.8), () => (fired += 1));
    expect(fired).toBe(orders);
  });
});

function follow(o: Model, now: number): void {
  const sells = o.side === SELL;
  if (!o.isActive) {
    if (o.stop !== 0 && (sells ? now < o.stop : now > o.stop)) return;
    o.isActive = true;
    o.extreme = now;
    return;
  }
  o.extreme = sells ? Math.max(o.extreme, now) : Math.min(o.extreme, now);
}

function isHit(o: Model, now: number): boolean {
  if (!o.isActive) return false;
  const [p, e, d] = [BigInt(now), BigInt(o.extreme), BigInt(o.delta)];
  return o.side === SELL ? p * 10_000n <= e * (10_000n - d) : p * 10_000n >= e * (10_000n + d);
}
