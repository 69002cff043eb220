// A steady pace for each of many callers, with a burst: one number per caller, whatever the pace is.

export interface PaceOptions {
  readonly perSecond: number;
  /** How many may come at once before anybody waits. */
  readonly burst: number;
}

export interface Pace {
  /**
   * Takes the next turn of `key` and returns the milliseconds until it comes: 0 for at once. Undefined when that
   * would be longer than `patienceMs`; then nothing is taken.
   */
  reserve(key: string, nowMs: number, patienceMs?: number): number | undefined;
}

const SWEEP_EVERY_MS = 10_000;
/** Bounds memory under a flood from many addresses: the callers seen longest ago are forgotten first. */
const CALLERS_MAX = 100_000;

export function createPace({ perSecond, burst }: PaceOptions): Pace {
  const stepMs = 1000 / perSecond;
  const slackMs = (burst - 1) * stepMs;
  /** By caller: when all of its turns are used up. */
  const paidMs = new Map<string, number>();
  let sweptMs = 0;

  function sweep(nowMs: number): void {
    sweptMs = nowMs;
    for (const [key, atMs] of paidMs) if (atMs <= nowMs) paidMs.delete(key);
  }

  function forgetOldest(): void {
    for (const key of paidMs.keys()) {
      paidMs.delete(key);
      return;
    }
  }

  return {
    reserve(key, nowMs, patienceMs = 0) {
      if (nowMs - sweptMs > SWEEP_EVERY_MS) sweep(nowMs);
      const known = paidMs.get(key);
      const fromMs = known === undefined || known < nowMs ? nowMs : known;
      const waitMs = Math.max(0, fromMs - nowMs - slackMs);
      if (waitMs > patienceMs) return undefined;
      if (known === undefined && paidMs.size >= CALLERS_MAX) forgetOldest();
      paidMs.set(key, fromMs + stepMs);
      return waitMs;
    },
  };
}
