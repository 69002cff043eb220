// Decides when the engine looks at operators' rows: when a bell rings, after an answer, and at regular intervals.
import type { Bus } from '../../platform/bus/bus.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import { pause } from '../../platform/std/wait.ts';

/** The least time between two looks, because anybody on the bus can ring the bell. */
const BELL_GAP_MS = 5;

export interface LookingOptions {
  readonly bus: Bus;
  /** The time between two looks when no bell rings. */
  readonly everyMs: number;
  look(): Promise<void>;
  /** Whether a command was answered since the last look began. */
  hasAnswered(): boolean;
  /** Whether movements wait for the projections; then the projections' bell counts too. */
  isHeld(): boolean;
  /** Called before each pause, with the function that ends it. */
  onSleep(wake: () => void): void;
}

export function keepLooking(options: LookingOptions): { stop(): Promise<void> } {
  const { bus, everyMs, look, hasAnswered, isHeld, onSleep } = options;
  const done = new AbortController();
  let rung = true;
  let wake = () => {};
  const ring = () => {
    rung = true;
    wake();
  };
  const bells = [
    bus.subscribe(SUBJECTS.operatorBell, ring),
    bus.subscribe(SUBJECTS.projected, () => {
      if (isHeld()) ring();
    }),
  ];
  const looking = (async () => {
    while (!done.signal.aborted) {
      rung = false;
      await look();
      const sleeping = new AbortController();
      wake = () => sleeping.abort();
      onSleep(wake);
      done.signal.addEventListener('abort', wake, { once: true });
      await pause(BELL_GAP_MS, done.signal);
      // After an answer the next look comes at once.
      if (!rung && !hasAnswered()) await pause(everyMs, sleeping.signal);
      done.signal.removeEventListener('abort', wake);
    }
  })();
  return {
    async stop() {
      done.abort();
      for (const bell of bells) bell.unsubscribe();
      await looking;
    },
  };
}
