import { describe, expect, test } from 'vitest';
import type { Bus } from '../../platform/bus/bus.ts';
import { createRest } from './rest.ts';

const NOW_MS = 1_000_000;

/** A rest with tables that may become `lagMaxMs` old, and what a waiting reader does. */
function rest(lagMaxMs: number) {
  let ask: (text: string) => void = () => {};
  const bus = {
    subscribe(_subject: string, take: (text: string) => void) {
      ask = take;
      return { unsubscribe() {} };
    },
  } as unknown as Bus;
  const clock = { now: () => NOW_MS };
  const made = createRest({ bus, clock, shard: 0, lagMaxMs });
  return {
    wish: (shard: number) => ask(String(shard)),
    async takes(stretch: { workedMs: number; ageMs: number; isBehind: boolean }) {
      const { workedMs, ageMs, isBehind } = stretch;
      const startedMs = performance.now();
      await made.after({ workedMs, atMs: NOW_MS - ageMs, isBehind });
      return performance.now() - startedMs;
    },
  };
}

describe('a rest of the projector', () => {
  test('is none when the tables are too old, however much there is to do', async () => {
    const { takes } = rest(500);
    expect(await takes({ workedMs: 10_000, ageMs: 500, isBehind: true })).toBeLessThan(50);
    expect(await takes({ workedMs: 10_000, ageMs: 900, isBehind: false })).toBeLessThan(50);
  });

  test('ends before the tables are too old', async () => {
    const { takes } = rest(500);
    const tookMs = await takes({ workedMs: 10_000, ageMs: 380, isBehind: true });
    expect(tookMs).toBeGreaterThan(100);
    expect(tookMs).toBeLessThan(400);
  });

  test('is shorter when one turn wrote everything', async () => {
    const { takes } = rest(60_000);
    expect(await takes({ workedMs: 300, ageMs: 0, isBehind: false })).toBeLessThan(600);
    expect(await takes({ workedMs: 300, ageMs: 0, isBehind: true })).toBeGreaterThan(1100);
  });

  test('is not too short after a turn that wrote little', async () => {
    const { takes } = rest(60_000);
    expect(await takes({ workedMs: 1, ageMs: 0, isBehind: false })).toBeGreaterThan(90);
  });

  test('ends when a reader waits for its shard', async () => {
    const { takes, wish } = rest(60_000);
    setTimeout(() => wish(1), 20);
    setTimeout(() => wish(0), 120);
    const tookMs = await takes({ workedMs: 10_000, ageMs: 0, isBehind: true });
    expect(tookMs).toBeGreaterThan(90);
    expect(tookMs).toBeLessThan(2000);
  });
});
