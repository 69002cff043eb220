import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../std/clock.ts';
import { LiveQueue } from './queue.ts';
import { WaitingPolls } from './waiting.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const metrics = { pollsWaiting: () => {} } as never;
const polls = () => new WaitingPolls({ heartbeatMs: 60_000, clock: systemClock, metrics });

function openQueue(): LiveQueue {
  const queue = new LiveQueue(
    {
      id: 'q',
      userId: 1,
      startPosition: 0,
      snapshot: { xmin: 1n, xmax: 1n, running: new Set() },
      eventTypes: null,
      filter: {},
      idleSeconds: 600,
    },
    0,
  );
  queue.load(0);
  queue.loaded([], true);
  return queue;
}

let next = 1;
function push(queue: LiveQueue): void {
  const event = { position: next, xid: 5n, type: 'x', payload: '{}', audience: {}, rightsOf: [] };
  queue.push([{ id: next * 1000, text: '{"type":"x"}', event: event as never }]);
  next += 1;
}

/** Waits, and tells whether the wait is over. */
function watch(waiting: WaitingPolls, queue: LiveQueue, signal = new AbortController().signal) {
  const state = { isOver: false };
  void waiting.wait(queue, signal).then(() => {
    state.isOver = true;
  });
  return state;
}

const passed = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
};

/** So many answers that the process has no time for more. */
function makeBusy(waiting: WaitingPolls, answers: number): void {
  const other = openQueue();
  for (let n = 0; n < answers; n += 1) waiting.answered(other);
}

it('answers at once while there is time', async () => {
  const [waiting, queue] = [polls(), openQueue()];
  waiting.answered(queue);
  const poll = watch(waiting, queue);
  push(queue);
  await passed(0);
  expect(poll.isOver).toBe(true);
});

it.each([
  [3000, 50],
  [7000, 200],
])('with %i answers a second, answers of one client are %i ms apart', async (answers, apart) => {
  const [waiting, queue] = [polls(), openQueue()];
  makeBusy(waiting, answers);
  waiting.answered(queue);
  const poll = watch(waiting, queue);
  await passed(10);
  push(queue);
  await passed(apart - 11);
  push(queue);
  expect(poll.isOver).toBe(false);
  await passed(1);
  expect(poll.isOver).toBe(true);
  expect(JSON.parse(queue.take())).toHaveLength(2);
});

it('does not let a client wait that was silent, nor one whose rights changed or that left', async () => {
  const [waiting, silent, released, left] = [polls(), openQueue(), openQueue(), openQueue()];
  waiting.answered(silent);
  await passed(300);
  makeBusy(waiting, 7000);
  for (const queue of [released, left]) waiting.answered(queue);
  const leaving = new AbortController();
  const states = [
    watch(waiting, silent),
    watch(waiting, released),
    watch(waiting, left, leaving.signal),
  ];
  for (const queue of [silent, released, left]) push(queue);
  await passed(0);
  expect(states.map(({ isOver }) => isOver)).toEqual([true, false, false]);
  released.release();
  leaving.abort();
  await passed(0);
  expect(states.map(({ isOver }) => isOver)).toEqual([true, true, true]);
  expect(vi.getTimerCount()).toBe(0);
});

it('is at once again when the load has gone', async () => {
  const [waiting, queue] = [polls(), openQueue()];
  makeBusy(waiting, 7000);
  await passed(2500);
  waiting.answered(queue);
  const poll = watch(waiting, queue);
  push(queue);
  await passed(0);
  expect(poll.isOver).toBe(true);
});
