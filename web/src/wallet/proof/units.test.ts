import { expect, it } from 'vitest';
import { fromUnits } from './units.ts';

it.each([
  ['0', '0'],
  ['1', '0.000000000000000001'],
  ['1500250000000000000000', '1500.25'],
  ['20000000000000000000', '20'],
  ['123456789012345678901234567890', '123456789012.34567890123456789'],
])('%s units are %s', (units, text) => {
  expect(fromUnits(units)).toBe(text);
});
