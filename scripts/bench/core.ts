// `bench core`: how many commands of the mixed workload the matching core carries out in a second, with
// balances, holds, fees and client ids, and how long it ever stands still.
// The goal used to be 15 times the rate of an order book from npm, and the figure of that book was mistaken: a goal in
// commands a second replaces it. The book still runs in the same process on the same operations, so that a reader has
// something to compare with, but no goal depends on it. It has no balances and no client ids, and gets slower as it
// runs, so it gets only the first 200,000 operations, and so do we beside it.
import { Session, type HeapProfiler } from 'node:inspector/promises';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OrderBook, Side } from 'nodejs-order-book';
import { restore, snapshot } from '../../packages/matching/src/index.ts';
import {
  CANCEL,
  draw,
  LIMIT,
  openOrders,
  runBook,
  runCore,
  type Operations,
} from '../../packages/matching/sim/mixed.ts';
import { printTable, type Figure } from '../figure.ts';
import { median, quantile, round, spread } from './stats.ts';

const COMMANDS = 1_000_000;
const PEER_COMMANDS = 200_000;
const ROUNDS = 3;
const OPEN_ORDERS = 100_000;
const SEED = 1n;
const GOAL_RATE = 1_000_000;
const GOAL_PAUSE_MS = 5;
/** A side of the operations, as the workload writes it. */
const BUY = 0;

// Each run sets up hundreds of megabytes of buffers. Those of the previous run are freed first,
// since a venue never sets itself up twice; what is collected while commands run then belongs to
// them.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export async function benchCore(): Promise<Figure[]> {
  const pauses: { startMs: number; ms: number }[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      pauses.push({ startMs: startTime, ms: duration });
  });
  observer.observe({ entryTypes: ['gc'] });

  const all = draw(COMMANDS, SEED);
  const part = { ...all, count: PEER_COMMANDS };
  for (let warm = 0; warm < 2; warm += 1) runCore(part, undefined);

  // The core runs first: the peer leaves garbage behind, and its collection would count as ours.
  const rates = {
    core: [] as number[],
    part: [] as number[],
    book: [] as number[],
    peer: [] as number[],
  };
  // Processor time of this thread, so other load on the machine does not count.
  const cpuNs = { core: [] as number[], peer: [] as number[] };
  const windows: [number, number][] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    collectGarbage();
    const run = runCore(all, undefined);
    windows.push(run.window);
    rates.core.push((COMMANDS / run.ms) * 1000);
    cpuNs.core.push((run.cpuMs / COMMANDS) * 1e6);
    collectGarbage();
    rates.book.push((COMMANDS / runBook(all)) * 1000);
  }
  collectGarbage();
  const latencies = new Float64Array(COMMANDS);
  const timed = runCore(all, latencies);
  windows.push(timed.window);
  await sleep(50);
  observer.disconnect();

  runPeer({ ...part, count: 20_000 });
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    rates.part.push((PEER_COMMANDS / runCore(part, undefined).ms) * 1000);
    const peer = runPeer(part);
    rates.peer.push((PEER_COMMANDS / peer.ms) * 1000);
    cpuNs.peer.push((peer.cpuMs / PEER_COMMANDS) * 1e6);
  }
  const allocated = await measureAllocation(() => void runCore(part, undefined));
  const perOrder = allocated / PEER_COMMANDS;
  const { snapshotMs, restoreMs } = measureSnapshot();
  // Setting up a run allocates its buffers at once; only pauses while commands run count.
  const during = pauses.filter(({ startMs }) =>
    windows.some(([from, until]) => startMs >= from && startMs <= until),
  );
  const longestMs = during.reduce((longest, { ms }) => Math.max(longest, ms), 0);
  latencies.sort();
  const perCommand = [
    ...[0.5, 0.99, 0.9999].map((q) => quantile([...latencies], q)),
    latencies.at(-1) ?? 0,
  ];

  printTable([
    ['path', 'per second', 'spread'],
    ['core, 1,000,000 commands', String(round(median(rates.core))), spread(rates.core)],
    ['core, first 200,000', String(round(median(rates.part))), spread(rates.part)],
    ['our book alone', String(round(median(rates.book))), spread(rates.book)],
    ['nodejs-order-book, first 200,000', String(round(median(rates.peer))), spread(rates.peer)],
  ]);
  const [p50, p99, p9999, max] = perCommand.map((ms) => round(ms * 1e6));
  console.error(
    `Per command: p50 ${p50} ns, p99 ${p99} ns, p99.99 ${p9999} ns, max ${max} ns (with the clock's own cost).`,
  );
  console.error(
    `${during.length} collector pauses while commands ran, the longest ${round(longestMs, 2)} ms. Of 16 commands in a row the ` +
      `slowest took ${round(timed.longestCpuMs, 2)} ms of processor time, collections included. Medians of ${ROUNDS} rounds.`,
  );

  console.error(
    `Processor time a command: core ${round(median(cpuNs.core))} ns, peer ${round(median(cpuNs.peer))} ns. ` +
      `Allocated a command, the client id it brings included: ${round(perOrder)} bytes.`,
  );
  console.error(
    `With ${OPEN_ORDERS} open orders: snapshot ${round(snapshotMs)} ms, restore ${round(restoreMs)} ms of processor time.`,
  );

  const ratio = median(rates.part.map((rate, index) => rate / (rates.peer[index] ?? 1)));
  return [
    {
      figure: 'core.rate',
      value: round(median(rates.core)),
      unit: 'commands/s',
      // Without what other load on the machine takes.
      perCpuSecond: round(1e9 / median(cpuNs.core)),
      book: round(median(rates.book)),
      peer: {
        ours: round(median(rates.part)),
        theirs: round(median(rates.peer)),
        ratio: round(ratio, 2),
      },
      ns: { p50, p99, p9999, max },
      cpuNs: { core: round(median(cpuNs.core)), peer: round(median(cpuNs.peer)) },
      allocatedBytes: round(perOrder),
      snapshotMs: round(snapshotMs),
      restoreMs: round(restoreMs),
      goal: GOAL_RATE,
      met: median(rates.core) >= GOAL_RATE,
    },
    {
      figure: 'core.pause',
      value: round(longestMs, 2),
      unit: 'ms',
      collections: during.length,
      longestCommandMs: round(latencies.at(-1) ?? 0, 2),
      // Other load on the machine makes the times by the clock longer, and not this one.
      longestCpuMs: round(timed.longestCpuMs, 2),
      goal: GOAL_PAUSE_MS,
      met: longestMs <= GOAL_PAUSE_MS,
    },
  ];
}

/** The peer counts ids as we do: every limit and market order takes the next one. */
function runPeer(ops: Operations): { ms: number; cpuMs: number } {
  const book = new OrderBook();
  let next = 0;
  const cpu = process.threadCpuUsage();
  const startedMs = performance.now();
  for (let index = 0; index < ops.count; index += 1) {
    const kind = ops.kind[index];
    const value = ops.value[index] as number;
    if (kind === CANCEL) {
      book.cancel(String(value));
      continue;
    }
    next += 1;
    const side = ops.side[index] === BUY ? Side.BUY : Side.SELL;
    if (kind === LIMIT)
      book.limit({ id: String(next), side, size: value, price: ops.price[index] as number });
    else book.market({ side, size: value });
  }
  const ms = performance.now() - startedMs;
  return { ms, cpuMs: toMs(process.threadCpuUsage(cpu)) };
}

const toMs = (usage: NodeJS.CpuUsage): number => (usage.user + usage.system) / 1000;

/** Medians of writing and reading a state with many open orders; the first round is a warm-up. */
function measureSnapshot(): { snapshotMs: number; restoreMs: number } {
  const state = openOrders(OPEN_ORDERS);
  const writing: number[] = [];
  const reading: number[] = [];
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    const before = process.threadCpuUsage();
    const bytes = snapshot(state);
    const between = process.threadCpuUsage();
    restore(bytes);
    const readMs = toMs(process.threadCpuUsage(between));
    if (turn === 0) continue;
    writing.push(toMs(between) - toMs(before));
    reading.push(readMs);
  }
  return { snapshotMs: median(writing), restoreMs: median(reading) };
}

/** Bytes that the work allocates on the heap, by sampling; includes what is collected at once. */
async function measureAllocation(work: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.enable');
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 4_096,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  work();
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  return sumSizes(profile.head);
}

const sumSizes = (node: HeapProfiler.SamplingHeapProfileNode): number =>
  node.children.reduce((sum, child) => sum + sumSizes(child), node.selfSize);
