// Memory grows as it is needed, and the order that triggers the growth must not wait for it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Venue } from '../sim/example.ts';
import { applyTo, Tape } from './index.ts';
import type { Place } from './index.ts';
import { CELLS, CLIENT, CLIENT_HASH, ID, NONE, OrderPool } from './record.ts';
import { reserve, widen } from './room.ts';
import { ClientKey } from './client-key.ts';
import { ClientTable, IdTable } from './tables.ts';

const ORDERS = 300_000;
/** Orders between two looks at the clock: a look costs about as much as an order. */
const STRETCH = 16;

/** Orders until the code is warm. */
const WARM = 1_600;

/**
 * The second longest stretch of placing orders one after the other, in µs of this thread's own time: where the
 * clock of a thread goes in steps of milliseconds, and garbage is collected, the longest is chance.
 */
function measureStretch(capacity: number): number {
  const venue = new Venue({ market: { maxOpenOrders: ORDERS }, core: { capacity } });
  const tape = new Tape();
  const command: Place = {
    type: 'place',
    time: venue.time,
    account: 1,
    order: {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTD',
      expireTime: venue.time + 86_400_000,
      price: 900,
      priceDecimals: 1,
      volume: 1,
      volumeDecimals: 2,
    },
  };
  const stretches = new Float64Array(ORDERS / STRETCH);
  let before = process.threadCpuUsage();
  for (let i = 0; i < stretches.length; i++) {
    for (let j = 0; j < STRETCH; j++) {
      command.order.clientOrderId = `order-${i}-${j}`;
      tape.clear();
      applyTo(venue.state, command, tape);
    }
    const now = process.threadCpuUsage();
    stretches[i] = now.user + now.system - before.user - before.system;
    before = now;
  }
  expect(venue.state.ids.count).toBe(ORDERS);
  return stretches.subarray(WARM / STRETCH).toSorted((a, b) => b - a)[1]!;
}

test('a core that began small delays no order while it grows', { timeout: 300_000 }, () => {
  const large = measureStretch(ORDERS * 2);
  const small = measureStretch(64);
  // Copying two hundred thousand orders, or rehashing them, takes twenty times as long.
  expect(small / large).toBeLessThan(4);
});

describe('an array that is widened', () => {
  test('keeps its contents, has zeros beyond them, and stays in place once it is large', () => {
    let array: Float64Array = new Float64Array(4).fill(7);
    for (let length = 8; length <= 1 << 20; length *= 2) {
      const wider = widen(array, length);
      expect(wider.length).toBe(length);
      expect([wider[0], wider[array.length - 1], wider[array.length], wider[length - 1]]).toEqual([
        7, 7, 0, 0,
      ]);
      if (array.byteLength > 1 << 19) expect(wider.buffer).toBe(array.buffer);
      array = wider.fill(7);
    }
  });

  test('is copied where address space is limited', () => {
    const array = new Float64Array(reserve(1 << 20), 0, 1 << 17).fill(7);
    const alone = new Float64Array(array);
    const wider = widen(alone, 1 << 18);
    expect([wider[0], wider[(1 << 17) - 1], wider[1 << 17]]).toEqual([7, 7, 0]);
  });
});

describe('a table that grows while it is used', () => {
  /** Adds and removes in any order, from a table with hardly any room. */
  const steps = fc.array(fc.record({ id: fc.integer({ min: 1, max: 600 }), add: fc.boolean() }), {
    minLength: 300,
    maxLength: 1200,
    size: 'max',
  });

  test('finds every client id that is there, and no other', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const pool = new OrderPool(4);
        const table = new ClientTable(pool, 4);
        const key = new ClientKey();
        const model = new Map<number, number>();
        for (const { id, add } of list) {
          const known = model.get(id);
          expect(table.count).toBe(model.size);
          if (add && known === undefined) {
            const slot = pool.take();
            key.set(0, `id-${id}`);
            pool.u32.set(key.words, slot * CELLS * 2 + CLIENT);
            pool.i32[slot * CELLS * 2 + CLIENT_HASH] = key.hash;
            table.insert(slot);
            model.set(id, slot);
          } else if (!add && known !== undefined) {
            table.remove(known);
            pool.give(known);
            model.delete(id);
          }
        }
        for (let id = 1; id <= 600; id++) {
          key.set(0, `id-${id}`);
          expect(table.find(0, key)).toBe(model.get(id) ?? NONE);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('finds every order id that is there, and no other', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 64), (list, stride) => {
        const pool = new OrderPool(4);
        const table = new IdTable(pool, 4);
        const model = new Map<number, number>();
        for (const { id, add } of list) {
          const known = model.get(id);
          if (add && known === undefined) {
            const slot = pool.take();
            pool.f64[slot * CELLS + ID] = id * stride;
            table.insert(slot);
            model.set(id, slot);
          } else if (!add && known !== undefined) {
            table.remove(known);
            pool.give(known);
            model.delete(id);
          }
        }
        for (let id = 1; id <= 600; id++) {
          expect(table.find(id * stride)).toBe(model.get(id) ?? NONE);
        }
        expect(table.count).toBe(model.size);
      }),
      { numRuns: 40 },
    );
  });
});
