import { expect, test } from 'vitest';
import { Random } from '../../sim/random.ts';
import { findUncross } from './uncross.ts';
import type { AuctionLevel, UncrossPrice } from './uncross.ts';

const levels = (...pairs: Array<[priceTicks: number, lots: number]>): AuctionLevel[] =>
  pairs.map(([priceTicks, lots]) => ({ priceTicks, lots }));

/** Tries every tick from the lowest price to the highest. */
function tryEvery(
  bids: readonly AuctionLevel[],
  asks: readonly AuctionLevel[],
  reference: number,
): UncrossPrice | undefined {
  const prices = [...bids, ...asks].map((level) => level.priceTicks);
  let best: UncrossPrice | undefined;
  for (let price = Math.min(...prices); price <= Math.max(...prices); price++) {
    let demand = 0;
    let supply = 0;
    for (const { priceTicks, lots } of bids) if (priceTicks >= price) demand += lots;
    for (const { priceTicks, lots } of asks) if (priceTicks <= price) supply += lots;
    const lots = Math.min(demand, supply);
    if (lots === 0) continue;
    const found = { priceTicks: price, lots, imbalanceLots: demand - supply };
    if (best === undefined || isBetter(found, best, reference)) best = found;
  }
  return best;
}

function isBetter(a: UncrossPrice, b: UncrossPrice, reference: number): boolean {
  if (a.lots !== b.lots) return a.lots > b.lots;
  const [leftA, leftB] = [Math.abs(a.imbalanceLots), Math.abs(b.imbalanceLots)];
  if (leftA !== leftB) return leftA < leftB;
  const [farA, farB] = [Math.abs(a.priceTicks - reference), Math.abs(b.priceTicks - reference)];
  return farA !== farB ? farA < farB : a.priceTicks < b.priceTicks;
}

test('no price without two sides that meet', () => {
  expect(findUncross([], [], 10)).toBeUndefined();
  expect(findUncross(levels([10, 5]), [], 10)).toBeUndefined();
  expect(findUncross([], levels([10, 5]), 10)).toBeUndefined();
  expect(findUncross(levels([10, 5]), levels([11, 5]), 10)).toBeUndefined();
});

test('takes the price that trades the most', () => {
  const bids = levels([103, 10], [101, 20]);
  const asks = levels([99, 15], [102, 15]);
  // At 101 and below 30 are wanted and 15 offered; at 102 and 103 only 10 are wanted.
  expect(findUncross(bids, asks, 101)).toEqual({
    priceTicks: 101,
    lots: 15,
    imbalanceLots: 15,
  });
});

test('of several, leaves least over', () => {
  const bids = levels([105, 10], [102, 5]);
  const asks = levels([100, 10]);
  // From 100 to 102 five would be left over; from 103 to 105 nothing.
  expect(findUncross(bids, asks, 90)).toEqual({ priceTicks: 103, lots: 10, imbalanceLots: 0 });
});

test('of these, is nearest to the reference price, also between the prices of orders', () => {
  const [bids, asks] = [levels([110, 7]), levels([90, 7])];
  for (const [reference, priceTicks] of [
    [80, 90],
    [90, 90],
    [97, 97],
    [110, 110],
    [500, 110],
  ] as const) {
    expect(findUncross(bids, asks, reference)?.priceTicks).toBe(priceTicks);
  }
});

test('of two as near, would be the lower, but the best prices are one stretch without a gap', () => {
  // Up to 101 five are left over for the buyers, from 102 on five for the sellers.
  const bids = levels([104, 10], [101, 5]);
  const asks = levels([100, 10], [102, 5]);
  expect(findUncross(bids, asks, 101)?.priceTicks).toBe(101);
  expect(findUncross(bids, asks, 102)?.priceTicks).toBe(102);
});

test('prices and volumes may be as large as the venue allows', () => {
  const bids = levels([1e15, 9e15]);
  const asks = levels([1, 9e15 - 1]);
  expect(findUncross(bids, asks, 5e14)).toEqual({
    priceTicks: 5e14,
    lots: 9e15 - 1,
    imbalanceLots: 1,
  });
});

function drawSide(r: Random, isBid: boolean): AuctionLevel[] {
  const prices = new Set(Array.from({ length: r.below(8) }, () => r.between(90, 110)));
  return [...prices]
    .sort((a, b) => (isBid ? b - a : a - b))
    .map((priceTicks) => ({ priceTicks, lots: r.between(1, 6) }));
}

test('agrees with a search over all prices in 10,000 random books', () => {
  const r = new Random(15n);
  let traded = 0;
  for (let i = 0; i < 10_000; i++) {
    const [bids, asks] = [drawSide(r, true), drawSide(r, false)];
    const reference = r.between(85, 115);
    const found = findUncross(bids, asks, reference);
    expect(found, JSON.stringify({ bids, asks, reference })).toEqual(
      tryEvery(bids, asks, reference),
    );
    if (found !== undefined) traded += 1;
  }
  expect(traded).toBeGreaterThan(5_000);
});
