import { expect, it } from 'vitest';
import { durationOf, minutesToSeconds } from './duration.ts';

it('says a time in the largest unit that is exact', () => {
  expect(durationOf(604_800)).toEqual({ unit: 'weeks', count: 1 });
  expect(durationOf(86_400 * 3)).toEqual({ unit: 'days', count: 3 });
  expect(durationOf(5400)).toEqual({ unit: 'minutes', count: 90 });
  expect(durationOf(61)).toEqual({ unit: 'seconds', count: 61 });
});

it('takes whole minutes alone, and none that the server could not store', () => {
  expect(minutesToSeconds('10')).toBe(600);
  for (const wrong of ['', '0', '1.5', '-3', '35791395', '999999999']) {
    expect(minutesToSeconds(wrong)).toBeUndefined();
  }
  expect(minutesToSeconds('35791394')).toBeLessThan(2 ** 31);
});
