import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGate } from './gate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('passes the first signal at once, and the others together', () => {
  const gate = createGate(100);
  const heard = vi.fn();
  gate.subscribe(heard);
  for (let at = 0; at < 50; at += 1) gate.signal();
  expect(heard).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  expect(heard).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(heard).toHaveBeenCalledTimes(2);
});

it('passes ten a second when there are fifty', () => {
  const gate = createGate(100);
  const heard = vi.fn();
  gate.subscribe(heard);
  for (let at = 0; at < 500; at += 1) {
    gate.signal();
    vi.advanceTimersByTime(20);
  }
  expect(heard.mock.calls.length).toBeLessThanOrEqual(101);
  expect(heard.mock.calls.length).toBeGreaterThan(90);
});

it('is silent once it is closed', () => {
  const gate = createGate(100);
  const heard = vi.fn();
  gate.subscribe(heard);
  gate.signal();
  gate.signal();
  gate.close();
  vi.advanceTimersByTime(1000);
  expect(heard).toHaveBeenCalledTimes(1);
});
