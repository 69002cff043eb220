/** Waits `ms`, or less when `signal` aborts; never throws. Who is woken often waits for a `Bell`. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
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
