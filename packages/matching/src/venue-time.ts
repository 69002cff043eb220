// Time as commands get it, as a function of two clocks that somebody else reads. It begins with the wall clock and
// goes on at the pace of the monotonic clock: a wall clock that is set moves no timer early and stops none. Towards
// the wall clock it goes slowly, so that the drift of a good clock is followed and a step is not.

/** Half a second in a thousand: more than a sound clock drifts, and nothing that a timer notices. */
export const CLOCK_SLEW = 0.0005;

export class VenueTime {
  #timeMs: number;
  #readMs: number;
  #offsetMs = 0;

  /** @param notBeforeMs The last time in the journal: from there it goes on, should the wall clock be behind it. */
  constructor(wallMs: number, monotonicMs: number, notBeforeMs: number) {
    // Whatever fell due while nobody was at work falls due now.
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

  /** Goes over time that the monotonic clock did not count. */
  skip(ms: number): void {
    this.#timeMs += Math.max(0, ms);
  }

  /** The wall clock less this time, at the last readings. */
  get offsetMs(): number {
    return this.#offsetMs;
  }
}
