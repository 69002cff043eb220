// `npm run bench -- NAME [--json] [--quick] [--full] [--runs N]`: prints our figure, the bare engine's and the ratio,
// from one run. Without a name it runs all benchmarks; --quick shortens those that take minutes, --full looks for
// limits as well. --runs repeats it all and ends with medians, because one run on a shared machine says little.
// Exit status 0 means that the run was sound, whether or not a goal was met.
import { cpus, release, totalmem } from 'node:os';
import { stopAllEngines } from '../../server/src/platform/engines/engine.ts';
import { printFigures, printTable, type Figure } from '../figure.ts';
import { benchCold } from './cold.ts';
import { benchCore } from './core.ts';
import { benchCoreBefore } from './core-before.ts';
import { benchCustody } from './custody.ts';
import { benchEvents } from './events.ts';
import { benchFanout } from './fanout.ts';
import { benchGrowth } from './growth.ts';
import { benchHttp } from './http.ts';
import { benchNarrows } from './narrows.ts';
import { benchOrders, benchOrdersBySocket } from './orders.ts';
import { benchPeers } from './peers.ts';
import { benchQueue } from './queue.ts';
import { benchRegister } from './register.ts';
import { benchSearch } from './search.ts';
import { benchSend } from './send.ts';
import { benchStall } from './stall.ts';
import { benchStreams } from './streams.ts';
import { benchTrade } from './trade.ts';
import { benchWeb } from './web.ts';
import { gatherRuns } from './runs.ts';
import { parseFlags } from '../flags.ts';

/** More takes hours, and says no more. */
const RUNS_MAX = 20;

type Bench = (options: { quick: boolean; full: boolean }) => Promise<Figure[]>;

const BENCHES: Record<string, Bench> = {
  http: benchHttp,
  events: benchEvents,
  core: benchCore,
  'core-before': benchCoreBefore,
  cold: benchCold,
  growth: benchGrowth,
  orders: benchOrders,
  'orders.ws': benchOrdersBySocket,
  send: benchSend,
  fanout: benchFanout,
  search: benchSearch,
  register: benchRegister,
  queue: benchQueue,
  narrows: benchNarrows,
  peers: benchPeers,
  stall: benchStall,
  streams: benchStreams,
  web: benchWeb,
  trade: benchTrade,
  custody: benchCustody,
};

const { values, positionals } = parseFlags({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    runs: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const unknown = names.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(
    `No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.`,
  );
  process.exit(2);
}

const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1 || runs > RUNS_MAX) {
  console.error(`--runs is a whole number from 1 to ${RUNS_MAX}, not "${values.runs}".`);
  process.exit(2);
}

console.error(
  `Node ${process.versions.node}, Linux ${release()}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB`,
);
try {
  for (const name of names) {
    const all: Figure[][] = [];
    while (all.length < runs) {
      console.error(`\n${name}${runs > 1 ? `, run ${all.length + 1} of ${runs}` : ''}`);
      all.push(await runOnce(name));
    }
    if (runs > 1) printTable(gatherRuns(all));
  }
} finally {
  await stopAllEngines();
}

async function runOnce(name: string): Promise<Figure[]> {
  const figures = await (BENCHES[name] as Bench)({ quick: values.quick, full: values.full });
  for (const { figure, met, goal } of figures) {
    console.error(`${met ? '✓ met' : '✗ missed'}  ${figure}, goal ${goal}`);
  }
  if (values.json) printFigures(figures);
  return figures;
}
