/** An ISO 8601 time without the fraction of a second, in UTC: `2026-01-31T12:00:00+00:00`. */
export function isoSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, '+00:00');
}
