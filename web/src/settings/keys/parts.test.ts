import { expect, test } from 'vitest';
import { addressesIn, endOf } from './parts.tsx';

test('addresses come one per line or between commas of either language', () => {
  expect(addressesIn(' 203.0.113.7\n10.0.0.0/8, ::1،2001:db8::/32 ')).toEqual([
    '203.0.113.7',
    '10.0.0.0/8',
    '::1',
    '2001:db8::/32',
  ]);
  expect(addressesIn('  ')).toEqual([]);
});

test('the end of a key', () => {
  expect(endOf('in30', 1000)).toBe(1000 + 30 * 86_400_000);
  expect(endOf('never', 1000)).toBeUndefined();
});
