// The thread of watchdog.ts.
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const { ms, pid } = workerData as { readonly ms: number; readonly pid: number };
let steps: readonly string[] = [];
parentPort?.on('message', (latest: readonly string[]) => (steps = latest));
setTimeout(() => {
  const msg = 'The process did not end by itself after an orderly stop took too long: killing it.';
  writeSync(2, `${JSON.stringify({ level: 60, time: Date.now(), steps, msg })}\n`);
  process.kill(pid, 'SIGKILL');
}, ms);
