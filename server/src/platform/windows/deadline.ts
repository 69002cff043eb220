// One timer for everything that waits for the same length of time. A timer for each would cost more than what it guards.

export interface Deadline {
  /** Calls `onLate` once, unless the function that it returns was called in time. */
  watch(onLate: () => void): () => void;
  /** How many are waiting. */
  readonly size: number;
}

interface Watched {
  readonly dueMs: number;
  readonly onLate: () => void;
}

export function createDeadline(afterMs: number): Deadline {
  // All wait equally long, so those that came first are due first.
  const waiting = new Set<Watched>();
  let isSet = false;

  function lookAfter(ms: number): void {
    isSet = true;
    setTimeout(look, ms).unref();
  }

  function look(): void {
    isSet = false;
    const nowMs = performance.now();
    for (const one of waiting) {
      // A timer may fire up to a millisecond early.
      if (one.dueMs - nowMs > 1) return lookAfter(one.dueMs - nowMs);
      waiting.delete(one);
      one.onLate();
    }
  }

  return {
    watch(onLate) {
      const one = { dueMs: performance.now() + afterMs, onLate };
      waiting.add(one);
      // It is left to fire when nothing waits any more: that is cheaper than to stop it each time.
      if (!isSet) lookAfter(afterMs);
      return () => void waiting.delete(one);
    },
    get size() {
      return waiting.size;
    },
  };
}
