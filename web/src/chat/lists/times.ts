// Times that people choose for a message to leave. Pure; milliseconds, local time.

export type TimeChoice = 'inHalfAnHour' | 'thisEvening' | 'tomorrow' | 'nextMonday';

export interface OfferedTime {
  readonly choice: TimeChoice;
  readonly atMs: number;
}

const MINUTE_MS = 60_000;
/** The server sends what is due each few minutes; sooner is a promise that nobody keeps. */
const SOONEST_MS = 5 * MINUTE_MS;
const MONDAY = 1;

export function offerTimes(nowMs: number): OfferedTime[] {
  const evening = at(nowMs, 0, 18);
  const daysToMonday = (MONDAY - new Date(nowMs).getDay() + 7) % 7 || 7;
  return [
    { choice: 'inHalfAnHour' as const, atMs: nowMs + 30 * MINUTE_MS },
    { choice: 'thisEvening' as const, atMs: evening },
    { choice: 'tomorrow' as const, atMs: at(nowMs, 1, 9) },
    { choice: 'nextMonday' as const, atMs: at(nowMs, daysToMonday, 9) },
  ].filter(({ atMs }) => isSoonEnough(atMs, nowMs));
}

export const isSoonEnough = (atMs: number, nowMs: number): boolean => atMs - nowMs >= SOONEST_MS;

function at(nowMs: number, days: number, hour: number): number {
  const date = new Date(nowMs);
  date.setDate(date.getDate() + days);
  return date.setHours(hour, 0, 0, 0);
}

/** For a field of type `datetime-local`, and back. */
export function toField(atMs: number): string {
  const date = new Date(atMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function fromField(text: string): number | undefined {
  const atMs = new Date(text).getTime();
  return Number.isNaN(atMs) ? undefined : atMs;
}
