import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addPpm,
  findDecimal,
  findUnits,
  formatFixed,
  formatUnits,
  scaleDecimal,
  subtractPpm,
} from './amount.ts';

const decimals = fc.integer({ min: 0, max: 18 });

describe('decimal text', () => {
  test('an amount survives printing and reading at any precision', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 36n }), decimals, (units, places) => {
        expect(findUnits(formatUnits(units, places), places)).toBe(units);
        expect(findUnits(formatFixed(units, places), places)).toBe(units);
      }),
    );
  });

  test('one decimal too many is refused, never rounded', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), decimals, (units, places) => {
        expect(findUnits(`${formatFixed(units, places)}${places === 0 ? '.' : ''}1`, places)).toBe(
          undefined,
        );
      }),
    );
  });

  test('trailing zeros beyond the limit change nothing', () => {
    expect(findUnits('1.50000000000000000000000', 2)).toBe(150n);
    expect(findDecimal('64250.100')).toEqual({ value: 642501, decimals: 1 });
  });

  test('signs, exponents, separators and bare points are not numbers', () => {
    for (const text of [
      '',
      '+1',
      '-1',
      '1e3',
      '1,000',
      '.5',
      '5.',
      ' 1',
      '1 ',
      '0x10',
      '١',
      'NaN',
    ]) {
      expect(findUnits(text), text).toBe(undefined);
      expect(findDecimal(text), text).toBe(undefined);
    }
  });

  test('a number of more digits than a price can have is refused', () => {
    expect(findDecimal('9007199254740993')).toBe(undefined);
    expect(findDecimal('1'.repeat(31))).toBe(undefined);
  });

  test('zero and whole numbers print plainly', () => {
    expect(formatUnits(0n)).toBe('0');
    expect(formatUnits(1500n, 0)).toBe('1500');
    expect(formatUnits(-15n * 10n ** 17n)).toBe('-1.5');
    expect(formatFixed(5, 2)).toBe('0.05');
  });
});

describe('units', () => {
  test('a decimal is scaled exactly or refused', () => {
    const value = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(value, decimals, decimals, (n, from, to) => {
        const exact = BigInt(n) * 10n ** BigInt(to + 18 - from);
        const scaled = scaleDecimal(n, from, to);
        if (exact % 10n ** 18n !== 0n) expect(scaled).toBe(-1);
        else if (exact / 10n ** 18n <= 10n ** 15n) expect(BigInt(scaled)).toBe(exact / 10n ** 18n);
        else expect(scaled).toBeGreaterThan(1e15);
      }),
    );
  });

  test('bands round towards the reference price', () => {
    const price = fc.integer({ min: 1, max: 1e15 });
    fc.assert(
      fc.property(price, fc.integer({ min: 0, max: 1_000_000 }), (p, ppm) => {
        const up = (BigInt(p) * BigInt(1_000_000 + ppm)) / 1_000_000n;
        const down = (BigInt(p) * BigInt(1_000_000 - ppm) + 999_999n) / 1_000_000n;
        expect(BigInt(addPpm(p, ppm))).toBe(up);
        expect(BigInt(subtractPpm(p, ppm))).toBe(down);
      }),
    );
  });
});
