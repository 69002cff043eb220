// Time as commands get it. It begins with the wall clock when an engine takes over, and goes on at the pace of
// the monotonic clock: a wall clock that somebody sets moves no timer early and stops none. Towards the wall
// clock it goes slowly, so that the drift of a good clock is followed and a step is not.
import os from 'node:os';

/** Half a second in a thousand: more than a sound clock drifts, and nothing that a timer notices. */
const SLEW = 0.0005;
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
  #timeMs: number;
  #readMs: number;
  #offsetMs = 0;

  constructor(options: EngineTimeOptions) {
    const { wall, monotonic = () => performance.now(), notBeforeMs } = options;
    const { uptime = () => os.uptime() * 1000 } = options;
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#uptime = uptime;
    this.#readMs = monotonic();
    this.#sleptMs = uptime() - this.#readMs;
    // Whatever fell due while nobody was at work falls due now.
    this.#timeMs = Math.max(wall(), notBeforeMs);
  }

  /** Never less than before. */
  now(): number {
    const readMs = this.#monotonic();
    const passedMs = Math.max(0, readMs - this.#readMs);
    this.#readMs = readMs;
    this.#timeMs += passedMs;
    this.#offsetMs = this.#wall() - this.#timeMs;
    const slewMs = passedMs * SLEW;
    this.#timeMs += Math.max(-slewMs, Math.min(slewMs, this.#offsetMs));
    return this.#timeMs;
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
    this.#timeMs += skippedMs;
    return skippedMs;
  }

  /** The wall clock less this time, when it was read last. */
  get offsetMs(): number {
    return this.#offsetMs;
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
