import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dayKeyOf,
  writeDate,
  writeDay,
  writeMoment,
  writeLately,
  writeRecent,
  writeRelative,
  writeTime,
  writeUtc,
} from './date.ts';
import { localeOf } from './locale.tsx';

const en = localeOf('en');
const fa = localeOf('fa');
const enJalali = localeOf('en', { calendar: 'persian' });
const faGregorian = localeOf('fa', { calendar: 'gregorian', digits: 'latin' });
const TEHRAN = 'Asia/Tehran';
const at = (text: string) => Date.parse(text);

test('A time is local, in 24 hours, in the digits of the reader.', () => {
  const moment = at('2026-11-16T20:45:09Z');
  expect(writeTime(moment, en, { zone: 'UTC' })).toBe('20:45');
  expect(writeTime(moment, fa, { zone: TEHRAN })).toBe('۰۰:۱۵');
  expect(writeTime(moment, en, { zone: 'UTC', hasSeconds: true })).toBe('20:45:09');
  expect(writeUtc(moment)).toBe('2026-11-16 20:45:09 UTC');
});

test('A date is of the calendar that was chosen, without the name of its era.', () => {
  const moment = at('2026-11-16T12:00:00Z');
  expect(writeDate(moment, en, 'UTC')).toBe('16 Nov 2026');
  expect(writeDate(moment, fa, 'UTC')).toBe('۲۵ آبان ۱۴۰۵');
  expect(writeDate(moment, enJalali, 'UTC')).toBe('25 Aban 1405');
  expect(writeDate(moment, faGregorian, 'UTC')).toBe('16 نوامبر 2026');
  expect(writeMoment(moment, en, 'UTC')).toBe('16 Nov 2026 12:00');
});

test('The years of both calendars end on their own days.', () => {
  // Nowruz 1405 is on 21 March 2026; in Tehran the day begins three and a half hours before UTC's.
  expect(writeDate(at('2026-03-20T20:29:59Z'), fa, TEHRAN)).toBe('۲۹ اسفند ۱۴۰۴');
  expect(writeDate(at('2026-03-20T20:30:00Z'), fa, TEHRAN)).toBe('۱ فروردین ۱۴۰۵');
  expect(writeDate(at('2026-12-31T23:59:59Z'), en, 'UTC')).toBe('31 Dec 2026');
  // 1403 was a leap year, with a thirtieth of Esfand.
  expect(writeDate(at('2025-03-20T12:00:00Z'), fa, TEHRAN)).toBe('۳۰ اسفند ۱۴۰۳');
});

test('Days between messages are today, yesterday, or a weekday with its date.', () => {
  const now = at('2026-11-16T10:00:00Z');
  expect(writeDay(now, now, en, 'UTC')).toBe('Today');
  expect(writeDay(at('2026-11-15T23:59:59Z'), now, en, 'UTC')).toBe('Yesterday');
  expect(writeDay(at('2026-11-09T10:00:00Z'), now, en, 'UTC')).toBe('Monday 9 November');
  expect(writeDay(at('2025-11-09T10:00:00Z'), now, en, 'UTC')).toBe('Sunday 9 November 2025');
  expect(writeDay(at('2026-11-15T10:00:00Z'), now, fa, TEHRAN)).toBe('دیروز');
  expect(writeDay(at('2026-11-09T10:00:00Z'), now, fa, TEHRAN)).toBe('دوشنبه ۱۸ آبان');
  expect(writeDay(at('2026-03-01T10:00:00Z'), now, fa, TEHRAN)).toBe('یکشنبه ۱۰ اسفند ۱۴۰۴');
});

test('Yesterday is the day before, also where the clock was changed in the night.', () => {
  // Berlin: 25 October 2026 has 25 hours, 29 March has 23.
  for (const day of ['2026-10-26T00:30:00+01:00', '2026-03-30T00:30:00+02:00']) {
    const now = at(day);
    expect(writeDay(now - 60 * 60_000, now, en, 'Europe/Berlin')).toBe('Yesterday');
    expect(writeDay(now - 23 * 60 * 60_000, now, en, 'Europe/Berlin')).toBe('Yesterday');
    expect(writeDay(now - 27 * 60 * 60_000, now, en, 'Europe/Berlin')).not.toBe('Yesterday');
  }
});

test('Relative times end at one hour.', () => {
  const now = at('2026-11-16T10:00:00Z');
  expect(writeRelative(now - 20_000, now, en)).toBe('just now');
  expect(writeRelative(now - 5 * 60_000, now, en)).toBe('5 min ago');
  expect(writeRelative(now - 5 * 60_000, now, fa)).toBe('۵ دقیقه پیش');
  expect(writeRelative(now - 60 * 60_000, now, en)).toBeUndefined();
  expect(writeRecent(now - 61 * 60_000, now, en, 'UTC')).toBe('08:59');
  expect(writeRecent(now - 30 * 60 * 60_000, now, en, 'UTC')).toBe('15 Nov 2026');
});

test('A column of times has one form for each distance.', () => {
  const now = at('2026-11-16T10:00:00Z');
  const lately = (text: string, locale = en) => writeLately(at(text), now, locale, 'UTC');
  expect(lately('2026-11-16T09:59:00Z')).toBe('09:59');
  expect(lately('2026-11-16T00:05:00Z')).toBe('00:05');
  expect(lately('2026-11-15T23:00:00Z')).toBe('Yesterday');
  expect(lately('2026-11-09T12:00:00Z')).toBe('9 Nov');
  expect(lately('2025-12-31T12:00:00Z')).toBe('31 Dec 2025');
  expect(lately('2026-11-09T12:00:00Z', fa)).toBe('۱۸ آبان');
  // The Persian year began in March.
  expect(lately('2026-01-09T12:00:00Z', fa)).toBe('۱۹ دی ۱۴۰۴');
});

test('Moments of one day have one key, and days follow each other in both calendars.', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom(en, fa), (moment, locale) => {
      const day = 24 * 60 * 60_000;
      const noon = moment - (moment % day) + day / 2;
      expect(dayKeyOf(noon, 'UTC')).toBe(dayKeyOf(noon + 6 * 60 * 60_000, 'UTC'));
      expect(dayKeyOf(noon, 'UTC')).not.toBe(dayKeyOf(noon + day, 'UTC'));
      expect(writeDate(noon, locale, 'UTC')).not.toBe(writeDate(noon + day, locale, 'UTC'));
      expect(writeDay(noon - day, noon, en, 'UTC')).toBe('Yesterday');
    }),
    { numRuns: 500 },
  );
});
