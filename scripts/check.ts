// `npm run check`: the whole gate, fastest first, stopping at the first failure. CI runs the same.
//   --only NAME   one step        --from NAME   that step and all after it
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RESULTS = join(ROOT, '.vitest-results.json');
const UNIT_RESULTS = join(ROOT, '.vitest-results.unit.json');

interface Outcome {
  readonly passed: boolean;
  /** What a failing step has to say, unless it said it while running. */
  readonly output: string;
}

interface Step {
  readonly name: string;
  /** It only reads what is there, and on one core: such steps go two at a time. */
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
  { name: 'imports', onlyReads: true, run: checkImports },
  { name: 'dead code', onlyReads: true, run: () => command('knip', ['--no-progress']) },
  { name: 'generated', onlyReads: true, run: checkGenerated },
  { name: 'unit', run: () => runTests('unit', UNIT_RESULTS) },
  { name: 'integration', run: runIntegration },
];

/** The machine's own Node may be another one; npm must have brought ours. */
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

/** Rules that saw no file would pass whatever the code looks like, so the count is checked too. */
async function checkImports(): Promise<Outcome> {
  const folders = ['server/src', 'packages', 'scripts', 'e2e'].filter((path) =>
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

/** What is generated and committed must be what would be generated now. */
async function checkGenerated(): Promise<Outcome> {
  for (const name of ['emoji', 'db-types', 'contracts']) {
    const script = `scripts/gen-${name}.ts`;
    if (!existsSync(join(ROOT, script))) continue;
    const outcome = await command(process.execPath, [script, '--check']);
    if (!outcome.passed) return outcome;
  }
  return { passed: true, output: '' };
}

function runTests(project: string, results: string): Promise<Outcome> {
  const args = ['run', '--project', project, `--outputFile.json=${results}`];
  return command('vitest', args, true);
}

interface TestResults {
  testResults: unknown[];
}

/** Leaves the results of both kinds of tests in one file, from which seed coverage is counted. */
async function runIntegration(): Promise<Outcome> {
  const outcome = await runTests('integration', RESULTS);
  if (existsSync(UNIT_RESULTS) && existsSync(RESULTS)) {
    const [all, unit] = [RESULTS, UNIT_RESULTS].map(
      (file) => JSON.parse(readFileSync(file, 'utf8')) as TestResults,
    ) as [TestResults, TestResults];
    all.testResults.push(...unit.testResults);
    writeFileSync(RESULTS, JSON.stringify(all));
  }
  return outcome;
}

/** Runs a program of the workspace; with `isShown` its output appears as it comes. */
function command(program: string, args: readonly string[], isShown = false): Promise<Outcome> {
  const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, PATH: path },
      stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', (error) => resolve({ passed: false, output: error.message }));
    child.once('close', (code) => resolve({ passed: code === 0, output }));
  });
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

/** Starts a step if it was not started; resolves when it is done. */
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
