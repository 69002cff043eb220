// What may stand in `<time:…>`: ISO 8601, or seconds since the epoch.

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const EPOCH = /^-?\d{1,12}$/;
/** Years that every client's parser can read. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1, 0), Date.UTC(9999, 11, 31)];

/** The moment in UTC to the second, as `datetime` wants it; undefined if the text is no time. */
export function readTime(text: string): string | undefined {
  const ms = EPOCH.test(text) ? Number(text) * 1000 : readIso(text);
  if (ms === undefined || !(ms >= FIRST_MS && ms <= LAST_MS)) return undefined;
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function readIso(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // The 31st of a shorter month would quietly become the first of the next.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, 0);
  return date.getTime() - offsetMs(match[7] ?? 'Z');
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
