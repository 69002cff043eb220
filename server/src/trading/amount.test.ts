import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountFromNumeric, formatAmount, formatFixed, formatRate, parseAmount } from './amount.ts';

const units = fc.bigInt({ min: 0n, max: 10n ** 38n - 1n });

describe('amounts', () => {
  it('a printed amount parses back to the same number of units', () => {
    fc.assert(fc.property(units, (count) => parseAmount(formatAmount(count)) === count));
  });

  it('an amount is printed as plain decimal text without trailing zeros', () => {
    fc.assert(
      fc.property(units, (count) => /^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(formatAmount(count))),
    );
  });

  it('equals exact arithmetic on the written digits', () => {
    const digits = fc.stringMatching(/^[0-9]{1,20}$/);
    const decimals = fc.stringMatching(/^[0-9]{1,18}$/);
    fc.assert(
      fc.property(digits, decimals, (whole, fraction) => {
        const expected =
          BigInt(whole) * 10n ** 18n + BigInt(fraction) * 10n ** BigInt(18 - fraction.length);
        return (
          parseAmount(`${whole}.${fraction}`) === expected &&
          amountFromNumeric(`-${whole}.${fraction}`) === -expected
        );
      }),
    );
  });

  it.each([
    '',
    '.5',
    '5.',
    '+1',
    '-1',
    '1e3',
    '1,000',
    ' 1',
    '1 ',
    '0x1',
    '۱۲',
    '١٢',
    '1.2.3',
    'NaN',
  ])('does not parse %j', (text) => expect(parseAmount(text)).toBeUndefined());

  it('refuses more decimals and more digits than the ledger has', () => {
    expect(parseAmount(`0.${'1'.repeat(19)}`)).toBeUndefined();
    expect(parseAmount('1'.repeat(21))).toBeUndefined();
  });

  it('prints the zeros that a precision requires, and no others', () => {
    expect(formatFixed(6425010n, 2)).toBe('64250.10');
    expect(formatFixed(15000n, 6)).toBe('0.015000');
    expect(formatFixed(7n, 0)).toBe('7');
    expect(formatFixed(-5n, 2)).toBe('-0.05');
    expect(formatAmount(0n)).toBe('0');
    expect(formatAmount(amountFromNumeric('1500.250000000000000000'))).toBe('1500.25');
    expect(formatAmount(-(10n ** 17n))).toBe('-0.1');
    expect(formatRate(1500)).toBe('0.0015');
    expect(formatRate(-250)).toBe('-0.00025');
    expect(formatRate(0)).toBe('0');
  });
});
