import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areNamesAlike, foldName, skeletonOf } from './fold.ts';
import { findInvisible } from './invisible.ts';
import { MEASURED } from '../../testing/measured.ts';

describe('names that look alike', () => {
  it.each([
    ['Notification Bot', 'Nоtificаtiоn Bоt', 'Cyrillic o and a'],
    ['Notification Bot', 'NOTIFICATION  BOT', 'case and spaces'],
    ['Notification Bot', 'Ｎotification Bot', 'full width'],
    ['Notification Bot', '𝐍𝐨𝐭𝐢𝐟𝐢𝐜𝐚𝐭𝐢𝐨𝐧 𝐁𝐨𝐭', 'mathematical letters'],
    ['Notification Bot', 'Not1f1cat1on B0t', 'digits'],
    ['Notification Bot', 'Νotification Βot', 'Greek capitals'],
    ['Olga Owner', 'OIga 0wner', 'a capital I'],
    ['Olga Owner', 'Оlgа Оwnеr', 'Cyrillic'],
    ['marina', 'rnarina', 'r and n'],
    ['نرگس\u200Cزاده', 'نرگسزاده', 'the half-space'],
    ['علی کریمی', 'علي كريمي', 'Arabic letters for Persian ones'],
    ['مُحَمَّد', 'محمد', 'marks'],
    ['Νίκος', 'ΝΊΚΟΣ', 'Greek in another case'],
    ['Zoë', 'Zoe\u0308', 'composition'],
    ['a1', 'a۱', 'a Persian digit'],
  ])('%j and %j: %s', (a, b) => {
    expect(areNamesAlike(a, b)).toBe(true);
  });

  it.each([
    ['Ada', 'Adam'],
    ['Zoe', 'Zoë'],
    ['Person 1', 'Person 11'],
    ['علی', 'علیا'],
    ['Anna', 'Hannah'],
    ['Иван', 'Ivan'],
  ])('%j and %j are told apart', (a, b) => {
    expect(areNamesAlike(a, b)).toBe(false);
  });

  it('folding again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name));
        expect(areNamesAlike(name, name.toUpperCase().toLowerCase())).toBeTypeOf('boolean');
        expect(skeletonOf(name).length).toBeLessThanOrEqual(name.normalize('NFKC').length * 3);
      }),
    );
  });
});

describe('invisible characters', () => {
  it.each([
    ['half-space in Persian', 'می\u200Cشود'],
    ['a family', '👩\u200D👩\u200D👧 team'],
    ['a red heart', '❤\uFE0F'],
    ['a rainbow flag', '🏳\uFE0F\u200D🌈'],
    ['a key', '1\uFE0F\u20E3 first'],
    ['skin and a joiner', '👩🏽\u200D💻'],
    ['Devanagari', 'क्\u200Dष'],
    ['Persian', 'قیمت‌ها و سفارش'],
  ])('lets through %s', (_what, text) => {
    expect(findInvisible(text)).toBeUndefined();
  });

  it.each([
    ['an override', 'evil\u202Eresu', 5],
    ['an isolate', 'a\u2066b', 2],
    ['a mark of direction', 'a\u200Fb', 2],
    ['a zero-width space', 'a\u200Bb', 2],
    ['a half-space in Latin', 'ad\u200Cmin', 3],
    ['a joiner in Latin', 'ad\u200Dmin', 3],
    ['a half-space at the end', 'علی\u200C', 4],
    ['a soft hyphen', 'ad\u00ADmin', 3],
    ['a word joiner', 'a\u2060b', 2],
    ['a byte order mark', '\uFEFFa', 1],
    ['a Hangul filler', 'a\u3164', 2],
    ['an empty Braille cell', 'a\u2800', 2],
    ['a tag', 'a\u{E0041}', 2],
    ['a variation selector', 'a\uFE0F', 2],
    ['a line separator', 'a\u2028b', 2],
    ['half a pair', 'a\uD800', 2],
    ['a control', '😀a\u0000', 3],
  ])('finds %s', (_what, text, position) => {
    expect(findInvisible(text)).toBe(position);
  });

  it('takes linear time, however many joiners there are', MEASURED, () => {
    const time = (length: number) => {
      const text = 'ک\u200C'.repeat(length);
      const start = performance.now();
      for (let round = 0; round < 20; round += 1) findInvisible(text);
      return performance.now() - start;
    };
    time(2000);
    expect(time(20_000)).toBeLessThan(100 * Math.max(time(2000), 1));
  });
});
