import { describe, expect, it } from 'vitest';
import { dayAt, monthsUntil, printDay, readDay, startOf, startOfDay } from './calendar.ts';

const at = (year: number, month: number, day: number) => new Date(year, month - 1, day).getTime();

describe('a day', () => {
  it.each([
    ['1403-12-30', at(2025, 3, 20)],
    ['1404-01-01', at(2025, 3, 21)],
    ['1404-12-29', at(2026, 3, 20)],
    ['1405/01/01', at(2026, 3, 21)],
    ['۱۴۰۵/۸/۱', at(2026, 10, 23)],
  ])('%s is found in the Persian calendar', (text, expected) => {
    expect(readDay(text, 'persian')).toBe(expected);
  });

  it('is found in the Gregorian one', () => {
    expect(readDay('2024-02-29', 'gregorian')).toBe(at(2024, 2, 29));
    expect(readDay('٢٠٢٦.١٢.٣١', 'gregorian')).toBe(at(2026, 12, 31));
  });

  it('is none where the calendar has none', () => {
    expect(readDay('2025-02-29', 'gregorian')).toBeUndefined();
    expect(readDay('1404-12-30', 'persian')).toBeUndefined();
    expect(readDay('1404-13-01', 'persian')).toBeUndefined();
    expect(readDay('yesterday', 'persian')).toBeUndefined();
  });

  it('comes back from every day of six years, in both calendars', () => {
    for (let day = 0; day < 6 * 366; day += 1) {
      const start = startOfDay(at(2023, 1, 1), day);
      for (const calendar of ['gregorian', 'persian'] as const) {
        expect(startOf(dayAt(start, calendar), calendar)).toBe(start);
        expect(readDay(printDay(start, calendar), calendar)).toBe(start);
      }
    }
  });
});

it('months follow each other over the end of a year', () => {
  const months = monthsUntil(at(2026, 4, 2), 3, 'persian');
  expect(months.map(({ fromMs }) => printDay(fromMs, 'persian'))).toEqual([
    '1405-01-01',
    '1404-12-01',
    '1404-11-01',
  ]);
  expect(months[1]?.toMs).toBe(months[0]?.fromMs);
  expect(monthsUntil(at(2026, 1, 5), 2, 'gregorian').map(({ fromMs }) => fromMs)).toEqual([
    at(2026, 1, 1),
    at(2025, 12, 1),
  ]);
});
