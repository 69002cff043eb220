// Days and months of both calendars as moments in the reader's zone. Pure: what the browser's own calendar says is asked
// for each day, so a leap year of either calendar is right without a table of ours.
import type { Calendar } from './locale.tsx';

export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const formats: Readonly<Record<Calendar, Intl.DateTimeFormat>> = {
  gregorian: formatOf('gregory'),
  persian: formatOf('persian'),
};

function formatOf(calendar: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
}

/** The day of a moment. */
export function dayAt(atMs: number, calendar: Calendar): CalendarDay {
  const parts = formats[calendar].formatToParts(atMs);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return { year: read('year'), month: read('month'), day: read('day') };
}

/** The first moment of the day that is so many days after the day of `atMs`. */
export function startOfDay(atMs: number, daysLater = 0): number {
  const at = new Date(atMs);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + daysLater).getTime();
}

/** The first moment of a day; undefined if the calendar has no such day. */
export function startOf({ year, month, day }: CalendarDay, calendar: Calendar): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const guess =
    calendar === 'gregorian'
      ? new Date(year, month - 1, day).getTime()
      : // Six months of 31 days, then of 30; the new year is on 20, 21 or 22 March.
        new Date(
          year + 621,
          2,
          21 + (month - 1) * 31 - Math.max(0, month - 7) + (day - 1),
        ).getTime();
  for (const later of [0, -1, 1, -2, 2]) {
    const at = startOfDay(guess, later);
    const found = dayAt(at, calendar);
    if (found.year === year && found.month === month && found.day === day) return at;
  }
  return undefined;
}

export interface Month {
  readonly fromMs: number;
  /** The first moment of the next one. */
  readonly toMs: number;
}

/** The month of a moment and those before it, the newest first. */
export function monthsUntil(nowMs: number, count: number, calendar: Calendar): readonly Month[] {
  const months: Month[] = [];
  let { year, month } = dayAt(nowMs, calendar);
  for (let made = 0; made < count; made += 1) {
    const fromMs = startOf({ year, month, day: 1 }, calendar);
    const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
    const toMs = startOf({ ...next, day: 1 }, calendar);
    if (fromMs === undefined || toMs === undefined) break;
    months.push({ fromMs, toMs });
    [year, month] = month === 1 ? [year - 1, 12] : [year, month - 1];
  }
  return months;
}

const DAY_TEXT = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;

/** A day that a person typed, "1405-08-01" or "۱۴۰۵/۸/۱"; its first moment, or undefined. */
export function readDay(text: string, calendar: Calendar): number | undefined {
  const latin = text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\s]/gu, '')
    .replace(/[۰-۹٠-٩]/gu, (digit) => String(digit.charCodeAt(0) & 0xf));
  const [, year, month, day] = DAY_TEXT.exec(latin) ?? [];
  if (year === undefined) return undefined;
  return startOf({ year: Number(year), month: Number(month), day: Number(day) }, calendar);
}

/** The same the other way round, for a field. */
export function printDay(atMs: number, calendar: Calendar): string {
  const { year, month, day } = dayAt(atMs, calendar);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)}`;
}
