import { expect, it } from 'vitest';
import { daysFrom, FOR_EVER, isShortening, retentionText } from './retention.ts';

it('for ever, days and the rule of the organization each have their word', () => {
  expect([FOR_EVER, null, 30].map(retentionText)).toEqual(['unlimited', 'realm_default', 30]);
});

it('takes whole days alone', () => {
  expect(daysFrom('365')).toBe(365);
  for (const wrong of ['', '0', '-1', '1.5', '36501', '999999', 'abc']) {
    expect(daysFrom(wrong)).toBeUndefined();
  }
});

it('knows when messages would be deleted that are kept now', () => {
  expect(isShortening(FOR_EVER, 30, FOR_EVER)).toBe(true);
  expect(isShortening(30, FOR_EVER, FOR_EVER)).toBe(false);
  expect(isShortening(90, 30, FOR_EVER)).toBe(true);
  expect(isShortening(30, 90, FOR_EVER)).toBe(false);
  // What the organization has counts where the channel has no rule of its own.
  expect(isShortening(null, 30, FOR_EVER)).toBe(true);
  expect(isShortening(null, 30, 10)).toBe(false);
  expect(isShortening(FOR_EVER, null, 10)).toBe(true);
  expect(isShortening(null, null, 10)).toBe(false);
});
