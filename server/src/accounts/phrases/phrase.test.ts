import { expect, it } from 'vitest';
import { checkPhrase } from './phrase.ts';

it('takes one line of at most 40 characters', () => {
  expect(checkPhrase('  blue heron at dawn ')).toBe('blue heron at dawn');
  expect(checkPhrase('مرغ دریایی آبی')).toBe('مرغ دریایی آبی');
  expect(checkPhrase('x'.repeat(40))).toHaveLength(40);
  expect(checkPhrase('   ')).toBe('');
  for (const bad of ['x'.repeat(41), 'two\nlines', 'nul\0', 'para\u{2029}graph', '\u{d800}']) {
    expect(() => checkPhrase(bad)).toThrow(/phrase/);
  }
});
