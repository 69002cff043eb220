import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as wide from './wide.ts';

const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 36n }),
  fc.bigInt({ min: 0n, max: 2n ** 34n }),
  // Around the boundaries between words, where carries occur.
  fc
    .tuple(fc.integer({ min: 1, max: 2 }), fc.bigInt({ min: -3n, max: 3n }))
    .map(([words, by]) => 2n ** BigInt(48 * words) + by),
);
const units = fc.oneof(
  fc.integer({ min: 0, max: 1e15 }),
  fc.integer({ min: 0, max: 1000 }),
  fc.constantFrom(2 ** 24, 2 ** 24 - 1, 2 ** 26 - 1, 2 ** 32, 2 ** 48, 2 ** 49, 1e15),
);

function limbs(...values: bigint[]): Float64Array {
  const a = new Float64Array(values.length * wide.LIMBS);
  for (const [i, value] of values.entries()) wide.fromBigint(a, i * wide.LIMBS, value);
  return a;
}

test('limbs and bigint are the same number', () => {
  fc.assert(
    fc.property(amount, (x) => {
      expect(wide.toBigint(limbs(x), 0)).toBe(x);
    }),
  );
});

test('sums and differences are exact', () => {
  fc.assert(
    fc.property(amount, amount, (x, y) => {
      const a = limbs(x, y);
      wide.add(a, 0, a, 3);
      expect(wide.toBigint(a, 0)).toBe(x + y);
      wide.subtract(a, 0, a, 3);
      expect(wide.toBigint(a, 0)).toBe(x);
      expect(Math.sign(wide.compare(limbs(x), 0, limbs(y), 0))).toBe(x < y ? -1 : x > y ? 1 : 0);
    }),
    { numRuns: 1000 },
  );
});

test('a difference below zero throws', () => {
  const a = limbs(5n, 6n);
  expect(() => wide.subtract(a, 0, a, 3)).toThrow('below zero');
});

const exponent = fc.integer({ min: 0, max: 18 });

test('price times volume is exact at every precision, or known not to fit', () => {
  fc.assert(
    fc.property(units, units, exponent, (x, y, decimals) => {
      const a = new Float64Array(wide.LIMBS);
      const exact = BigInt(x) * BigInt(y) * 10n ** BigInt(decimals);
      const fits = wide.product(a, 0, x, y, new wide.Scale(decimals));
      expect(fits).toBe(exact < 2n ** 144n);
      expect(wide.toBigint(a, 0)).toBe(fits ? exact : 2n ** 144n - 1n);
    }),
    { numRuns: 3000 },
  );
});

test('a share rounds in the direction asked for, and by less than one unit', () => {
  const ppm = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(0, 1, 999_999));
  fc.assert(
    fc.property(units, units, exponent, ppm, fc.boolean(), (x, y, decimals, rate, up) => {
      const amountExact = BigInt(x) * BigInt(y) * 10n ** BigInt(decimals);
      fc.pre(amountExact <= 10n ** 36n);
      const a = new Float64Array(wide.LIMBS);
      wide.share(a, 0, x, y, new wide.Scale(decimals), rate, up);
      const exact = amountExact * BigInt(rate);
      const expected = up ? (exact + 999_999n) / 1_000_000n : exact / 1_000_000n;
      expect(wide.toBigint(a, 0)).toBe(expected);
    }),
    { numRuns: 3000 },
  );
});
