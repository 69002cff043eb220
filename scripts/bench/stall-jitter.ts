// The machine's own jitter: how long a thread that only looks at the clock is kept from doing so. First one
// that spins while nothing else works, then one that asks for its turn every millisecond beside the load.
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

/** The longest that a thread which spins for `ms` was kept from the clock. */
export function measureSpin(ms: number): Promise<number> {
  const thread = new Worker(SPINNING, { eval: true, workerData: ms });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

export interface JitterWatch {
  /** Ends the watch; gives when a sleeper was woken too late, and by how much. */
  stop(): Promise<readonly (readonly [number, number])[]>;
}

export function watchJitter(): JitterWatch {
  const thread = new Worker(SLEEPING, { eval: true });
  // A run that fails must not wait for it.
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
