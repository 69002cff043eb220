import fc from 'fast-check';
import { FilterParser, type EqualityFilter } from 'ldapts';
import { expect, it } from 'vitest';
import { escapeFilterValue, fillFilter } from './filter.ts';

it.each([
  ['ada', 'ada'],
  ['*', '\\2a'],
  ['ada)(uid=*', 'ada\\29\\28uid=\\2a'],
  ['a\\b', 'a\\5cb'],
  ['a\0b', 'a\\00b'],
  ['آدا', 'آدا'],
  ['$&', '$&'],
])('%j becomes %j', (text, escaped) => {
  expect(escapeFilterValue(text)).toBe(escaped);
});

it('any typed text is one value, and the value is what was typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (typed) => {
      const parsed = FilterParser.parseString(fillFilter('(uid={username})', typed));
      expect(parsed.constructor.name).toBe('EqualityFilter');
      expect(Buffer.from((parsed as EqualityFilter).value as string).toString()).toBe(
        typed.toWellFormed(),
      );
    }),
  );
});

it('every placeholder in the filter is filled', () => {
  expect(fillFilter('(|(uid={username})(mail={username}))', 'a*')).toBe(
    '(|(uid=a\\2a)(mail=a\\2a))',
  );
});
