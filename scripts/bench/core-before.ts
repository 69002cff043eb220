// `bench core-before`: the matching core against the version before it, on the mixed workload, in turns in one
// run. The workload has none of the newer kinds of orders: what they cost those who do not use them is the
// difference. The older core comes from this repository's history.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CORE_VERSION } from '../../packages/matching/src/index.ts';
import { printTable, type Figure } from '../figure.ts';
import { median, round, spread } from './stats.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROUNDS = 15;
const QUICK_ROUNDS = 5;
/** Ours may take this much longer at most. */
const GOAL_RATIO = 0.95;

export async function benchCoreBefore({ quick }: { quick: boolean }): Promise<Figure[]> {
  const commit = commitBefore();
  const folder = mkdtempSync(join(tmpdir(), 'core-before-'));
  const runners: Runner[] = [];
  try {
    checkOut(commit, folder);
    runners.push(await startRunner(ROOT), await startRunner(folder));
    const [ours, before] = runners as [Runner, Runner];
    const ns = { ours: [] as number[], before: [] as number[] };
    for (let turn = 0; turn < (quick ? QUICK_ROUNDS : ROUNDS); turn += 1) {
      // The second of a turn may find a warmer machine, so they change places.
      const first = turn % 2 === 0;
      if (first) ns.ours.push(await ours.run());
      ns.before.push(await before.run());
      if (!first) ns.ours.push(await ours.run());
    }
    const ratio = median(ns.ours.map((one, index) => (ns.before[index] ?? 0) / one));
    printTable([
      ['core', 'ns of processor time a command', 'spread'],
      [`version ${CORE_VERSION}`, String(round(median(ns.ours))), spread(ns.ours)],
      [`before, ${commit.slice(0, 8)}`, String(round(median(ns.before))), spread(ns.before)],
    ]);
    return [
      {
        figure: 'core.before',
        ours: round(median(ns.ours)),
        bare: round(median(ns.before)),
        ratio: round(ratio, 3),
        unit: 'ns',
        commit,
        goal: GOAL_RATIO,
        met: ratio >= GOAL_RATIO,
      },
    ];
  } finally {
    for (const runner of runners) runner.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** The commit before the one that introduced this version of the core. */
function commitBefore(): string {
  const text = `CORE_VERSION = ${CORE_VERSION}`;
  const introduced = git(
    'log',
    '--format=%H',
    '-S',
    text,
    '--',
    'packages/matching/src/version.ts',
  );
  const first = introduced.split('\n').at(-1);
  if (first === undefined || first === '') {
    throw new Error(
      `No commit of this clone introduces "${text}": the history is needed to compare with it. ` +
        'Clone without --depth.',
    );
  }
  return git('rev-parse', `${first}^`);
}

function checkOut(commit: string, folder: string): void {
  const archive = execFileSync('git', ['archive', commit, 'packages/matching'], {
    cwd: ROOT,
    maxBuffer: 1 << 28,
  });
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
}

interface Runner {
  /** One round; gives nanoseconds of processor time a command. */
  run(): Promise<number>;
  stop(): void;
}

async function startRunner(folder: string): Promise<Runner> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'core-round.ts'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const next = async (): Promise<string> => {
    const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(120_000) })) as [
      string,
    ];
    return line;
  };
  if ((await next()) !== 'ready') throw new Error('A round did not get ready.');
  return {
    async run() {
      const answer = next();
      child.stdin.write('\n');
      return Number(await answer);
    },
    stop() {
      child.kill();
    },
  };
}
