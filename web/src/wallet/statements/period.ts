// The stretch of time that a statement covers. Pure.
import { monthsUntil, readDay, startOfDay, type Month } from '../../i18n/calendar.ts';
import type { Calendar } from '../../i18n/locale.tsx';

const DAY_MS = 86_400_000;
/** As the API has it. */
export const DAYS_MAX = 366;
/** A statement ends at least ten seconds ago, so that nothing can still be added; clocks differ by some. */
export const SETTLED_MS = 20_000;
const MONTHS = 13;

export const monthsBefore = (nowMs: number, calendar: Calendar): readonly Month[] =>
  monthsUntil(nowMs, MONTHS, calendar);

/** The end of what has not ended yet is now. */
export const settled = ({ fromMs, toMs }: Month, nowMs: number): Month => ({
  fromMs,
  toMs: Math.min(toMs, nowMs),
});

export type Read = Month | { readonly problem: Problem };
export type Problem = 'first' | 'last' | 'order' | 'future' | 'long';

/** Both days belong to it. */
export function readRange(first: string, last: string, calendar: Calendar, nowMs: number): Read {
  const fromMs = readDay(first, calendar);
  if (fromMs === undefined) return { problem: 'first' };
  const lastMs = readDay(last, calendar);
  if (lastMs === undefined) return { problem: 'last' };
  if (lastMs < fromMs) return { problem: 'order' };
  if (fromMs >= nowMs) return { problem: 'future' };
  const toMs = startOfDay(lastMs, 1);
  // A day of 25 hours does not make a year too long.
  if (Math.round((toMs - fromMs) / DAY_MS) > DAYS_MAX) return { problem: 'long' };
  return settled({ fromMs, toMs }, nowMs);
}
