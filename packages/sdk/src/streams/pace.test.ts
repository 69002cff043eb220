import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPace } from './pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('lets no more frames through than the limit in any window, in order and without losing one', async () => {
  const sent: { n: number; ms: number }[] = [];
  const pace = createPace(5, () => Date.now(), 100);
  for (let n = 0; n < 22; n += 1) void pace.turn().then(() => sent.push({ n, ms: Date.now() }));
  await vi.advanceTimersByTimeAsync(99);
  expect(sent).toHaveLength(5);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent.map(({ n }) => n)).toEqual(Array.from({ length: 22 }, (_, n) => n));
  for (let at = 5; at < sent.length; at += 1) {
    expect((sent[at]?.ms ?? 0) - (sent[at - 5]?.ms ?? 0)).toBeGreaterThanOrEqual(100);
  }
});
