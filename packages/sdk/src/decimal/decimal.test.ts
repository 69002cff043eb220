// Decimals against fractions of whole numbers, the slow and obvious way.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as decimal from './decimal.ts';

interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

const toFraction = (text: string): Fraction => {
  const [whole = '', fraction = ''] = text.split('.');
  return { top: BigInt(whole + fraction), bottom: 10n ** BigInt(fraction.length) };
};

const isSame = (text: string, { top, bottom }: Fraction): boolean => {
  const given = toFraction(text);
  return given.top * bottom === top * given.bottom;
};

/** No needless zeros, no minus before zero, a digit before the point. */
const PLAIN = /^(?!-0$)-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/;

const digits = (max: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max })
    .map((all) => all.join(''));
const text = fc
  .tuple(fc.boolean(), digits(30), fc.option(digits(20)))
  .map(
    ([isNegative, whole, fraction]) =>
      `${isNegative ? '-' : ''}${whole}${fraction === null ? '' : `.${fraction}`}`,
  );
const step = fc
  .tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => decimal.divide(String(units), `1${'0'.repeat(scale)}`, scale));

const property = (check: (a: string, b: string) => void) =>
  fc.assert(fc.property(text, text, check), { numRuns: 1000 });

describe('against fractions', () => {
  it('sums, differences and products are exact and plain', () => {
    property((a, b) => {
      const [left, right] = [toFraction(a), toFraction(b)];
      const bottom = left.bottom * right.bottom;
      const cases = [
        [decimal.add(a, b), left.top * right.bottom + right.top * left.bottom],
        [decimal.subtract(a, b), left.top * right.bottom - right.top * left.bottom],
        [decimal.multiply(a, b), left.top * right.top],
      ] as const;
      for (const [result, top] of cases) {
        expect(isSame(result, { top, bottom }), result).toBe(true);
        expect(result).toMatch(PLAIN);
      }
    });
  });

  it('a comparison agrees with the sign of the difference, and with least and greatest', () => {
    property((a, b) => {
      const [left, right] = [toFraction(a), toFraction(b)];
      const difference = left.top * right.bottom - right.top * left.bottom;
      const sign = difference < 0n ? -1 : difference > 0n ? 1 : 0;
      expect(decimal.compare(a, b)).toBe(sign);
      expect(decimal.equals(a, b)).toBe(sign === 0);
      expect(decimal.equals(decimal.min(a, b), sign < 0 ? a : b)).toBe(true);
      expect(decimal.equals(decimal.max(a, b), sign > 0 ? a : b)).toBe(true);
      expect(decimal.add(decimal.min(a, b), decimal.max(a, b))).toBe(decimal.add(a, b));
    });
  });

  it('a rounded value is a multiple of the step, on the right side, and less than a step away', () => {
    fc.assert(
      fc.property(text, step, (a, by) => {
        const [down, up] = [decimal.roundDown(a, by), decimal.roundUp(a, by)];
        for (const rounded of [down, up]) {
          const [value, unit] = [toFraction(rounded), toFraction(by)];
          expect((value.top * unit.bottom) % (unit.top * value.bottom)).toBe(0n);
          expect(rounded).toMatch(PLAIN);
        }
        expect(decimal.compare(down, a)).not.toBe(1);
        expect(decimal.compare(up, a)).not.toBe(-1);
        expect(decimal.compare(decimal.subtract(a, down), by)).toBe(-1);
        expect(decimal.compare(decimal.subtract(up, a), by)).toBe(-1);
      }),
      { numRuns: 1000 },
    );
  });

  it('a quotient times the divisor comes close to the dividend, and is never further from zero', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 20 }), (a, b, decimals) => {
        fc.pre(!decimal.isZero(b));
        const back = decimal.abs(decimal.multiply(decimal.divide(a, b, decimals), b));
        const rest = decimal.subtract(decimal.abs(a), back);
        const unit = decimal.divide('1', `1${'0'.repeat(decimals)}`, decimals);
        expect(decimal.compare(rest, '0')).not.toBe(-1);
        expect(decimal.compare(rest, decimal.multiply(decimal.abs(b), unit))).toBe(-1);
      }),
      { numRuns: 1000 },
    );
  });

  it('a sum is the same in every order', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (all) => {
        expect(decimal.sum(all)).toBe(decimal.sum(all.toReversed()));
      }),
    );
  });
});

it('does what floating-point numbers cannot', () => {
  expect(decimal.add('0.1', '0.2')).toBe('0.3');
  expect(decimal.multiply('64250.10', '0.015000')).toBe('963.7515');
  expect(decimal.roundDown('0.0159999', '0.000001')).toBe('0.015999');
  expect(decimal.roundDown('-1.5', '1')).toBe('-2');
  expect(decimal.roundUp('-1.5', '1')).toBe('-1');
  expect(decimal.roundUp('64250.101', '0.01')).toBe('64250.11');
  expect(decimal.pad('64250.1', 2)).toBe('64250.10');
  expect(decimal.pad('5', 0)).toBe('5');
  expect(decimal.negate('-0.00')).toBe('0');
  expect(decimal.sum([])).toBe('0');
});

it.each(['', ' 1', '1e5', '+1', '.5', '1.', '1,5', '0x10', 'NaN', '--1', '١', '9'.repeat(1001)])(
  'refuses %j as a decimal',
  (bad) => {
    expect(() => decimal.add(bad, '1')).toThrow(TypeError);
    expect(() => decimal.compare('1', bad)).toThrow(TypeError);
  },
);

it('refuses numbers, steps that are not positive, division by zero and wrong counts', () => {
  expect(() => decimal.add(0.1 as unknown as string, '1')).toThrow(
    "Write a decimal as text: '0.1'",
  );
  expect(() => decimal.roundDown('1', '0')).toThrow(RangeError);
  expect(() => decimal.roundDown('1', '-1')).toThrow(RangeError);
  expect(() => decimal.divide('1', '0.0', 2)).toThrow(RangeError);
  expect(() => decimal.divide('1', '3', 0.5)).toThrow(RangeError);
  expect(() => decimal.pad('1.234', 2)).toThrow('Round it first');
});
