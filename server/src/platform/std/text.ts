/** An ISO 8601 time to the minute, in UTC: `2026-01-31T12:00+00:00`. */
export function isoMinutes(date: Date): string {
  return `${date.toISOString().slice(0, 16)}+00:00`;
}
