import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDeadline } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('calls each that is late once, in order, at its own time', () => {
  const deadline = createDeadline(250);
  const late: string[] = [];
  const note = (name: string) => deadline.watch(() => late.push(`${name} ${performance.now()}`));
  const startMs = performance.now();
  note('first');
  vi.advanceTimersByTime(100);
  note('second');
  note('third');
  vi.advanceTimersByTime(149);
  expect(late).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(late).toEqual([`first ${startMs + 250}`]);
  vi.advanceTimersByTime(100);
  expect(late.slice(1)).toEqual([`second ${startMs + 350}`, `third ${startMs + 350}`]);
  vi.advanceTimersByTime(1000);
  expect(late).toHaveLength(3);
  expect(deadline.size).toBe(0);
});

it('calls nothing that ended in time, and keeps nothing of it', () => {
  const deadline = createDeadline(250);
  const onLate = vi.fn();
  for (let round = 0; round < 1000; round += 1) {
    const inTime = deadline.watch(onLate);
    vi.advanceTimersByTime(1);
    inTime();
    expect(deadline.size).toBe(0);
  }
  vi.advanceTimersByTime(1000);
  expect(onLate).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it('has one timer, however many wait', () => {
  const deadline = createDeadline(250);
  const onLate = vi.fn();
  for (let index = 0; index < 100; index += 1) deadline.watch(onLate);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(250);
  expect(onLate).toHaveBeenCalledTimes(100);
});

it('watches what is added by a call for lateness', () => {
  const deadline = createDeadline(250);
  const onLate = vi.fn();
  deadline.watch(() => void deadline.watch(onLate));
  vi.advanceTimersByTime(250);
  expect(onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(250);
  expect(onLate).toHaveBeenCalledOnce();
});
