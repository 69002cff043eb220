/** The only source of wall-clock time; tests and simulations pass another one. */
export interface Clock {
  /** Milliseconds since the Unix epoch, with a fraction; does not go back between clock steps. */
  now(): number;
}

// A monotonic clock on top of the wall clock: the difference of two readings is the time that really passed, which
// a sliding window needs. A jump of the wall clock is followed, so that clients get the time of day.
let offsetMs = performance.timeOrigin;

const STEP_MS = 20;

export const systemClock: Clock = {
  now() {
    const reading = performance.now() + offsetMs;
    const wall = Date.now();
    // The wall clock has whole milliseconds, so a difference below one means nothing.
    if (Math.abs(wall - reading) <= STEP_MS) return reading;
    offsetMs += wall - reading;
    return wall;
  },
};
