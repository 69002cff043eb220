// Customary times for sending later. Pure: local times of the reader.

const NINE = 9;

/** To the minute. */
export function inAnHour(now: Date): Date {
  const at = new Date(now.getTime() + 60 * 60_000);
  at.setSeconds(0, 0);
  return at;
}

export function tomorrow(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, NINE);
}

/** The Monday to come; a week from now on a Monday. */
export function monday(now: Date): Date {
  const days = (8 - now.getDay()) % 7 || 7;
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, NINE);
}
