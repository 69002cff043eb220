// `npm run check`: the whole gate, fastest first, stopping at the first failure. CI runs the same.
//   --only NAME   one step        --from NAME   that step and all after it
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { command, readResults, ROOT, runTests, type Outcome } from './tests.ts';

const RESULTS = join(ROOT, '.vitest-results.json');
const UNIT_RESULTS = join(ROOT, '.vitest-results.unit.json');

interface Step {
  readonly name: string;
  /** The step only reads files, and on one core: such steps run two at a time. */
  readonly onlyReads?: true;
  run(): Promise<Outcome>;
}

const STEPS: readonly Step[] = [
  { name: 'runtime', run: async () => checkRuntime() },
  {
    name: 'format',
    onlyReads: true,
    run: () => command('prettier', ['--check', '.', '--log-level', 'warn']),
  },
  {
    name: 'lint',
    onlyReads: true,
    run: () => command('oxlint', ['--type-aware', '--deny-warnings']),
  },
  { name: 'types', onlyReads: true, run: () => command('tsc', ['-p', '.']) },
  { name: 'types of the web client', onlyReads: true, run: () => command('tsc', ['-p', 'web']) },
  { name: 'imports', onlyReads: true, run: checkImports },
  { name: 'dead code', onlyReads: true, run: () => command('knip', ['--no-progress']) },
  { name: 'generated', onlyReads: true, run: checkGenerated },
  { name: 'web client', run: () => command(process.execPath, ['scripts/web/main.ts']) },
  { name: 'unit', run: () => runTests('unit', UNIT_RESULTS) },
  { name: 'integration', run: runIntegration },
];

/** The machine may have another Node; npm must have installed ours. */
function checkRuntime(): Outcome {
  const { node } = process.versions;
  if (node.startsWith('24.')) return { passed: true, output: '' };
  return {
    passed: false,
    output: `This runs on Node ${node}, not 24. Use npm run, after npm ci with optional dependencies.`,
  };
}

interface Cruise {
  summary: {
    totalCruised: number;
    violations: { from: string; to: string; rule: { name: string } }[];
  };
}

/** Rules that saw no file would always pass, so the count is checked too. */
async function checkImports(): Promise<Outcome> {
  const folders = ['server/src', 'packages', 'web/src', 'scripts', 'e2e'].filter((path) =>
    existsSync(join(ROOT, path)),
  );
  const { output } = await command('depcruise', [
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    ...folders,
  ]);
  let cruise: Cruise;
  try {
    cruise = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as Cruise;
  } catch {
    return { passed: false, output };
  }
  const { totalCruised, violations } = cruise.summary;
  if (totalCruised === 0)
    return { passed: false, output: 'The import rules saw no module at all.' };
  return {
    passed: violations.length === 0,
    output: violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).join('\n'),
  };
}

/** Checks that the committed generated files are what the generators would write now. */
async function checkGenerated(): Promise<Outcome> {
  for (const name of ['emoji', 'db-types', 'contracts', 'sdk']) {
    const script = `scripts/gen-${name}.ts`;
    if (!existsSync(join(ROOT, script))) continue;
    const outcome = await command(process.execPath, [script, '--check']);
    if (!outcome.passed) return outcome;
  }
  return { passed: true, output: '' };
}

/** Writes the results of both kinds of tests to one file, from which seed coverage is counted. */
async function runIntegration(): Promise<Outcome> {
  const outcome = await runTests('integration', RESULTS);
  if (existsSync(UNIT_RESULTS) && existsSync(RESULTS)) {
    const all = readResults(RESULTS);
    all.testResults.push(...readResults(UNIT_RESULTS).testResults);
    writeFileSync(RESULTS, JSON.stringify(all));
  }
  return outcome;
}

function chooseSteps(): readonly Step[] {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, from: { type: 'string' } },
  });
  const wanted = values.only ?? values.from;
  if (wanted === undefined) return STEPS;
  const index = STEPS.findIndex(({ name }) => name === wanted);
  if (index < 0) {
    console.error(
      `There is no step "${wanted}"; there are: ${STEPS.map((s) => s.name).join(', ')}.`,
    );
    process.exit(2);
  }
  return values.only === undefined ? STEPS.slice(index) : STEPS.slice(index, index + 1);
}

const table: string[] = [];
const startedMs = performance.now();
const seconds = (fromMs: number) => `${((performance.now() - fromMs) / 1000).toFixed(1)} s`;
const begun = new Map<Step, Promise<Outcome & { readonly took: string }>>();

/** Starts a step unless it is running; resolves when it is done. */
function begin(step: Step): Promise<Outcome & { readonly took: string }> {
  const beganMs = performance.now();
  const done =
    begun.get(step) ?? step.run().then((outcome) => ({ ...outcome, took: seconds(beganMs) }));
  begun.set(step, done);
  return done;
}

const steps = chooseSteps();
for (const [index, step] of steps.entries()) {
  const done = begin(step);
  const next = steps[index + 1];
  if (step.onlyReads && next?.onlyReads) void begin(next);
  const { passed, output, took } = await done;
  table.push(`${passed ? '✓ passed' : '✗ failed'}  ${step.name.padEnd(14)}${took.padStart(8)}`);
  console.log(table.at(-1));
  if (!passed) {
    console.error(output.trimEnd());
    process.exitCode = 1;
    break;
  }
}
console.log(
  `\n${table.join('\n')}\n${' '.repeat(10)}${'in all'.padEnd(14)}${seconds(startedMs).padStart(8)}`,
);
