import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FinishedOrders } from './finished.ts';
import * as rec from './record.ts';
import { CELLS, OrderPool, PUBLIC_CELLS } from './record.ts';
import { LIMBS } from './wide.ts';

/** Small numbers, those around the limit of a word, and the largest. */
const whole = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 2 ** 32 - 2, max: 2 ** 32 + 2 }),
  fc.integer({ min: 0, max: 9e15 }),
);
const limb = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 ** 48 - 1 }));
const client = fc.string({
  unit: fc.constantFrom('a', 'Z', '9', '.', '-'),
  minLength: 1,
  maxLength: 36,
});

const order = fc.record({
  id: fc.integer({ min: 1, max: 9e15 }),
  doubles: fc.array(whole, { minLength: 18, maxLength: 18 }),
  amounts: fc.array(limb, { minLength: 12, maxLength: 12 }),
  link: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 0xffff })),
  account: fc.nat(1_000_000),
  market: fc.nat(10_000),
  kinds: fc.tuple(fc.nat(1), fc.nat(7), fc.nat(4), fc.nat(3), fc.integer({ min: 3, max: 6 })),
  reason: fc.nat(16),
  flags: fc.nat(31),
  decimals: fc.tuple(fc.nat(18), fc.nat(18)),
  hash: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  client,
});
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never;

/** Writes the order into a slot as the core would have left it. */
function fill(pool: OrderPool, o: Order): number {
  const slot = pool.take();
  const { f64, u32, i32 } = pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  f64.fill(0, cell, cell + CELLS);
  for (const [i, value] of o.doubles.entries()) f64[cell + i] = value;
  f64[cell + rec.ID] = o.id;
  // Nothing changes before it was made.
  f64[cell + rec.UPDATED] = Math.max(f64[cell + rec.UPDATED]!, f64[cell + rec.CREATED]!);
  for (const [i, at] of [rec.TOTAL, rec.FILLED_TOTAL, rec.FEE, rec.REBATE].entries()) {
    for (let l = 0; l < LIMBS; l++) f64[cell + at + l] = o.amounts[i * LIMBS + l]!;
  }
  const [side, type, tif, stp, status] = o.kinds;
  const words: [number, number][] = [
    [rec.ACCOUNT, o.account],
    [rec.MARKET, o.market],
    [rec.SIDE, side],
    [rec.TYPE, type],
    [rec.TIF, tif],
    [rec.STP, stp],
    [rec.STATUS, status],
    [rec.REASON, o.reason],
    [rec.FLAGS, o.flags],
    [rec.LINK, o.link],
    [rec.DECIMALS, o.decimals[0] | (o.decimals[1] << 8)],
  ];
  for (const [at, value] of words) u32[word + at] = value;
  if ((o.flags & rec.FLAG_HAS_CLIENT) !== 0) {
    for (let i = 0; i < o.client.length; i++) {
      u32[word + rec.CLIENT + (i >> 2)]! |= o.client.charCodeAt(i) << ((i & 3) * 8);
    }
    i32[word + rec.CLIENT_HASH] = o.hash;
  }
  return slot;
}

const publicCells = ({ f64 }: OrderPool, slot: number): number[] => [
  ...f64.subarray(slot * CELLS, slot * CELLS + PUBLIC_CELLS),
];

test('an order comes back as it was, whatever it was', () => {
  fc.assert(
    fc.property(order, (o) => {
      const pool = new OrderPool(64);
      const finished = new FinishedOrders(pool);
      const slot = fill(pool, o);
      const before = publicCells(pool, slot);
      const place = finished.push(slot);
      pool.f64.fill(7, slot * CELLS, (slot + 1) * CELLS);
      expect(publicCells(pool, finished.recall(place))).toEqual(before);
      expect(finished.idOf(place)).toBe(o.id);
      expect(finished.seqOf(place)).toBe(o.doubles[rec.SEQ]);
      expect(finished.accountOf(place)).toBe(o.account);
      expect(finished.hasClient(place)).toBe((o.flags & rec.FLAG_HAS_CLIENT) !== 0);
      // Twice the same record, as long as it lies there.
      expect(finished.recall(place)).toBe(finished.recall(place));
      // And the same from its words.
      const copy = new FinishedOrders(pool);
      const [words] = finished.pieces();
      const again = copy.load(words!, 0);
      expect(publicCells(pool, copy.recall(again))).toEqual(before);
      expect(copy.wordCount).toBe(finished.wordCount);
    }),
    { numRuns: 1000 },
  );
});

test('orders are forgotten oldest first, through any number of chunks, and their room is used again', () => {
  const pool = new OrderPool(64);
  const finished = new FinishedOrders(pool);
  const slot = pool.take();
  const word = slot * CELLS * 2;
  pool.u32[word + rec.FLAGS] = rec.FLAG_HAS_CLIENT;
  const ids: number[] = [];
  let next = 0;
  let most = 0;
  // Entries of different lengths, so that chunks end in every way; now and then there is none left.
  for (let round = 0; round < 40; round++) {
    const target = [0, 3000, 500, 2999][round % 4]!;
    while (ids.length < target) {
      next += 1;
      pool.f64[slot * CELLS + rec.ID] = next;
      for (let i = 0; i < rec.CLIENT_WORDS; i++) {
        pool.u32[word + rec.CLIENT + i] = i < next % 10 ? 0x41414141 : 0;
      }
      finished.push(slot);
      ids.push(next);
    }
    while (ids.length > target) {
      expect(finished.idOf(finished.oldest)).toBe(ids.shift());
      finished.drop();
    }
    expect(finished.count).toBe(ids.length);
    expect(Array.from(finished.places(), (place) => finished.idOf(place))).toEqual(ids);
    const words = [...finished.pieces()].reduce((sum, piece) => sum + piece.length, 0);
    expect(finished.wordCount).toBe(words);
    most = Math.max(most, words);
  }
  expect(finished.bytes).toBeLessThan(most * 4 * 1.1 + 4 * 4096 * 4);
});

test('words that are no orders are refused', () => {
  const finished = new FinishedOrders(new OrderPool(64));
  expect(() => finished.load(new Uint32Array(0), 0)).toThrow('end too early');
  expect(() => finished.load(new Uint32Array([5, 0, 0, 0, 0]), 0)).toThrow('longer or shorter');
  expect(() => finished.load(new Uint32Array(11).fill(12), 0)).toThrow('end too early');
  expect(() => finished.load(new Uint32Array(300).fill(255), 0)).toThrow('longer or shorter');
});
