// Ends the process when an orderly stop does not, whatever the main thread is busy with: a thread of its own needs
// nobody's turn. It is started when the stop begins, so that it costs nothing before.
import { Worker } from 'node:worker_threads';

/** After the deadline of the stop itself, which says more when it still can. */
const GRACE_MS = 250;

/** `note` tells it what is waited for now, for its last words. */
export function startWatchdog(deadlineMs: number): { note(steps: readonly string[]): void } {
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: { ms: deadlineMs + GRACE_MS, pid: process.pid },
  });
  thread.unref();
  // Without it the stop has its own deadline still.
  thread.on('error', () => {});
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  return { note: (steps) => thread.postMessage(steps) };
}
