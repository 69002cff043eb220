// Measures the machine's own jitter: how long a thread that only reads the clock is kept from doing
// so. First with a thread that spins on an idle machine, then with one that sleeps a millisecond at
// a time beside the load.
import { Worker } from 'node:worker_threads';

const SPINNING = `
  const { parentPort, workerData } = require('node:worker_threads');
  const until = performance.now() + workerData;
  let longest = 0;
  for (let last = performance.now(); last < until; ) {
    const now = performance.now();
    if (now - last > longest) longest = now - last;
    last = now;
  }
  parentPort.postMessage(longest);
`;

const SLEEPING = `
  const { parentPort } = require('node:worker_threads');
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const late = [];
  let isOver = false;
  parentPort.on('message', () => { isOver = true; });
  const nap = () => {
    for (let n = 0; n < 50; n += 1) {
      const asked = performance.now();
      Atomics.wait(cell, 0, 0, 1);
      const ms = performance.now() - asked - 1;
      if (ms >= 2) late.push([performance.timeOrigin + asked, ms]);
    }
    if (isOver) parentPort.postMessage(late);
    else setImmediate(nap);
  };
  nap();
`;

/** The longest delay of a thread that spins for `ms`. */
export function measureSpin(ms: number): Promise<number> {
  const thread = new Worker(SPINNING, { eval: true, workerData: ms });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

export interface JitterWatch {
  /** Ends the watch; returns when a sleeper woke too late, and by how much. */
  stop(): Promise<readonly (readonly [number, number])[]>;
}

export function watchJitter(): JitterWatch {
  const thread = new Worker(SLEEPING, { eval: true });
  // A failed run must not wait for this thread.
  thread.unref();
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        thread.once('message', (late) => {
          resolve(late);
          void thread.terminate();
        });
        thread.once('error', reject);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        thread.postMessage('stop');
      }),
  };
}
