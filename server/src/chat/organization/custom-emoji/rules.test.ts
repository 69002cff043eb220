import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkEmojiName, namesIn } from './rules.ts';

it.each([
  ['green_tick', 'green_tick'],
  [' my emoji ', 'my_emoji'],
  ['a-b_3', 'a-b_3'],
])('%j is kept as %j', (given, name) => {
  expect(checkEmojiName(given)).toBe(name);
});

it.each([
  ['', 'Emoji name is missing'],
  [' ', 'Emoji name is missing'],
  ['Green', /only lowercase English letters/],
  ['ایموجی', /only lowercase English letters/],
  ['a:b', /only lowercase English letters/],
  ['tick_', 'Emoji names must end with either a letter or digit.'],
  ['tick-', 'Emoji names must end with either a letter or digit.'],
  ['x'.repeat(101), 'emoji_name is too long (limit: 100 characters)'],
])('%j is refused', (given, message) => {
  expect(() => checkEmojiName(given)).toThrow(message);
});

it('finds every name between colons', () => {
  expect(namesIn('a :one: :two::three: :one: :No: 12:30:45 :x')).toEqual([
    'one',
    'two',
    'three',
    '30',
  ]);
  const name = fc.stringMatching(/^[a-z0-9_-]{1,20}$/);
  fc.assert(
    fc.property(fc.string(), name, fc.string(), (before, one, after) => {
      expect(namesIn(`${before}:${one}:${after}`)).toContain(one);
    }),
  );
});
