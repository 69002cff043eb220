// The lengths of time that have names, and Unix time.

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Whole seconds since the Unix epoch, as clients of the chat read times. A number is milliseconds. */
export const unixSeconds = (at: Date | number): number =>
  Math.floor((typeof at === 'number' ? at : at.getTime()) / 1000);
