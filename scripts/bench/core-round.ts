// One side of `bench core-before`, in a process of its own so that the two cores do not share compiled code:
//   node scripts/bench/core-round.ts FOLDER
// FOLDER holds packages/matching of some commit. Each line on standard input runs the mixed workload once;
// each answer on standard output is the processor time of a command in nanoseconds.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type * as mixed from '../../packages/matching/sim/mixed.ts';

const COMMANDS = 400_000;
const SEED = 1n;
const WARM_ROUNDS = 2;

const [folder = ''] = process.argv.slice(2);
const file = pathToFileURL(`${folder}/packages/matching/sim/mixed.ts`).href;
const { draw, runCore } = (await import(file)) as Pick<typeof mixed, 'draw' | 'runCore'>;

const operations = draw(COMMANDS, SEED);
for (let round = 0; round < WARM_ROUNDS; round += 1) runCore(operations, undefined);
process.stdout.write('ready\n');
for await (const _ of createInterface({ input: process.stdin })) {
  const { cpuMs } = runCore(operations, undefined);
  process.stdout.write(`${(cpuMs / COMMANDS) * 1e6}\n`);
}
