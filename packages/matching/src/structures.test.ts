import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BookSide } from './book.ts';
import { DueHeap } from './heap.ts';
import { BUY, SELL } from './names.ts';
import { CELLS, ID, NEXT, NONE, OrderPool, PRICE, REMAINING, SHOWN, STOP } from './record.ts';
import { sha256, toHex } from './sha256.ts';
import { ClientKey, clientText } from './client-key.ts';
import { ClientTable, IdTable } from './tables.ts';
import { TriggerList } from './triggers.ts';

function order(pool: OrderPool, id: number, price: number, lots: number): number {
  const slot = pool.take();
  pool.f64[slot * CELLS + ID] = id;
  pool.f64[slot * CELLS + PRICE] = price;
  pool.f64[slot * CELLS + STOP] = price;
  pool.f64[slot * CELLS + REMAINING] = lots;
  pool.f64[slot * CELLS + SHOWN] = lots;
  return slot;
}

describe('a side of the book', () => {
  for (const side of [BUY, SELL]) {
    test(`keeps prices best first and queues in order of arrival (side ${side})`, () => {
      const prices = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 200 });
      fc.assert(
        fc.property(prices, fc.array(fc.nat()), (list, leaving) => {
          const pool = new OrderPool(4);
          const book = new BookSide(side, pool);
          let model: Array<{ slot: number; price: number; id: number }> = [];
          for (const [id, price] of list.entries()) {
            const slot = order(pool, id, price, id + 1);
            book.join(slot);
            model.push({ slot, price, id });
          }
          for (const n of leaving) {
            const gone = model[n % Math.max(1, model.length)];
            if (gone === undefined) break;
            book.leave(gone.slot);
            model = model.filter((o) => o !== gone);
          }
          const seen: number[] = [];
          for (let i = book.count - 1; i >= 0; i--) {
            let lots = 0;
            let slot = book.headOf(book.levelAt(i));
            for (; slot !== NONE; slot = pool.i32[slot * CELLS * 2 + NEXT]!) {
              seen.push(pool.f64[slot * CELLS + ID]!);
              lots += pool.f64[slot * CELLS + SHOWN]!;
            }
            expect(book.lotsOf(book.levelAt(i))).toBe(lots);
          }
          const sign = side === BUY ? -1 : 1;
          const expected = [...model].sort((a, b) => sign * (a.price - b.price) || a.id - b.id);
          expect(seen).toEqual(expected.map((o) => o.id));
        }),
      );
    });
  }
});

test('the heap gives members by due time, then sequence, after any removals', () => {
  const entry = fc.record({ due: fc.integer({ min: 1, max: 20 }), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 200 }), (entries) => {
      const heap = new DueHeap();
      for (const [i, { due }] of entries.entries()) heap.set(i, due, i);
      for (const [i, { remove }] of entries.entries()) if (remove) heap.remove(i);
      const order: number[] = [];
      while (heap.size > 0) {
        order.push(heap.top);
        heap.remove(heap.top);
      }
      const expected = entries
        .map(({ due, remove }, i) => ({ due, remove, i }))
        .filter((e) => !e.remove)
        .sort((a, b) => a.due - b.due || a.i - b.i)
        .map((e) => e.i);
      expect(order).toEqual(expected);
    }),
  );
});

test('triggers fire every order that the price satisfies and no other', () => {
  const stops = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 60 });
  fc.assert(
    fc.property(stops, fc.boolean(), fc.integer({ min: 1, max: 50 }), (list, rising, price) => {
      const pool = new OrderPool(64);
      const triggers = new TriggerList(rising, pool);
      for (const [id, stop] of list.entries()) triggers.add(order(pool, id, stop, 1));
      const fired: number[] = [];
      for (let slot = triggers.takeHit(price); slot >= 0; slot = triggers.takeHit(price)) {
        fired.push(pool.f64[slot * CELLS + PRICE]!);
      }
      const expected = list.filter((stop) => (rising ? price >= stop : price <= stop));
      expect(fired.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    }),
  );
});

test('orders are found by id through any churn', () => {
  const step = fc.record({ id: fc.integer({ min: 1, max: 300 }), add: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const pool = new OrderPool(4);
      const table = new IdTable(pool, 4);
      const model = new Map<number, number>();
      for (const { id, add } of steps) {
        const known = model.get(id);
        if (add && known === undefined) {
          const slot = order(pool, id * 64, 1, 1);
          table.insert(slot);
          model.set(id, slot);
        } else if (!add && known !== undefined) {
          table.remove(known);
          pool.give(known);
          model.delete(id);
        }
      }
      for (let id = 1; id <= 300; id++) expect(table.find(id * 64)).toBe(model.get(id) ?? NONE);
      expect(table.count).toBe(model.size);
    }),
  );
});

test('a client id is packed without loss, and foreign characters are refused', () => {
  const key = new ClientKey();
  const text = fc.string({
    unit: fc.constantFrom(...'ABYZabyz0189._:/-'.split('')),
    minLength: 1,
    maxLength: 36,
  });
  fc.assert(
    fc.property(text, (id) => {
      expect(key.set(3, id)).toBe(true);
      expect(clientText(key.words, 0)).toBe(id);
    }),
  );
  for (const bad of ['a b', 'é', 'a'.repeat(37), '漢', 'a\u0000'])
    expect(key.set(3, bad)).toBe(false);
  expect(new ClientTable(new OrderPool(4), 4).find(3, key)).toBe(NONE);
});

test('SHA-256 gives the published digests', () => {
  const bytes = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
  expect(toHex(sha256(bytes('abc')))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(toHex(sha256(bytes('')))).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
  const event =
    '0'.repeat(64) +
    '{"seq":"1","time":"1760000000000","type":"market_phase","symbol":"btcusdt","phase":"continuous"}';
  expect(toHex(sha256(bytes(event)))).toBe(
    'ea2e4db7e5b3676238a3673b8b253e3859048dfbb87cb62193087361bae0cbec',
  );
});
