// Writes moments for people: in their own time, in their calendar. The exact moment in UTC is always at hand.
import { tagOf, type Locale } from './locale.tsx';
import { defineTexts, textsFor } from './texts.ts';

const texts = defineTexts({
  en: { today: 'Today', yesterday: 'Yesterday', now: 'just now' },
  fa: { today: 'امروز', yesterday: 'دیروز', now: 'همین حالا' },
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A moment: milliseconds since 1970. */
type Moment = number;

// One for each locale, zone and way of writing: a few dozen at most.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(
  locale: Locale,
  zone: string | undefined,
  name: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${tagOf(locale)} ${zone ?? ''} ${name}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(tagOf(locale), {
    ...options,
    ...(zone === undefined ? {} : { timeZone: zone }),
  });
  formats.set(key, made);
  return made;
}

/** The pieces in the order that both languages have, and without the name of the era: no one mistakes 1405 for 2026.
 *  Browsers put the pieces of a Persian date in orders that nobody writes. */
function compose(format: Intl.DateTimeFormat, at: Moment): string {
  const parts = format.formatToParts(at);
  return (['weekday', 'day', 'month', 'year'] as const)
    .flatMap((type) => parts.find((part) => part.type === type)?.value ?? [])
    .join(' ');
}

/** The time of day: "10:02", or "10:02:33" where seconds matter. */
export function writeTime(
  at: Moment,
  locale: Locale,
  { zone, hasSeconds = false }: { zone?: string | undefined; hasSeconds?: boolean } = {},
): string {
  return formatOf(locale, zone, hasSeconds ? 'seconds' : 'time', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(hasSeconds ? { second: '2-digit' } : {}),
  }).format(at);
}

/** A key of the day in the reader's zone: two moments of one day have the same. */
export function dayKeyOf(at: Moment, zone?: string): string {
  return formatOf(DAY_LOCALE, zone, 'key', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);
}

const DAY_LOCALE: Locale = {
  language: 'en',
  direction: 'ltr',
  digits: 'latin',
  calendar: 'gregorian',
};

/** The day between messages: "Today", "Yesterday", "Monday 9 November", with the year if it is another one. */
export function writeDay(at: Moment, now: Moment, locale: Locale, zone?: string): string {
  const key = dayKeyOf(at, zone);
  const t = textsFor(texts, locale);
  if (key === dayKeyOf(now, zone)) return t.today;
  // Half a day before the last midnight: a day may have 23 or 25 hours.
  if (key === dayKeyOf(startOfDay(now, zone) - DAY_MS / 2, zone)) return t.yesterday;
  const isThisYear = isSameYear(at, now, locale, zone);
  return compose(
    formatOf(locale, zone, isThisYear ? 'weekday' : 'full', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      ...(isThisYear ? {} : { year: 'numeric' }),
    }),
    at,
  );
}

function isSameYear(at: Moment, now: Moment, locale: Locale, zone?: string): boolean {
  const year = formatOf(locale, zone, 'year', { year: 'numeric' });
  return year.format(at) === year.format(now);
}

function startOfDay(at: Moment, zone: string | undefined): Moment {
  const [hours = 0, minutes = 0, seconds = 0] = writeTime(at, DAY_LOCALE, {
    zone,
    hasSeconds: true,
  })
    .split(':')
    .map(Number);
  return at - hours * HOUR_MS - minutes * MINUTE_MS - seconds * 1000;
}

/** A date in a table: "16 Nov 2026", "۲۵ آبان ۱۴۰۵". */
export function writeDate(at: Moment, locale: Locale, zone?: string): string {
  return compose(
    formatOf(locale, zone, 'date', { day: 'numeric', month: 'short', year: 'numeric' }),
    at,
  );
}

/** A month with its year: "November 2026", "آبان ۱۴۰۵". */
export function writeMonth(at: Moment, locale: Locale): string {
  return compose(formatOf(locale, undefined, 'month', { month: 'long', year: 'numeric' }), at);
}

/** A day on an axis: "16 Nov", "۲۵ آبان". */
export function writeDayOfMonth(at: Moment, locale: Locale, zone?: string): string {
  return compose(formatOf(locale, zone, 'dayOfMonth', { day: 'numeric', month: 'short' }), at);
}

/** Date and time of day. */
export function writeMoment(at: Moment, locale: Locale, zone?: string): string {
  return `${writeDate(at, locale, zone)} ${writeTime(at, locale, { zone })}`;
}

/** The exact moment, the same for everybody: "2026-11-16 10:02:33 UTC". */
export function writeUtc(at: Moment): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const relatives = new Map<string, Intl.RelativeTimeFormat>();

/** "5 min ago", under an hour. Above it `undefined`: people then want the time itself. */
export function writeRelative(at: Moment, now: Moment, locale: Locale): string | undefined {
  const age = now - at;
  if (age >= HOUR_MS || age <= -HOUR_MS) return undefined;
  const minutes = Math.trunc(age / MINUTE_MS);
  if (minutes === 0) return textsFor(texts, locale).now;
  const tag = tagOf(locale);
  const format = relatives.get(tag) ?? new Intl.RelativeTimeFormat(tag, { style: 'short' });
  relatives.set(tag, format);
  return format.format(-minutes, 'minute');
}

/** When something last happened, in a column: the time today, "Yesterday", the day, with the year if it is another one. */
export function writeLately(at: Moment, now: Moment, locale: Locale, zone?: string): string {
  const day = writeDay(at, now, locale, zone);
  const t = textsFor(texts, locale);
  if (day === t.today) return writeTime(at, locale, { zone });
  if (day === t.yesterday) return day;
  return isSameYear(at, now, locale, zone)
    ? writeDayOfMonth(at, locale, zone)
    : writeDate(at, locale, zone);
}

/** When something last happened, alone: minutes ago, else the time today, else the day. */
export function writeRecent(at: Moment, now: Moment, locale: Locale, zone?: string): string {
  const relative = writeRelative(at, now, locale);
  if (relative !== undefined) return relative;
  return dayKeyOf(at, zone) === dayKeyOf(now, zone)
    ? writeTime(at, locale, { zone })
    : writeDate(at, locale, zone);
}
