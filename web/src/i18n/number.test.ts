import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDecimal } from './digits.ts';
import { localeOf } from './locale.tsx';
import { partsOf, writeCount, writeDecimal, writePlain } from './number.ts';

const en = localeOf('en');
const fa = localeOf('fa');
const faLatin = localeOf('fa', { digits: 'latin' });

test('A number has groups, the digits of the reader and exactly the decimals of its market.', () => {
  expect(writeDecimal('64210.5', en, { decimals: 2 })).toBe('64,210.50');
  expect(writeDecimal('64210.5', fa, { decimals: 2 })).toBe('۶۴٬۲۱۰٫۵۰');
  expect(writeDecimal('1284', en)).toBe('1,284');
  expect(writeDecimal('0.00000001', en)).toBe('0.00000001');
  expect(writeDecimal('123456789012345678901234567890.123456789012345678', en)).toBe(
    '123,456,789,012,345,678,901,234,567,890.123456789012345678',
  );
  expect(writeCount(1200, faLatin)).toBe('1,200');
});

test('The zeros that fill up are apart, and no balance is rounded up.', () => {
  expect(partsOf('64210.50', en, { decimals: 4 })).toEqual({
    sign: '',
    groups: ['64', '210'],
    separator: ',',
    point: '.',
    fraction: '5',
    padding: '000',
  });
  expect(writeDecimal('1.999', en, { decimals: 2 })).toBe('1.99');
  expect(writeDecimal('-1.999', en, { decimals: 0 })).toBe('−1');
});

test('A change carries its sign, a true minus; nought has none.', () => {
  expect(writeDecimal('1.24', en, { isChange: true })).toBe('+1.24');
  expect(writeDecimal('-1.24', fa, { isChange: true })).toBe('−۱٫۲۴');
  expect(writeDecimal('-0.00', en, { isChange: true })).toBe('0.00');
  expect(writeDecimal('-0.004', en, { isChange: true, decimals: 2 })).toBe('−0.00');
});

test('What is no decimal is refused, with the value.', () => {
  for (const value of ['', '1e5', '1,5', 'NaN', '.5', '۵'])
    expect(() => partsOf(value, en)).toThrow(`"${value}" came`);
});

const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fc.stringMatching(/^\d{0,20}$/u),
  )
  .map(([sign, whole, fraction]) => sign + whole + (fraction === '' ? '' : `.${fraction}`));

test('What is written is read again as the same value, in every locale.', () => {
  fc.assert(
    fc.property(decimal, fc.constantFrom(en, fa, faLatin), (value, locale) => {
      const reading = readDecimal(writePlain(value, locale));
      expect(reading).toEqual({
        kind: 'number',
        value: /[1-9]/u.test(value) ? value : value.replace('-', ''),
      });
    }),
    { numRuns: 2000 },
  );
});

test('Cut to any number of decimals, a number keeps its digits and is never larger.', () => {
  fc.assert(
    fc.property(decimal, fc.nat({ max: 24 }), (value, decimals) => {
      const { groups, fraction, padding } = partsOf(value, en, { decimals });
      const [whole = '', given = ''] = value.replace('-', '').split('.');
      expect(groups.join('')).toBe(whole);
      expect(fraction + padding).toBe(given.slice(0, decimals).padEnd(decimals, '0'));
    }),
    { numRuns: 2000 },
  );
});
