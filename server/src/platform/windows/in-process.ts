// Windows of a single process: the last admissions of each caller, in a ring.
import type { Clock } from '../std/clock.ts';
import type { Admission, WindowRule, Windows } from './windows.ts';

interface Caller {
  /** Admission times, oldest first. Those before `first` have left the window. */
  times: number[];
  first: number;
  windowMs: number;
}

/** Expired times are removed in bulk, so that a high limit costs no more per call. */
const CUT_AT = 64;

const SWEEP_EVERY_MS = 10_000;
/** Bounds memory under a flood from many addresses: the callers seen longest ago are forgotten first. */
const CALLERS_MAX = 200_000;

export function createInProcessWindows(clock: Clock): Windows {
  const callers = new Map<string, Caller>();
  let sweptMs = clock.now();

  function sweep(nowMs: number): void {
    sweptMs = nowMs;
    for (const [key, { times, windowMs }] of callers) {
      const newest = times.at(-1);
      if (newest === undefined || nowMs - newest > windowMs) callers.delete(key);
    }
  }

  /** One, not all expired ones: a caller in a flood must not cost more than others. */
  function forgetOldest(): void {
    for (const key of callers.keys()) {
      callers.delete(key);
      return;
    }
  }

  function admit(key: string, { limit, windowMs }: WindowRule): Admission {
    const nowMs = clock.now();
    if (nowMs - sweptMs > SWEEP_EVERY_MS) sweep(nowMs);
    let caller = callers.get(key);
    if (caller === undefined) {
      if (callers.size >= CALLERS_MAX) forgetOldest();
      caller = { times: [], first: 0, windowMs };
      callers.set(key, caller);
    }
    const { times } = caller;
    // A wall clock that was set back leaves times in the future, which mean nothing any more.
    if (times.length > 0 && (times.at(-1) as number) > nowMs) {
      times.length = 0;
      caller.first = 0;
    }
    let { first } = caller;
    while (first < times.length && nowMs - (times[first] as number) > windowMs) first += 1;
    if (first >= CUT_AT && first * 2 >= times.length) {
      times.splice(0, first);
      first = 0;
    }
    caller.first = first;
    const admitted = times.length - first < limit;
    if (admitted) times.push(nowMs);
    return {
      admitted,
      atMs: nowMs,
      remaining: limit - (times.length - first),
      resetMs: (times[first] ?? nowMs - windowMs) + windowMs,
      token: admitted ? nowMs : 0,
    };
  }

  return {
    admit,
    release(key, token) {
      const times = callers.get(key)?.times;
      const index = times?.lastIndexOf(token) ?? -1;
      if (index >= 0) times?.splice(index, 1);
    },
    isConnected: () => true,
    close: async () => callers.clear(),
  };
}
