// Lengths of time as people say them: whole weeks, days, hours or minutes, else seconds.

export type DurationUnit = 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds';

const SECONDS: Readonly<Record<DurationUnit, number>> = {
  weeks: 604_800,
  days: 86_400,
  hours: 3600,
  minutes: 60,
  seconds: 1,
};

export interface Duration {
  readonly unit: DurationUnit;
  readonly count: number;
}

/** The largest unit of which it is a whole number. */
export function durationOf(seconds: number): Duration {
  const units = Object.entries(SECONDS) as [DurationUnit, number][];
  const [unit, size] = units.find(([, each]) => seconds % each === 0) ?? (['seconds', 1] as const);
  return { unit, count: seconds / size };
}

/** The server stores seconds below this. */
const SECONDS_END = 2 ** 31;

/** Whole minutes, as seconds; undefined for what is no such number or too long for the server. */
export function minutesToSeconds(text: string): number | undefined {
  const seconds = /^[1-9]\d{0,7}$/.test(text) ? Number(text) * SECONDS.minutes : SECONDS_END;
  return seconds < SECONDS_END ? seconds : undefined;
}
