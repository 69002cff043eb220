import { expect, test } from 'vitest';
import { localeOf } from './locale.tsx';
import { plural } from './plural.ts';
import { defineTexts, textsFor, type WriteCount } from './texts.ts';

const texts = defineTexts({
  en: {
    send: 'Send message',
    unread: (v: { count: number }, n: WriteCount) =>
      plural('en', v.count, { one: `${n(v.count)} message`, other: `${n(v.count)} messages` }),
  },
  fa: { send: 'فرستادن پیام', unread: (v, n) => `${n(v.count)} پیام` },
});

test('A text is of the language, and its count has the digits of the reader.', () => {
  const en = textsFor(texts, localeOf('en'));
  expect(en.send).toBe('Send message');
  expect(en.unread({ count: 1 })).toBe('1 message');
  expect(en.unread({ count: 1200 })).toBe('1,200 messages');
  expect(textsFor(texts, localeOf('fa')).unread({ count: 1200 })).toBe('۱٬۲۰۰ پیام');
  expect(textsFor(texts, localeOf('fa', { digits: 'latin' })).unread({ count: 12 })).toBe(
    '12 پیام',
  );
});

test('The same locale gets the same object, so that nothing is drawn anew for it.', () => {
  expect(textsFor(texts, localeOf('fa'))).toBe(textsFor(texts, localeOf('fa')));
  expect(textsFor(texts, localeOf('fa'))).not.toBe(textsFor(texts, localeOf('en')));
});

test('A translation with a missing, a further or another text does not compile.', () => {
  // @ts-expect-error The key is missing.
  defineTexts({ en: { one: 'one' }, fa: {} });
  // @ts-expect-error English does not have the key.
  defineTexts({ en: { one: 'one' }, fa: { one: 'یک', two: 'دو' } });
  // @ts-expect-error The value has another name.
  defineTexts({ en: { n: (v: { a: string }) => v.a }, fa: { n: (v: { b: string }) => v.b } });
  // @ts-expect-error A function is asked for another value.
  textsFor(texts, localeOf('en')).unread({ sum: 1 });
});

test('Persian says one for nought, English does not.', () => {
  const forms = { one: 'one', other: 'other' };
  expect([0, 1, 2].map((count) => plural('en', count, forms))).toEqual(['other', 'one', 'other']);
  expect([0, 1, 2].map((count) => plural(localeOf('fa'), count, forms))).toEqual([
    'one',
    'one',
    'other',
  ]);
});
