import { describe, expect, it } from 'vitest';
import { ServerClock } from './clock.ts';

describe('the clock of the server', () => {
  it('is the local one until an answer has come', () => {
    const clock = new ServerClock();
    expect(clock.offsetMs).toBe(0);
    expect(clock.errorMs).toBeUndefined();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  });

  it('believes the answer that took least, and knows how far it may be off', () => {
    const clock = new ServerClock();
    clock.note(2_000_000, 1000, 1400);
    expect([clock.offsetMs, clock.errorMs]).toEqual([1_998_800, 200]);
    clock.note(2_000_000, 1100, 1140);
    expect([clock.offsetMs, clock.errorMs]).toEqual([1_998_880, 20]);
    clock.note(2_000_100, 1000, 1600);
    expect([clock.offsetMs, clock.errorMs]).toEqual([1_998_880, 20]);
  });

  it('forgets what it measured before the local clock was set', () => {
    const clock = new ServerClock();
    clock.note(1_000_000, 1_000_000, 1_000_002);
    clock.note(1_000_100, 880_000, 880_400);
    expect(clock.offsetMs).toBe(119_900);
  });

  it('lives with what makes no sense', () => {
    const clock = new ServerClock();
    clock.note(Number.NaN, 0, 1);
    clock.note(5000, 10, 5);
    expect(clock.offsetMs).toBe(0);
  });

  it('gives up an old measurement after a while, however good', () => {
    const clock = new ServerClock();
    clock.note(100, 0, 0);
    for (let index = 0; index < 16; index += 1) clock.note(400, 0, 400);
    expect(clock.errorMs).toBe(200);
  });
});
