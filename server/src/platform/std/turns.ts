// Work that is done so many at a time, in the order in which it was asked for. For what is cheap to wait for and dear
// to do side by side: each step of one gives everybody else a turn, while many at once take all of them.

export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting';
}

export interface Turns {
  /** Runs `work` when it is its turn; refuses when too many wait already. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

export interface TurnsOptions {
  readonly atOnce: number;
  readonly waitingMax: number;
  /** How long nobody follows after a turn of so many milliseconds; at once unless told otherwise. */
  restAfter?(spentMs: number): number;
}

export function createTurns({ atOnce, waitingMax, restAfter = () => 0 }: TurnsOptions): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  const handOn = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    async take(work) {
      if (running < atOnce) running += 1;
      else {
        if (waiting.length >= waitingMax) throw new TooManyWaiting(`${waitingMax} wait already.`);
        // Whoever ends hands the place on, so it stays counted.
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        const restMs = restAfter(performance.now() - startedMs);
        // A rest that is left over keeps no process from ending.
        if (restMs > 0) setTimeout(handOn, restMs).unref();
        else handOn();
      }
    },
  };
}
