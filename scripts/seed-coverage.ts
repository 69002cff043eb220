// Measures how much of the two given API documents is covered by tests. Their rows are numbered
// (contracts/seeds); a test names the rows it covers in its title, as [T031]. Only tests that ran
// and passed count. `--from FILE` uses the results of an earlier run instead of running the tests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printFigures, printTable, type Figure } from './figure.ts';
import { ROWS_WITHOUT_BEHAVIOUR } from './seed-rows.ts';
import { parseFlags } from './flags.ts';

const { values } = parseFlags({
  options: { json: { type: 'boolean', default: false }, from: { type: 'string' } },
});
const root = fileURLToPath(new URL('..', import.meta.url));

interface Results {
  testResults: { assertionResults: { title: string; fullName: string; status: string }[] }[];
}

const results = values.from === undefined ? runTests() : read(values.from);
const covered = new Set<string>();
for (const file of results.testResults) {
  for (const { fullName, status } of file.assertionResults) {
    if (status !== 'passed') continue;
    for (const [, id] of fullName.matchAll(/\[([TM]\d{3})\]/g)) covered.add(id as string);
  }
}

const figures: Figure[] = [];
const table = [['document', 'rows', 'state behaviour', 'shown', 'missing']];
for (const document of ['trading', 'messaging']) {
  const ids = readFileSync(join(root, `contracts/seeds/${document}-rows.tsv`), 'utf8')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] as string);
  const stating = ids.filter((id) => !(id in ROWS_WITHOUT_BEHAVIOUR));
  const missing = stating.filter((id) => !covered.has(id));
  const without = Object.fromEntries(
    ids.filter((id) => id in ROWS_WITHOUT_BEHAVIOUR).map((id) => [id, ROWS_WITHOUT_BEHAVIOUR[id]]),
  );
  const shown = stating.length - missing.length;
  table.push([document, ids.length, stating.length, shown, missing.length].map(String));
  figures.push({
    figure: `seed.${document}`,
    value: shown,
    goal: stating.length,
    met: missing.length === 0,
    missing,
    without,
  });
}
printTable(table);
for (const { figure, missing } of figures) {
  if ((missing as string[]).length > 0)
    console.error(`${figure} misses: ${(missing as string[]).join(' ')}`);
}
if (values.json) printFigures(figures);

function runTests(): Results {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-seeds-'));
  const file = join(folder, 'results.json');
  try {
    const run = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--project',
        'unit',
        '--project',
        'integration',
        '-t',
        '\\[[TM]\\d{3}\\]',
        `--outputFile.json=${file}`,
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (run.status !== 0) {
      console.error('Some tests that show a row failed; they do not count.');
      process.exitCode = 1;
    }
    return read(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function read(file: string): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}
