// Times as people in a time zone write them.

/** Whether the runtime knows the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** Prints milliseconds as ISO 8601 with the offset that the zone has then: `2026-03-21T23:59:59.999+03:30`. */
export function localTimes(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZoneName: 'longOffset',
  });
  return (ms) => {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    // `GMT`, `GMT+03:30` or, for some zones long ago, with seconds.
    const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name);
    const [, sign = '+', hours = '00', minutes = '00', seconds = '00'] = match ?? [];
    const offsetMs =
      (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) *
      (sign === '-' ? -1000 : 1000);
    const local = new Date(ms + offsetMs).toISOString().slice(0, -1);
    return `${local}${sign}${hours}:${minutes}${seconds === '00' ? '' : `:${seconds}`}`;
  };
}
