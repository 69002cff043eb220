import { setTimeout as delay } from 'node:timers/promises';

/** Waits `ms`, or less when `signal` aborts; never throws. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch {
    // Aborted: the caller looks at its signal and stops.
  }
}

/** Resolves with `work`, or rejects with an error naming `what` after `ms`. */
export async function withDeadline<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  const timer = new AbortController();
  const late = delay(ms, undefined, { signal: timer.signal }).then(
    () => {
      throw new Error(`${what} took longer than ${ms} ms`);
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}
