// An engine process that records when each batch was committed, how much processor time its thread
// had used by then, and how long the event loop was blocked. Started by stall.ts; on SIGUSR2 it
// writes its notes to a file.
import { renameSync, writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { loadConfig } from '../../server/src/platform/config/load.ts';
import { startProcess } from '../../server/src/roles/start.ts';
import type { EngineNotes } from './stall-notes.ts';

/** Longer than any run: notes stay in memory, so that taking them costs nothing. */
const BATCHES_MAX = 2_000_000;
const WATCH_MS = 1;
/** Shorter delays are normal for timers and not recorded. */
const NOTED_MS = 3;

const file = process.env['STALL_NOTES'] ?? '';
const begun = new Float64Array(BATCHES_MAX);
const committed = new Float64Array(BATCHES_MAX);
const spent = new Float64Array(BATCHES_MAX);
const counts = { begun: 0, committed: 0 };
const away: [number, number][] = [];
const collections: [number, number][] = [];

/** One clock for all processes of the machine. */
const nowMs = () => performance.timeOrigin + performance.now();

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    if (duration >= NOTED_MS) collections.push([performance.timeOrigin + startTime, duration]);
  }
}).observe({ entryTypes: ['gc'] });

function watch(): void {
  const askedMs = nowMs();
  setTimeout(() => {
    const lateMs = nowMs() - askedMs - WATCH_MS;
    if (lateMs >= NOTED_MS) away.push([askedMs, lateMs]);
    watch();
  }, WATCH_MS).unref();
}

process.on('SIGUSR2', () => {
  const notes: EngineNotes = {
    begun: [...begun.subarray(0, counts.begun)],
    committed: [...committed.subarray(0, counts.committed)],
    spent: [...spent.subarray(0, counts.committed)],
    away,
    collections,
  };
  writeFileSync(`${file}.new`, JSON.stringify(notes));
  renameSync(`${file}.new`, file);
});

const running = await startProcess(loadConfig(process.env), {
  onFatal: () => process.exit(1),
  enginePoint(point) {
    if (point === 'committing') begun[counts.begun++] = nowMs();
    if (point !== 'committed') return;
    const { user, system } = process.threadCpuUsage();
    spent[counts.committed] = (user + system) / 1000;
    committed[counts.committed++] = nowMs();
  },
});
watch();
process.on('SIGTERM', () => void running.stop().then(() => process.exit(0)));
