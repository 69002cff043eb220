// `npm run e2e`: runs the end-to-end tests with real processes, then the attacks alone, because
// they compare timings.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, ROOT, runTests } from './tests.ts';
import { buildClientIfChanged } from './web/build.ts';

/** Waiting for the disk is a large part of a run, and no test here cuts the power: `npm run crash` is on the disk. */
const MEMORY = '/dev/shm';

const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'rialto-e2e-'));
// PostgreSQL runs as another user when this one is root.
chmodSync(folder, 0o755);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

process.env['TMPDIR'] = folder;
// Both once for all: demos that start side by side would write the same client while browsers read it.
await buildClientIfChanged();
const world = join(folder, 'world');
const made = await command('npm', ['run', '-s', 'demo', '--', '--save', world, '--port', '0']);
if (!made.passed) throw new Error(`The demo's world could not be made.\n${made.output}`);
process.env['DEMO_WORLD'] = world;

for (const project of ['e2e', 'attacks']) {
  const { passed } = await runTests(project, join(ROOT, '.vitest-results.e2e.json'));
  if (!passed) {
    process.exitCode = 1;
    break;
  }
}
