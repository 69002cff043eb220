import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDecimal, type Reading } from './digits.ts';

const number = (value: string): Reading => ({ kind: 'number', value });
const unclear = (first: string, ...others: string[]): Reading => ({
  kind: 'unclear',
  choices: [first, ...others],
});
const refused = (reason: 'exponent' | 'letters' | 'separators' | 'length'): Reading => ({
  kind: 'refused',
  reason,
});

test.each([
  ['', { kind: 'empty' }],
  ['  \u200f ', { kind: 'empty' }],
  ['64210.50', number('64210.50')],
  ['۶۴۲۱۰٫۵۰', number('64210.50')],
  ['٦٤٢١٠٫٥', number('64210.5')],
  ['۶۴٬۲۱۰٫۵۰', number('64210.50')],
  ['64,210.50', number('64210.50')],
  ['1,284,512', number('1284512')],
  ['12,34,567.8', number('1234567.8')],
  ['64 210.5', number('64210.5')],
  ['64\u202f210', number('64210')],
  ["1'000'000", number('1000000')],
  ['\u2066−۰٫۵\u2069', number('-0.5')],
  ['+ 5', number('5')],
  ['-0', number('0')],
  ['.5', number('0.5')],
  ['5.', number('5')],
  ['007.10', number('7.10')],
])('%j is read as the number it is.', (text, reading) => {
  expect(readDecimal(text)).toEqual(reading);
});

test.each([
  ['1,5', unclear('1.5')],
  ['0,500', unclear('0.500')],
  ['1,500', unclear('1500', '1.500')],
  ['۱،۵', unclear('1.5')],
  ['64,', unclear('64')],
  ['64.210,50', unclear('64210.50')],
  ['1.234.567', unclear('1234567')],
  ['64 210,5', unclear('64210.5')],
])('%j is asked about, never guessed.', (text, reading) => {
  expect(readDecimal(text)).toEqual(reading);
});

test.each([
  ['1e5', refused('exponent')],
  ['1.5E-8', refused('exponent')],
  ['۱e۵', refused('exponent')],
  ['10k', refused('letters')],
  ['12 BTC', refused('letters')],
  ['0x10', refused('letters')],
  ['1/5', refused('letters')],
  ['--5', refused('letters')],
  ['5-', refused('letters')],
  ['Infinity', refused('letters')],
  ['.', refused('letters')],
  ['1 23', refused('separators')],
  ['1,23,4', refused('separators')],
  ['1.5.5', refused('separators')],
  ['1,234.5,6', refused('separators')],
  ['9'.repeat(101), refused('length')],
])('%j is refused.', (text, reading) => {
  expect(readDecimal(text)).toEqual(reading);
});

test('The unit of the field may stand before or after the number, another unit may not.', () => {
  expect(readDecimal('64,210.50 USDT', ['USDT'])).toEqual(number('64210.50'));
  expect(readDecimal('usdt 5', ['USDT'])).toEqual(number('5'));
  expect(readDecimal('۵ تتر', ['USDT', 'تتر'])).toEqual(number('5'));
  expect(readDecimal('5%', ['%'])).toEqual(number('5'));
  expect(readDecimal('5 BTC', ['USDT'])).toEqual(refused('letters'));
  expect(readDecimal('1e5 USDT', ['USDT'])).toEqual(refused('exponent'));
  expect(readDecimal('USDT', ['USDT'])).toEqual({ kind: 'empty' });
});

const decimal = fc
  .record({
    minus: fc.boolean(),
    whole: fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
    fraction: fc.stringMatching(/^\d{0,18}$/u),
  })
  .map(({ minus, whole, fraction }) => {
    const value = fraction === '' ? whole : `${whole}.${fraction}`;
    return minus && /[1-9]/u.test(value) ? `-${value}` : value;
  });

const scripts = { latin: 0x30, persian: 0x06f0, arabic: 0x0660 } as const;

test('A decimal comes back unchanged, however it is dressed.', () => {
  fc.assert(
    fc.property(
      decimal,
      fc.constantFrom(...Object.values(scripts)),
      fc.constantFrom('', '٬', ' ', '\u00a0', "'"),
      fc.constantFrom('.', '٫'),
      fc.constantFrom('-', '−'),
      fc.constantFrom('', '\u200e', '\u2067', ' '),
      (value, zero, group, point, minus, around) => {
        const [whole = '', fraction] = value.replace('-', '').split('.');
        const grouped = whole.replace(/\B(?=(\d{3})+$)/gu, group);
        const text = fraction === undefined ? grouped : `${grouped}${point}${fraction}`;
        const dressed = text.replace(/\d/gu, (digit) => String.fromCharCode(zero + Number(digit)));
        const signed = value.startsWith('-') ? `${minus}${dressed}` : dressed;
        expect(readDecimal(`${around}${signed}${around}`)).toEqual(number(value));
      },
    ),
    { numRuns: 2000 },
  );
});

test('Whatever is typed, the answer is a plain decimal, a question of plain decimals, or a refusal.', () => {
  const plain = /^-?(0|[1-9]\d*)(\.\d+)?$/u;
  const typed = fc.string({
    unit: fc.constantFrom(...'0123456789۰۵٠٥.,٫٬،-−+eE _\u200f BTC%'.split('')),
    maxLength: 24,
  });
  fc.assert(
    fc.property(fc.oneof(typed, fc.string({ unit: 'grapheme' })), (text) => {
      const reading = readDecimal(text, ['BTC']);
      if (reading.kind === 'number') expect(reading.value).toMatch(plain);
      if (reading.kind === 'unclear')
        for (const choice of reading.choices) expect(choice).toMatch(plain);
    }),
    { numRuns: 5000 },
  );
});
