// When to look at operators' rows: as soon as a bell rings or something was answered, and now and then anyway.
import type { Bus } from '../../platform/bus/bus.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import { pause } from '../../platform/std/wait.ts';

/** Between two looks, however often the bell is rung: anybody on the bus can ring it. */
const BELL_GAP_MS = 5;

export interface LookingOptions {
  readonly bus: Bus;
  /** Between two looks when nothing rings. */
  readonly everyMs: number;
  look(): Promise<void>;
  /** Something was answered while this looked. */
  hasAnswered(): boolean;
  /** Movements wait for the projections, so that their bell counts too. */
  isHeld(): boolean;
  /** Gives what ends the pause before the next look. */
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
      // What was answered while this looked is not waited for.
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
