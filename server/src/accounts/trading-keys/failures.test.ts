import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchSignatureFailures } from './failures.ts';

let told: number[];
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const watch = () => watchSignatureFailures({ nowMs: Date.now, tell: (worst) => told.push(worst) });

it('the worst key of the last minute is reported, and the minute passes', () => {
  const failures = watch();
  for (let count = 0; count < 101; count += 1) failures.note('svc_key_a');
  for (let count = 0; count < 7; count += 1) failures.note('svc_key_b');
  vi.advanceTimersByTime(5000);
  expect(told.at(-1)).toBe(101);
  vi.advanceTimersByTime(60_000);
  expect(told.at(-1)).toBe(0);
  failures.stop();
});

it('many keys with few failures each are no alarm, however many there are', () => {
  const failures = watch();
  for (let key = 0; key < 25_000; key += 1) failures.note(`svc_key_${key}`);
  vi.advanceTimersByTime(5000);
  expect(told.at(-1)).toBe(1);
  failures.stop();
});

it('a flood for one key costs no more memory than the limit', () => {
  const failures = watch();
  for (let count = 0; count < 100_000; count += 1) failures.note('svc_key_a');
  vi.advanceTimersByTime(5000);
  expect(told.at(-1)).toBeGreaterThan(100);
  expect(told.at(-1)).toBeLessThanOrEqual(1000);
  failures.stop();
});
