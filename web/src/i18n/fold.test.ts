import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

test.each([
  ['Élan', 'elan'],
  ['علي', 'علی'],
  ['كريمي', 'کریمی'],
  ['می‌خواهم', 'میخواهم'],
  ['مُحَمَّد', 'محمد'],
  ['سـلام', 'سلام'],
  ['۱۴۰۳ و ٧', '1403 و 7'],
  ['آرش', 'ارش'],
  ['  two   words ', 'two words'],
])('%s is compared as %s', (text, folded) => expect(fold(text)).toBe(folded));

test('folding twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)),
  );
});
