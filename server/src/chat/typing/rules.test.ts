import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRecipients } from './rules.ts';

it('nobody is named by nothing, and by the text null', () => {
  expect(readRecipients(undefined)).toBeUndefined();
  expect(readRecipients('null')).toBeUndefined();
});

it('a list of ids names each once, in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0 }), { maxLength: 500 }), (ids) => {
      expect(readRecipients(JSON.stringify(ids))).toEqual({ userIds: [...new Set(ids)] });
    }),
  );
});

it('a list of addresses is one too', () => {
  expect(readRecipients('["a@example.com", " b@example.com "]')).toEqual({
    emails: ['a@example.com', 'b@example.com'],
  });
});

it.each([
  ['', 'to is not valid JSON'],
  ['a@example.com', 'to is not valid JSON'],
  ['7', 'to is not a list'],
  ['{}', 'to is not a list'],
  ['[7.0]', 'to[0] is not an integer'],
  ['[7, "8"]', 'to[1] is not an integer'],
  ['[true]', 'to[0] is not an integer'],
  [`[${Array.from({ length: 501 }, (_, n) => n).join()}]`, 'to is too long (limit: 500 items)'],
])('%j is refused', (text, message) => {
  expect(() => readRecipients(text)).toThrow(message);
});
