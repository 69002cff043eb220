import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DEFAULTS,
  languageOf,
  parsePreferences,
  schemeOf,
  themeOf,
  THEMES,
} from './preferences.ts';

test('what was stored comes back, and anything else is the default', () => {
  const chosen = { ...DEFAULTS, palette: 'red-up', digits: 'latin', hasKeys: false } as const;
  expect(parsePreferences(JSON.stringify(chosen))).toEqual(chosen);
  expect(parsePreferences(null)).toEqual(DEFAULTS);
  expect(parsePreferences('{"palette":"pink","density":7,"digits":null}')).toEqual(DEFAULTS);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = parsePreferences(text);
      expect(parsePreferences(JSON.stringify(read))).toEqual(read);
    }),
  );
});

test('themes are the numbers of the account', () => {
  expect(THEMES.map(schemeOf)).toEqual([1, 2, 3]);
  expect([1, 2, 3, 9, 'x'].map(themeOf)).toEqual(['system', 'dark', 'light', 'system', 'system']);
});

test('a language of the account that we speak', () => {
  expect([languageOf('fa'), languageOf('en-gb'), languageOf('de'), languageOf(undefined)]).toEqual([
    'fa',
    'en',
    undefined,
    undefined,
  ]);
});
