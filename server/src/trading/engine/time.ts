// The engine's time: reads this machine's clocks, from which `VenueTime` computes the time that
// commands get.
import os from 'node:os';
import { VenueTime } from '@rialto/matching';

/** A wall clock further off than this needs an operator's attention. */
export const CLOCK_ALARM_MS = 1000;

export interface EngineTimeOptions {
  /** Milliseconds since the Unix epoch, by the machine's clock of the day. */
  wall(): number;
  /** Milliseconds since an arbitrary start, at an even pace. */
  monotonic?(): number;
  /**
   * Milliseconds since the machine started, including sleep, which the monotonic clock leaves out.
   */
  uptime?(): number;
  /** The last time in the journal: time goes on from there if the wall clock is behind it. */
  readonly notBeforeMs: number;
}

/** Smaller differences are the time between two readings. */
const SLEEP_MS = 1000;

export class EngineTime {
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  readonly #uptime: () => number;
  /** How much the machine had slept in all when we last looked. */
  #sleptMs: number;
  readonly #time: VenueTime;

  constructor(options: EngineTimeOptions) {
    const { wall, monotonic = () => performance.now(), notBeforeMs } = options;
    const { uptime = () => os.uptime() * 1000 } = options;
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#uptime = uptime;
    const readMs = monotonic();
    this.#sleptMs = uptime() - readMs;
    this.#time = new VenueTime(wall(), readMs, notBeforeMs);
  }

  /** Never less than before. */
  now(): number {
    return this.#time.advance(this.#wall(), this.#monotonic());
  }

  /**
   * Skips the time that the machine slept, if both its uptime and the wall clock say so. Call it
   * now and then; returns how much that was.
   */
  noticeSleep(): number {
    const now = this.now();
    const sleptMs = this.#uptime() - this.#monotonic();
    const justSleptMs = sleptMs - this.#sleptMs;
    if (justSleptMs < SLEEP_MS) return 0;
    this.#sleptMs = sleptMs;
    const skippedMs = Math.max(0, Math.min(justSleptMs, this.#wall() - now));
    this.#time.skip(skippedMs);
    return skippedMs;
  }

  /** The wall clock minus this time, at the last reading. */
  get offsetMs(): number {
    return this.#time.offsetMs;
  }

  /**
   * How late it is by the clock that says the least: doubt about the time is no reason to refuse a
   * request as late.
   */
  earliest(): number {
    return Math.min(this.now(), this.#wall());
  }

  /** How far `ms` is from now, by the clock that says the least. */
  distanceTo(ms: number): number {
    return Math.min(Math.abs(this.now() - ms), Math.abs(this.#wall() - ms));
  }
}
