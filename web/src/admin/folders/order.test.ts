import { expect, it } from 'vitest';
import { movedOrder } from './order.ts';

it('names every folder once, archived ones last', () => {
  expect(movedOrder([1, 2, 3], [9], 2, -1)).toEqual([1, 3, 2, 9]);
  expect(movedOrder([1, 2, 3], [9], 0, 1)).toEqual([2, 1, 3, 9]);
});

it('moves nothing over the ends', () => {
  expect(movedOrder([1, 2], [], 0, -1)).toEqual([1, 2]);
  expect(movedOrder([1, 2], [], 1, 1)).toEqual([1, 2]);
});
