// How the axis writes its moments: in the reader's zone and calendar. A bar of a day is a day of the venue, in UTC.
import { writeDayOfMonth, writeMoment, writeTime, writeDate } from '../../i18n/date.ts';
import type { Locale } from '../../i18n/locale.tsx';
import type { Interval } from '../address.ts';

export interface TimeWriters {
  /** The moment under the crosshair, and in the table. */
  readonly moment: (atMs: number) => string;
  /** A mark of the axis. */
  readonly mark: (atMs: number, isTime: boolean) => string;
}

export function timeWriters(interval: Interval, locale: Locale): TimeWriters {
  const isDaily = interval === '1d';
  const zone = isDaily ? 'UTC' : undefined;
  // A canvas that runs from left to right would put the day after its month.
  const mark = locale.direction === 'rtl' ? '\u200f' : '';
  return {
    moment: (at) => mark + (isDaily ? writeDate(at, locale, zone) : writeMoment(at, locale, zone)),
    mark: (at, isTime) =>
      isTime ? writeTime(at, locale, { zone }) : mark + writeDayOfMonth(at, locale, zone),
  };
}
