import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutToStep, decimalsOf, roundToStep, stepOf, toText } from './text.ts';

const STEPS = fc.integer({ min: 0, max: 18 });
const AMOUNTS = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 24 }))
  .map(([digits, decimals]) => ({ digits, decimals, text: print(digits, decimals) }));

/** An integer of so many decimals, as text. */
function print(digits: bigint, decimals: number): string {
  const text = String(digits).padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/** The slow twin: divides whole numbers. */
function divided(digits: bigint, decimals: number, wanted: number, isRounded: boolean): bigint {
  const scaled = digits * 10n ** BigInt(wanted);
  const by = 10n ** BigInt(decimals);
  return isRounded ? (2n * scaled + by) / (2n * by) : scaled / by;
}

const value = (text: string, decimals: number): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};

it('cuts and rounds as whole numbers do, however long the text', () => {
  fc.assert(
    fc.property(AMOUNTS, STEPS, ({ digits, decimals, text }, wanted) => {
      const step = stepOf(wanted);
      expect(value(cutToStep(text, step), wanted)).toBe(divided(digits, decimals, wanted, false));
      expect(value(roundToStep(text, step), wanted)).toBe(divided(digits, decimals, wanted, true));
    }),
  );
});

it('steps and decimals are two spellings of one thing', () => {
  for (let decimals = 0; decimals <= 18; decimals += 1) {
    expect(decimalsOf(stepOf(decimals))).toBe(decimals);
    // As a number, too: the library keeps steps as numbers by default.
    expect(decimalsOf(Number(stepOf(decimals)))).toBe(decimals);
  }
});

it('prints no trailing zeros, and no exponent', () => {
  expect(cutToStep('0.015000', '0.000001')).toBe('0.015');
  expect(roundToStep(64250.1, '0.01')).toBe('64250.1');
  expect(roundToStep('-0.005', '0.01')).toBe('-0.01');
  expect(toText(1e-7)).toBe('0.0000001');
  expect(toText(1e23)).toBe('100000000000000000000000');
});

it.each(['1e5', 'abc', '', '1,5', '+1', 'NaN'])('refuses %j and says what it takes', (text) => {
  expect(() => toText(text)).toThrow('plain decimal text');
});

it('refuses numbers that are none', () => {
  expect(() => toText(Number.NaN)).toThrow('plain decimal text');
  expect(() => toText(Infinity)).toThrow('plain decimal text');
});
