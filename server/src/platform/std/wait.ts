import { setTimeout as delay } from 'node:timers/promises';

/** Waits `ms`, or less when `signal` aborts; never throws. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch {
    // Aborted: the caller checks its signal and stops.
  }
}

/** Resolves with `work`, or rejects with an error naming `what` after `ms`. */
export async function withDeadline<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  // No AbortSignal: aborting one creates an exception with a stack, and this is used for every request.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether `work` ends in time, with success or failure. */
export function isOverWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return withDeadline(work, ms, 'It').then(
    () => true,
    () => false,
  );
}
