import { describe, expect, it } from 'vitest';
import { EngineTime } from './time.ts';

const HOUR = 3_600_000;
const START = 1_800_000_000_000;

function makeTime({ notBeforeMs = 0 } = {}) {
  const clocks = { wallMs: START, monotonicMs: 5000, sleptMs: 70_000 };
  const time = new EngineTime({
    wall: () => clocks.wallMs,
    monotonic: () => clocks.monotonicMs,
    uptime: () => clocks.monotonicMs + clocks.sleptMs,
    notBeforeMs,
  });
  /** Advances both clocks; `drift` is how much faster the wall clock runs. */
  const pass = (ms: number, drift = 0) => {
    clocks.monotonicMs += ms;
    clocks.wallMs += ms * (1 + drift);
  };
  return { time, clocks, pass };
}

describe('the engine’s time', () => {
  it('begins with the wall clock, and runs at the pace of the monotonic one', () => {
    const { time, pass } = makeTime();
    expect(time.now()).toBe(START);
    pass(1234);
    expect(time.now()).toBe(START + 1234);
    expect(time.offsetMs).toBe(0);
  });

  it('begins with the journal when the wall clock is behind it, and does not stand still', () => {
    const { time, pass } = makeTime({ notBeforeMs: START + HOUR });
    expect(time.now()).toBe(START + HOUR);
    pass(1000);
    expect(time.now()).toBeCloseTo(START + HOUR + 1000, -1);
    expect(time.offsetMs).toBeCloseTo(-HOUR, -2);
  });

  it.each([HOUR, -HOUR])('is unaffected when the wall clock is set by %i ms', (stepMs) => {
    const { time, clocks, pass } = makeTime();
    const before = time.now();
    clocks.wallMs += stepMs;
    expect(time.now()).toBe(before);
    pass(60_000);
    // A minute is a minute, within 30 ms.
    expect(Math.abs(time.now() - before - 60_000)).toBeLessThanOrEqual(30.001);
    expect(time.offsetMs).toBeCloseTo(stepMs, -3);
  });

  it('follows a clock that drifts, and slowly approaches one that was set', () => {
    const { time, clocks, pass } = makeTime();
    for (let n = 0; n < 24 * 3600; n += 1) {
      pass(1000, 0.0002);
      time.now();
    }
    expect(Math.abs(time.offsetMs)).toBeLessThan(1);
    clocks.wallMs += 900;
    for (let n = 0; n < 1700; n += 1) {
      pass(1000);
      time.now();
    }
    expect(time.offsetMs).toBeGreaterThan(40);
    for (let n = 0; n < 200; n += 1) {
      pass(1000);
      time.now();
    }
    expect(Math.abs(time.offsetMs)).toBeLessThan(1);
  });

  it('never goes back, whatever the clocks do', () => {
    const { time, clocks } = makeTime();
    let last = time.now();
    let seed = 7;
    for (let n = 0; n < 10_000; n += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      clocks.wallMs += (seed % 20_000) - 10_000;
      clocks.monotonicMs += (seed % 7) - 1;
      const now = time.now();
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  });

  it('skips the time that the machine slept, and no more than both its clocks say', () => {
    const { time, clocks, pass } = makeTime();
    pass(1000);
    expect(time.noticeSleep()).toBe(0);
    clocks.sleptMs += HOUR;
    clocks.wallMs += HOUR;
    expect(time.noticeSleep()).toBe(HOUR);
    expect(time.noticeSleep()).toBe(0);
    expect(time.now()).toBe(START + 1000 + HOUR);
    // Set forward, not slept.
    clocks.wallMs += HOUR;
    expect(time.noticeSleep()).toBe(0);
    clocks.wallMs -= HOUR;
    // An uptime that jumps while the wall clock does not means nothing.
    clocks.sleptMs += HOUR;
    expect(time.noticeSleep()).toBe(0);
    expect(time.now()).toBe(START + 1000 + HOUR);
  });

  it('calls something late only when no clock contradicts', () => {
    const { time, clocks } = makeTime();
    clocks.wallMs += HOUR;
    expect(time.earliest()).toBe(START);
    expect(time.distanceTo(START + HOUR)).toBe(0);
    expect(time.distanceTo(START)).toBe(0);
    clocks.wallMs -= 2 * HOUR;
    expect(time.earliest()).toBe(START - HOUR);
    expect(time.distanceTo(START - HOUR / 2)).toBe(HOUR / 2);
  });
});
