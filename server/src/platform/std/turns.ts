// Runs a fixed number of tasks at a time, in the order in which they were requested. For tasks that can wait but
// are expensive in parallel: one at a time yields to other work between its steps, while many at once use
// everything up.

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
  /** How long to rest after a turn of this many milliseconds; no rest by default. */
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
        // The finished task passes its place on, so it stays counted.
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        const restMs = restAfter(performance.now() - startedMs);
        // A pending rest keeps no process from ending.
        if (restMs > 0) setTimeout(handOn, restMs).unref();
        else handOn();
      }
    },
  };
}
