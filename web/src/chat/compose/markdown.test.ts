import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fenceFor, insertLink, isInCode, toggleCode, toggleMark } from './markdown.ts';

test('No line of a quoted text can close the fence around it.', () => {
  const text = fc.array(fc.constantFrom('`', '```', '`````', 'a', '\n', ' '), { maxLength: 30 });
  fc.assert(
    fc.property(text, (parts) => {
      const joined = parts.join('');
      expect(joined.split('\n')).not.toContain(fenceFor(joined));
      expect(fenceFor(joined).length).toBeGreaterThanOrEqual(3);
    }),
  );
});

test('A mark that is toggled twice is gone.', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), (text, a, b) => {
      const [start = 0, end = 0] = [a, b].map((at) => at % (text.length + 1)).sort((x, y) => x - y);
      const once = toggleMark({ text: text.replaceAll('*', ''), start: 0, end: 0 }, '**');
      expect(toggleMark(once, '**').text).toBe(text.replaceAll('*', ''));
      expect(end).toBeGreaterThanOrEqual(start);
    }),
  );
  expect(toggleMark({ text: 'a word', start: 2, end: 6 }, '**')).toEqual({
    text: 'a **word**',
    start: 4,
    end: 8,
  });
});

test('Several lines of code become a block, a part of a line stays in it.', () => {
  expect(toggleCode({ text: 'run x now', start: 4, end: 5 }).text).toBe('run `x` now');
  expect(toggleCode({ text: 'a\nb', start: 0, end: 3 }).text).toBe('```\na\nb\n```');
});

test('A link keeps the words and selects the address, or the other way round.', () => {
  expect(insertLink({ text: 'see docs', start: 4, end: 8 })).toEqual({
    text: 'see [docs](url)',
    start: 11,
    end: 14,
  });
  expect(insertLink({ text: 'https://a.b', start: 0, end: 11 })).toMatchObject({
    text: '[](https://a.b)',
    start: 1,
    end: 1,
  });
});

test('A cursor is in code between the fences, and nowhere else.', () => {
  const text = 'before\n```js\ninside\n```\nafter\n````\n```\nstill inside';
  const at = (word: string) => isInCode(text, text.indexOf(word));
  expect(['before', 'inside', 'after', 'still'].map(at)).toEqual([false, true, false, true]);
  expect(isInCode('a `b` c', 4)).toBe(false);
});
