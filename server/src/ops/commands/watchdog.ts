// Kills the process when an orderly stop hangs, even if the main thread is blocked: it runs in its own thread. It
// is started when the stop begins, so that it costs nothing before.
import { Worker } from 'node:worker_threads';

/** After the deadline of the stop itself, whose messages say more. */
const GRACE_MS = 250;

/** Plain JavaScript without a file: it has to start at once, on a machine that may be overloaded. */
const PROGRAM = `
const { writeSync } = require('node:fs');
const { parentPort, workerData: { atMs, pid } } = require('node:worker_threads');
let steps = [];
parentPort.on('message', (latest) => (steps = latest));
setTimeout(() => {
  const msg = 'The process did not end by itself after an orderly stop took too long: killing it.';
  writeSync(2, JSON.stringify({ level: 'fatal', time: Date.now(), steps, msg }) + '\\n');
  process.kill(pid, 'SIGKILL');
}, atMs - Date.now());
`;

/** `note` tells it which step is waited for now, for its message. */
export function startWatchdog(deadlineMs: number): { note(steps: readonly string[]): void } {
  const thread = new Worker(PROGRAM, {
    eval: true,
    workerData: { atMs: Date.now() + deadlineMs + GRACE_MS, pid: process.pid },
  });
  thread.unref();
  // Without it the stop still has its own deadline.
  thread.on('error', () => {});
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  return { note: (steps) => thread.postMessage(steps) };
}
