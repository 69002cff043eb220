// `bench core`: the matching core on the mixed workload, with balances, holds, fees and client ids, beside
// an order book from npm that has none of these, on the same operations in the same run. The peer's cost
// grows with its age, so it gets the first 200,000 only, and so do we for the comparison.
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OrderBook, Side } from 'nodejs-order-book';
import {
  CANCEL,
  draw,
  LIMIT,
  runBook,
  runCore,
  type Operations,
} from '../../packages/matching/sim/mixed.ts';
import { printTable, type Figure } from '../figure.ts';
import { median, quantile, round, spread } from './stats.ts';

const COMMANDS = 1_000_000;
const PEER_COMMANDS = 200_000;
const ROUNDS = 3;
const SEED = 1n;
const GOAL_RATIO = 15;
const GOAL_PAUSE_MS = 10;
/** A side of the operations, as the workload writes it. */
const BUY = 0;

// Each run sets up hundreds of megabytes of buffers. Those of the run before are let go beforehand, as a
// venue never sets itself up twice; what is collected while commands run is then their own.
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

  // First the core for itself: the peer leaves garbage behind, whose collection would be counted as ours.
  const rates = {
    core: [] as number[],
    part: [] as number[],
    book: [] as number[],
    peer: [] as number[],
  };
  const windows: [number, number][] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    collectGarbage();
    const run = runCore(all, undefined);
    windows.push(run.window);
    rates.core.push((COMMANDS / run.ms) * 1000);
    collectGarbage();
    rates.book.push((COMMANDS / runBook(all)) * 1000);
  }
  collectGarbage();
  const latencies = new Float64Array(COMMANDS);
  windows.push(runCore(all, latencies).window);
  await sleep(50);
  observer.disconnect();

  runPeer({ ...part, count: 20_000 });
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    rates.part.push((PEER_COMMANDS / runCore(part, undefined).ms) * 1000);
    rates.peer.push((PEER_COMMANDS / runPeer(part)) * 1000);
  }
  // Setting a run up allocates its buffers at once; only pauses while commands run are counted.
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
    `${during.length} collector pauses while commands ran, the longest ${round(longestMs, 2)} ms. Medians of ${ROUNDS} rounds.`,
  );

  const ratio = median(rates.part.map((rate, index) => rate / (rates.peer[index] ?? 1)));
  return [
    {
      figure: 'core.peer',
      ours: round(median(rates.part)),
      bare: round(median(rates.peer)),
      ratio: round(ratio, 2),
      unit: 'commands/s',
      million: round(median(rates.core)),
      book: round(median(rates.book)),
      ns: { p50, p99, p9999, max },
      goal: GOAL_RATIO,
      met: ratio >= GOAL_RATIO,
    },
    {
      figure: 'core.pause',
      value: round(longestMs, 2),
      unit: 'ms',
      goal: GOAL_PAUSE_MS,
      met: longestMs <= GOAL_PAUSE_MS,
    },
  ];
}

/** The peer counts ids as we do: every limit and market order takes the next one. */
function runPeer(ops: Operations): number {
  const book = new OrderBook();
  let next = 0;
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
  return performance.now() - startedMs;
}
