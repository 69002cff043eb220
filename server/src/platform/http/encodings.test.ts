import { expect, it } from 'vitest';
import { takesEncoding } from './encodings.ts';

it.each([
  ['gzip', 'gzip, deflate, br', true],
  ['br', 'gzip, deflate, br', true],
  ['br', 'BR', true],
  ['br', 'gzip;q=1.0, *;q=0.5', true],
  ['gzip', ' gzip ; q=0.1 ', true],
  ['gzip', 'gzip;q=0', false],
  ['gzip', 'gzip;q=0.000, *', false],
  ['br', 'gzip', false],
  ['br', 'brotli', false],
  ['br', '*;q=0', false],
  ['br', '', false],
  ['br', undefined, false],
  ['br', `${'x,'.repeat(100)}br`, false],
])('%s of %j: %s', (encoding, header, expected) => {
  expect(takesEncoding(header, encoding)).toBe(expected);
});
