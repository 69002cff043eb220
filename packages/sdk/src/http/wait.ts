// Waiting that can be ended.

/** Resolves after `ms`, or rejects with the reason of the signal. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** A pause that doubles with every attempt; the random half keeps clients from coming back together. */
export function pauseAfter(attempt: number, maxMs: number): number {
  const fullMs = Math.min(maxMs, 200 * 2 ** Math.min(attempt - 1, 20));
  return Math.round(fullMs * (0.5 + Math.random() / 2));
}
