// `npm run e2e`: runs the end-to-end tests with real processes, then the attacks alone, because
// they compare timings. The gate runs some of them by turns, see turns.ts. `npm run e2e -- NAME ...` runs the files that
// have such a name.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags } from './flags.ts';
import { command, ROOT, runTests } from './tests.ts';
import { buildClientIfChanged } from './web/build.ts';

/** Waiting for the disk is a large part of a run, and no test here cuts the power: `npm run crash` is on the disk. */
const MEMORY = '/dev/shm';

const { positionals: names } = parseFlags({ allowPositionals: true });

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

/** Tuesdays and Fridays in the gate; always without a turn. */
const ATTACKS_ON = ['1', '4'];
const turn = process.env['GATE_TURN'] ?? '';
const ofAttacks = names.filter((name) => name.includes('attacks'));
const others = names.filter((name) => !ofAttacks.includes(name));
const isAsked = (files: readonly string[], always: boolean): boolean =>
  names.length === 0 ? always : files.length > 0;
const runs = [
  { project: 'e2e', files: others, isRun: isAsked(others, true) },
  {
    project: 'attacks',
    files: ofAttacks,
    isRun: isAsked(ofAttacks, turn === '' || ATTACKS_ON.includes(turn)),
  },
].filter(({ isRun }) => isRun);

for (const { project, files } of runs) {
  const { passed } = await runTests(project, join(ROOT, '.vitest-results.e2e.json'), files);
  if (!passed) {
    process.exitCode = 1;
    break;
  }
}
