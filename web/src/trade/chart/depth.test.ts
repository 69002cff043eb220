import { expect, it } from 'vitest';
import { depthCurves, pathOf, pointAt } from './depth.ts';

const SCALE = { price: 2, volume: 3 };
const SIZE = { width: 200, height: 100 };
const BOOK = {
  bids: [
    { price: '99.00', volume: '1.000' },
    { price: '98.00', volume: '2.000' },
    { price: '10.00', volume: '900.000' },
  ],
  asks: [{ price: '101.00', volume: '6.000' }],
};

it('both sides have one scale, and what is far away is left out', () => {
  const curves = depthCurves(BOOK, SCALE, SIZE);
  expect(curves?.bids.map(({ x, y, total }) => [x, y, total])).toEqual([
    [50, 100 - 92 / 6, 1000n].map((value) =>
      typeof value === 'number' ? expect.closeTo(value, 1) : value,
    ),
    [0, 54, 3000n],
  ]);
  expect(curves?.asks.map(({ x, y }) => [x, y])).toEqual([[150, 8]]);
});

it('draws steps', () => {
  const curves = depthCurves(BOOK, SCALE, SIZE);
  expect(pathOf(curves?.asks ?? [], SIZE, true)).toBe('M150.0 100H150.0V8.0V100Z');
  expect(pathOf([], SIZE, true)).toBe('');
});

it('finds what is under the pointer', () => {
  const curves = depthCurves(BOOK, SCALE, SIZE);
  if (curves === undefined) throw new Error('There are curves.');
  expect(pointAt(curves, 20, 200)?.price).toBe('99.00');
  expect(pointAt(curves, 90, 200)).toBeUndefined();
  expect(pointAt(curves, 190, 200)?.price).toBe('101.00');
});

it('a book with an empty side has no curves', () => {
  expect(depthCurves({ bids: BOOK.bids, asks: [] }, SCALE, SIZE)).toBeUndefined();
});
