// The engine's time: the readings of this machine's clocks, from which `VenueTime` makes the time that commands get.
import os from 'node:os';
import { VenueTime } from '@rialto/matching';

/** A wall clock further away than this wants somebody to look after it. */
export const CLOCK_ALARM_MS = 1000;

export interface EngineTimeOptions {
  /** Milliseconds since the Unix epoch, by the machine's clock of the day. */
  wall(): number;
  /** Milliseconds since whenever, at an even pace. */
  monotonic?(): number;
  /** Milliseconds since the machine started, its sleep included, which the monotonic clock leaves out. */
  uptime?(): number;
  /** The last time in the journal: from there it goes on, should the wall clock be behind it. */
  readonly notBeforeMs: number;
}

/** Differences below this are those between two readings. */
const SLEEP_MS = 1000;

export class EngineTime {
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  readonly #uptime: () => number;
  /** How much of its life the machine had slept when we last looked. */
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
   * Goes over the time that the machine slept, if both its uptime and the wall clock say that it did. To be
   * called now and then; returns how much that was.
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

  /** The wall clock less this time, when it was read last. */
  get offsetMs(): number {
    return this.#time.offsetMs;
  }

  /**
   * How late it is by whichever clock says that it is earlier: for refusing what came too late, a doubt about
   * the time is no reason.
   */
  earliest(): number {
    return Math.min(this.now(), this.#wall());
  }

  /** How far `ms` is from now, by whichever clock says that it is nearer. */
  distanceTo(ms: number): number {
    return Math.min(Math.abs(this.now() - ms), Math.abs(this.#wall() - ms));
  }
}
