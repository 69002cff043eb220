import { expect, it } from 'vitest';
import { isWithin } from './time-limit.ts';

it('a time limit has a short grace period, and may be absent', () => {
  const sent = new Date(0);
  expect(isWithin(600, sent, 620_000)).toBe(true);
  expect(isWithin(600, sent, 620_001)).toBe(false);
  expect(isWithin(600, sent, 600_001, 0)).toBe(false);
  expect(isWithin(null, sent, 10 ** 12)).toBe(true);
});
