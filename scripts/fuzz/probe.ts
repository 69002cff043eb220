// Loaded into the server under test before its own code: answers SIGWINCH with a line of JSON about
// the process. The line goes to a file, so that nothing else of the process depends on it; SIGWINCH
// by default ends no process.
import { appendFileSync, writeSync } from 'node:fs';

const cleanNames = Object.getOwnPropertyNames(Object.prototype).join();

process.on('SIGWINCH', () => {
  // Twice: what the first collection hands to finalizers is freed by the second.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const isClean = Object.getOwnPropertyNames(Object.prototype).join() === cleanNames;
  const line = JSON.stringify({ heapBytes: heapUsed + external, rssBytes: rss, isClean });
  appendFileSync(process.env['FUZZ_PROBE_FILE'] ?? '/dev/null', `${line}\n`);
});

// The log's last lines may be lost with the process; this is written at once.
const say = (what: string) => writeSync(2, `The server under test: ${what}\n`);
process.on('uncaughtExceptionMonitor', (error) => say(`uncaught ${String(error.stack)}`));
process.on('exit', (code) => say(`ended with ${code}`));
