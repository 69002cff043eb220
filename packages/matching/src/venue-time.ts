// The time that commands get, as a function of two clocks that the caller reads. It starts at the
// wall clock and runs at the pace of the monotonic clock: changing the wall clock fires no timer
// early and stops none. It approaches the wall clock slowly, so it follows the drift of a good
// clock but not a jump.

/**
 * Half a second in a thousand: more than a sound clock drifts, and too little for a timer to
 * notice.
 */
export const CLOCK_SLEW = 0.0005;

export class VenueTime {
  #timeMs: number;
  #readMs: number;
  #offsetMs = 0;

  /**
   * @param notBeforeMs The last time in the journal: time goes on from there if the wall clock is
   * behind it.
   */
  constructor(wallMs: number, monotonicMs: number, notBeforeMs: number) {
    // Everything that fell due while the engine was down falls due now.
    this.#timeMs = Math.max(wallMs, notBeforeMs);
    this.#readMs = monotonicMs;
  }

  /** The time at these readings; never less than before. */
  advance(wallMs: number, monotonicMs: number): number {
    const passedMs = Math.max(0, monotonicMs - this.#readMs);
    this.#readMs = monotonicMs;
    this.#timeMs += passedMs;
    this.#offsetMs = wallMs - this.#timeMs;
    const slewMs = passedMs * CLOCK_SLEW;
    this.#timeMs += Math.max(-slewMs, Math.min(slewMs, this.#offsetMs));
    return this.#timeMs;
  }

  /** Skips time that the monotonic clock did not count. */
  skip(ms: number): void {
    this.#timeMs += Math.max(0, ms);
  }

  /** The wall clock minus this time, at the last readings. */
  get offsetMs(): number {
    return this.#offsetMs;
  }
}
