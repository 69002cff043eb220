import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns, TooManyWaiting } from './turns.ts';
import { MEASURED } from '../../testing/measured.ts';

it('does a fixed number at a time, in order, even when some fail', async () => {
  const turns = createTurns({ atOnce: 2, waitingMax: 100 });
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const all = Array.from({ length: 20 }, (_, index) =>
    turns.take(async () => {
      begun.push(index);
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
      if (index % 3 === 0) throw new Error('on purpose');
      return index;
    }),
  );
  const ends = await Promise.allSettled(all);
  expect(most).toBe(2);
  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(7);
  expect(await turns.take(async () => 'free again')).toBe('free again');
});

it('refuses only work that would wait behind too many', async () => {
  const turns = createTurns({ atOnce: 1, waitingMax: 2 });
  let release = () => {};
  const held = turns.take(() => new Promise<void>((resolve) => (release = resolve)));
  const waiting = [turns.take(async () => 1), turns.take(async () => 2)];
  await expect(turns.take(async () => 3)).rejects.toBeInstanceOf(TooManyWaiting);
  release();
  await held;
  expect(await Promise.all(waiting)).toEqual([1, 2]);
});

it('rests after each turn, without delaying its answer', MEASURED, async () => {
  const turns = createTurns({ atOnce: 1, waitingMax: 10, restAfter: () => 200 });
  const startedMs = performance.now();
  const first = turns.take(async () => performance.now());
  const second = turns.take(async () => performance.now());
  expect((await first) - startedMs).toBeLessThan(150);
  expect((await second) - (await first)).toBeGreaterThan(180);
});
