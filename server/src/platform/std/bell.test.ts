import { expect, test } from 'vitest';
import { Bell } from './bell.ts';
import { pause } from './wait.ts';

const LONG_MS = 60_000;

/** How long a wait took. */
async function timed(wait: Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await wait;
  return performance.now() - startedMs;
}

test('a ring ends the wait that is under way, and only that one', async () => {
  const bell = new Bell();
  setTimeout(() => bell.ring(), 20);
  expect(await timed(bell.wait(LONG_MS))).toBeLessThan(LONG_MS / 2);
  expect(await timed(bell.wait(50))).toBeGreaterThan(40);
});

test('rings before a wait end it at once, and count once', async () => {
  const bell = new Bell();
  bell.ring();
  bell.ring();
  await bell.wait(LONG_MS);
  expect(await timed(bell.wait(50))).toBeGreaterThan(40);
});

test('a ring that was cleared ends nothing', async () => {
  const bell = new Bell();
  bell.ring();
  bell.clear();
  expect(await timed(bell.wait(50))).toBeGreaterThan(40);
});

test('a pause ends early when its signal aborts, and at once when it has', async () => {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 20);
  expect(await timed(pause(LONG_MS, stopping.signal))).toBeLessThan(LONG_MS / 2);
  expect(await timed(pause(LONG_MS, stopping.signal))).toBeLessThan(LONG_MS / 2);
  expect(await timed(pause(50))).toBeGreaterThan(40);
});
