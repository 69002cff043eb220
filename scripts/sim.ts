// Simulates the matching core against its slow twin.
//   node scripts/sim.ts --commands 1000000 --seed 7 [--json]   run it
//   node scripts/sim.ts --run SEED --commands N                one run again, by the seed it
// printed
//   node scripts/sim.ts --mutants [--json]                     let it catch the planted bugs
// Exits non-zero for a broken invariant, a surviving mutant, or a case that a long run never met.

import * as core from '../packages/matching/src/index.ts';
import { show } from '../packages/matching/sim/compare.ts';
import { REQUIRED } from '../packages/matching/sim/coverage.ts';
import { MUTANTS, MUTANT_BUDGET, huntMutant } from '../packages/matching/sim/mutants.ts';
import { simulate } from '../packages/matching/sim/simulate.ts';
import type { Failure } from '../packages/matching/sim/simulate.ts';
import { parseFlags } from './flags.ts';

const { values } = parseFlags({
  options: {
    commands: { type: 'string', default: '1000000' },
    seed: { type: 'string' },
    run: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

/** From this length on, a case that occurred too rarely is a failure. */
const COVERAGE_COMMANDS = 1_000_000;

const say = (line: string): void =>
  void (values.json ? process.stderr : process.stdout).write(`${line}\n`);
const figure = (line: object): void => {
  if (values.json) process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Overwrites one line; only on a terminal. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
}

function describe(failure: Failure): void {
  say(`\nVIOLATION in run ${failure.seed}, command ${failure.index}: ${failure.message}`);
  if (failure.shrunk === undefined) return;
  const { commands, violation } = failure.shrunk;
  say(`shrunk to ${commands.length} commands: ${violation.message}`);
  for (const command of commands.slice(-40)) say(`  ${show(command)}`);
}

function runSimulation(): boolean {
  const seed = values.run ?? values.seed ?? String(Date.now());
  const commands = Number(values.commands);
  if (!Number.isSafeInteger(commands) || commands < 1) throw new Error('--commands is a count');
  const mustCover = commands >= COVERAGE_COMMANDS && values.run === undefined;
  const started = performance.now();
  const report = simulate({
    core,
    commands,
    seed: BigInt(seed),
    isRunSeed: values.run !== undefined,
    isCovering: mustCover,
    onProgress: (done) => {
      const rate = Math.round(done / ((performance.now() - started) / 1000));
      progress(`${done} of ${commands} commands, ${rate}/s`);
    },
  });
  progress('');
  const seconds = (performance.now() - started) / 1000;
  for (const failure of report.failures) describe(failure);
  const { coverage } = report;
  say(
    `seed ${seed}: ${report.commands} commands in ${report.runs} runs, ${coverage.steps} steps, ` +
      `${coverage.trades} trades, ${seconds.toFixed(1)} s`,
  );
  const rows = [...coverage.counts].map(
    ([name, count]) => `${name.padEnd(34)}${String(count).padStart(9)}`,
  );
  for (let i = 0; i < rows.length; i += 2) say(`  ${rows[i] ?? ''}    ${rows[i + 1] ?? ''}`);
  const shortfalls = coverage.shortfalls();
  if (report.commands > commands) {
    say(`went on for ${report.commands - commands} commands, because rare cases were missing`);
  }
  for (const [name, count] of shortfalls) {
    say(
      `${mustCover ? 'SHORTFALL' : 'seldom'}: ${name} occurred ${count} times, wanted ${REQUIRED}`,
    );
  }
  const violations = report.failures.length + (mustCover ? shortfalls.length : 0);
  figure({
    figure: 'sim.violations',
    value: violations,
    goal: 0,
    met: violations === 0,
    seed,
    commands: report.commands,
  });
  return violations === 0;
}

async function runMutants(): Promise<boolean> {
  const seed = BigInt(values.seed ?? '1');
  let caught = 0;
  for (const [i, mutant] of MUTANTS.entries()) {
    progress(`mutant ${i + 1} of ${MUTANTS.length}: ${mutant.name}`);
    const { after, message } = await huntMutant(mutant, seed);
    progress('');
    if (after !== undefined) caught += 1;
    const verdict =
      after === undefined ? `SURVIVED ${MUTANT_BUDGET} commands` : `caught at ${after}`;
    say(`${mutant.name.padEnd(66)} ${verdict.padEnd(20)} ${message.slice(0, 80)}`);
  }
  const goal = MUTANTS.length;
  say(`${caught} of ${goal} planted bugs caught`);
  figure({ figure: 'sim.mutants', value: caught, goal, met: caught === goal });
  return caught === goal;
}

const isSound = values.mutants ? await runMutants() : runSimulation();
process.exitCode = isSound ? 0 : 1;
