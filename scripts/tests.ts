// Runs the tests of one project of vitest.config.ts. If a few files fail, they run once more,
// alone: what fails again is broken, and what passes then is flaky. A flaky test is a defect too,
// so it is named, but it does not stop the gate: on a busy machine it would block everybody.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const AGAIN = join(ROOT, '.vitest-results.again.json');

export interface Outcome {
  readonly passed: boolean;
  /** The output of a failing step, unless it was shown while running. */
  readonly output: string;
}

export interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

export interface TestResults {
  testResults: TestFile[];
}

/**
 * More failing files than this are not flakiness. A virtual machine that is given no processor for seconds fails tests of
 * time limits in many files at once.
 */
const FLICKERS_MAX = 12;

export const readResults = (path: string): TestResults =>
  JSON.parse(readFileSync(path, 'utf8')) as TestResults;

/** With `files`, those whose path has one of these texts. */
export async function runTests(
  project: string,
  results: string,
  files: readonly string[] = [],
): Promise<Outcome> {
  rmSync(results, { force: true });
  const first = await vitest(project, results, files);
  if (first.passed || !existsSync(results)) return first;
  const all = readResults(results).testResults;
  const failed = all.filter(({ status }) => status === 'failed');
  if (failed.length === 0 || failed.length > FLICKERS_MAX) return first;
  const second = await vitest(
    project,
    AGAIN,
    failed.map(({ name }) => name),
    ['--maxWorkers=1'],
  );
  if (second.passed) {
    console.log(`\n${describeFlickers(failed)}\n`);
    writeFileSync(
      results,
      JSON.stringify({ testResults: replaceFiles(all, readResults(AGAIN).testResults) }),
    );
  }
  return second;
}

/** Later results of a file replace its earlier ones. */
export const replaceFiles = (
  before: readonly TestFile[],
  later: readonly TestFile[],
): readonly TestFile[] =>
  before.map((file) => later.find(({ name }) => name === file.name) ?? file);

export function describeFlickers(files: readonly TestFile[]): string {
  const lines = files.flatMap(({ name, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'failed');
    // A file can fail without a failing test: in its set-up.
    const titles = tests.length === 0 ? ['its set-up'] : tests.map(({ fullName }) => fullName);
    return titles.map((title) => `  ${name.replace(ROOT, '')}: ${title}`);
  });
  return `FLICKERED: failed among others, passed alone. Fix it.\n${lines.join('\n')}`;
}

const vitest = (
  project: string,
  results: string,
  files: readonly string[] = [],
  flags: readonly string[] = [],
) =>
  command(
    'vitest',
    ['run', '--project', project, `--outputFile.json=${results}`, ...flags, ...files],
    true,
  );

/** Runs a program of the workspace; with `isShown` its output appears as it comes. */
export function command(
  program: string,
  args: readonly string[],
  isShown = false,
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment, PATH: path },
      stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', (error) => resolve({ passed: false, output: error.message }));
    child.once('close', (code) => resolve({ passed: code === 0, output }));
  });
}
