// Loaded into the server under test, before its own code: answers SIGWINCH with a line of JSON about the process.
// The line goes into a file, because nothing else of the process may depend on it; the signal is one that ends nobody.
import { appendFileSync, writeSync } from 'node:fs';

const cleanNames = Object.getOwnPropertyNames(Object.prototype).join();

process.on('SIGWINCH', () => {
  // Twice: what the first collection hands to finalizers is gone after the second.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const isClean = Object.getOwnPropertyNames(Object.prototype).join() === cleanNames;
  const line = JSON.stringify({ heapBytes: heapUsed + external, rssBytes: rss, isClean });
  appendFileSync(process.env['FUZZ_PROBE_FILE'] ?? '/dev/null', `${line}\n`);
});

// What the log says of its end may be lost with it; this is written at once.
const say = (what: string) => writeSync(2, `The server under test: ${what}\n`);
process.on('uncaughtExceptionMonitor', (error) => say(`uncaught ${String(error.stack)}`));
process.on('exit', (code) => say(`ended with ${code}`));
