// Parses the content of `<time:…>`: ISO 8601, seconds since the epoch, or a complete date in English (`31 Dec 2017,
// 5:30 pm IST`). Times relative to today are refused: a text must always mean the same.
import { MINUTE_MS } from '../../../platform/std/time.ts';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/i;
const EPOCH = /^-?\d{1,12}(?:\.\d{1,9})?$/;
/** The years that every client can parse. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1, 0), Date.UTC(9999, 11, 31)];

/** The time in UTC, to the second, in the format of `datetime`; undefined if the text is not a time. */
export function parseTime(text: string): string | undefined {
  const ms =
    parseParts(COMPACT.exec(text)) ??
    parseEpoch(text) ??
    parseParts(ISO.exec(text)) ??
    parseWords(text.toLowerCase().split(/[\s,]+/));
  if (ms === undefined || !(ms >= FIRST_MS && ms <= LAST_MS)) return undefined;
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

const parseEpoch = (text: string): number | undefined =>
  EPOCH.test(text) ? Math.floor(Number(text)) * 1000 : undefined;

/** Milliseconds since the epoch, from a match with the year to the second and the zone. */
function parseParts(match: RegExpExecArray | null): number | undefined {
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const zone = zoneMs(match[7] ?? 'Z');
  return zone === undefined
    ? undefined
    : momentOf({ year, month, day }, [hour, minute, second], zone);
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}
type Clock = readonly [hour: number, minute: number, second: number];

function momentOf({ year, month, day }: Day, clock: Clock, zone: number): number | undefined {
  const [hour, minute, second] = clock;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // The 31st of a shorter month would silently become the first of the next.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, 0);
  return date.getTime() - zone;
}

/** Zones with abbreviations, in minutes east of Greenwich. */
const ZONES: ReadonlyMap<string, number> = new Map(
  (
    'z:0 utc:0 gmt:0 wet:0 bst:60 west:60 cet:60 cest:120 eet:120 eest:180 msk:180 irst:210 pkt:300 ist:330 ' +
    'jst:540 kst:540 aest:600 aedt:660 nzst:720 nzdt:780 edt:-240 est:-300 cdt:-300 cst:-360 mdt:-360 ' +
    'mst:-420 pdt:-420 pst:-480 akdt:-480 akst:-540 hst:-600'
  )
    .split(' ')
    .map((zone) => zone.split(':'))
    .map(([name = '', minutes]) => [name, Number(minutes)]),
);
const OFFSET = /^([+-])(\d{2}):?(\d{2})?$/;

/** Undefined for an invalid zone: offsets are below one day. */
function zoneMs(text: string): number | undefined {
  const [, sign, hours = '', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (sign === undefined) {
    const named = ZONES.get(text.toLowerCase());
    return named === undefined ? undefined : named * MINUTE_MS;
  }
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const east = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === '-' ? -east : east;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH_NAME =
  /^(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$/;
const WEEKDAY =
  /^(?:mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\.?$/;
const FILLER: ReadonlySet<string> = new Set(['', 'at', 'on', 'of', 'and', 'the']);
const HALF = /^[ap]\.?m\.?$/;
const CLOCK = /^(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?([ap]\.?m\.?)?$/;
const DAY_NUMBER = /^(\d{1,2})(?:st|nd|rd|th)?$/;
const NUMBERS = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})$/;
const DASHED = /^(\d{1,2})-([a-z]{3,9})-(\d{4})$/;
/** The maximum number of words in a date. */
const WORDS_MAX = 12;

interface Found {
  year?: number;
  month?: number;
  day?: number;
  clock?: Clock;
  zone?: number;
}

/** A date in words or numbers, with or without a time. Every word must be understood, and none may come twice. */
function parseWords(words: readonly string[]): number | undefined {
  if (words.length > WORDS_MAX) return undefined;
  const found: Found = {};
  for (const [index, word] of words.entries()) {
    // "am" and "pm" were read with the hour before them.
    if (FILLER.has(word) || WEEKDAY.test(word) || HALF.test(word)) continue;
    const half = HALF.exec(words[index + 1] ?? '')?.[0];
    if (!takeClock(found, word, half) && !takeDate(found, word) && !takeZone(found, word))
      return undefined;
  }
  const { year, month, day, clock = [0, 0, 0], zone = 0 } = found;
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return momentOf({ year, month, day }, clock, zone);
}

function takeDate(found: Found, word: string): boolean {
  const numbers = NUMBERS.exec(word);
  if (numbers !== null) return takeNumbers(found, numbers);
  const dashed = DASHED.exec(word);
  if (dashed !== null) return dashed.slice(1).every((part) => takeDate(found, part));
  const name = MONTH_NAME.exec(word)?.[1];
  if (name !== undefined && found.month === undefined) {
    found.month = MONTHS.indexOf(name.slice(0, 3)) + 1;
    return true;
  }
  if (/^\d{4}$/.test(word) && found.year === undefined) {
    found.year = Number(word);
    return true;
  }
  const day = DAY_NUMBER.exec(word)?.[1];
  if (day === undefined || found.day !== undefined) return false;
  found.day = Number(day);
  return true;
}

/** `2017/12/31`, `12/31/2017`, and `31/12/2017` if the first number cannot be a month. */
function takeNumbers(found: Found, [, first = '', , second = '', third = '']: RegExpExecArray) {
  if (found.year !== undefined || found.month !== undefined || found.day !== undefined)
    return false;
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  if (first.length === 4) [found.year, found.month, found.day] = [a, b, c];
  else if (third.length !== 4) return false;
  else if (a > 12) [found.day, found.month, found.year] = [a, b, c];
  else [found.month, found.day, found.year] = [a, b, c];
  return true;
}

function takeClock(found: Found, word: string, following: string | undefined): boolean {
  const [, hours, minutes, seconds, half = following] = CLOCK.exec(word) ?? [];
  if (hours === undefined || found.clock !== undefined) return false;
  // An hour alone needs "am" or "pm".
  if (minutes === undefined && half === undefined) return false;
  const hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return false;
  found.clock = [
    half === undefined ? hour : (hour % 12) + (half.startsWith('p') ? 12 : 0),
    Number(minutes ?? 0),
    Number(seconds ?? 0),
  ];
  return true;
}

function takeZone(found: Found, word: string): boolean {
  const zone = found.zone === undefined ? zoneMs(word) : undefined;
  if (zone === undefined) return false;
  found.zone = zone;
  return true;
}
