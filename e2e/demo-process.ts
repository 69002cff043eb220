// Starts the demo as a stranger does: through npm, reading the one line that it prints.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Demo } from '../scripts/demo/summary.ts';

const RESTART_WITHIN_MS = 120_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface DemoProcess {
  readonly demo: Demo;
  /** Everything on standard output, as far as it came. */
  readonly output: readonly string[];
  /** Everything on standard error. */
  complaints(): string;
  readonly readyMs: number;
  /** Every process of the demo now, npm included. */
  processes(): number[];
  kill(signal: NodeJS.Signals): void;
  /** Ends its servers and starts them again: the same address, the same database. */
  restart(): Promise<void>;
  /** Waits for the end; returns the exit code, and how long it took. */
  ended(): Promise<{ code: number | null; ms: number }>;
  /** What is left of it: running processes, and files in its temporary folder. */
  leftovers(): { processes: number[]; files: string[] };
  /** Ends what a failed test left over, and deletes its folder. */
  dispose(): void;
}

/** A demo with the world of this run of tests, which `npm run e2e` makes once; without it, with a new one. */
export function startStoredDemo(args: readonly string[] = []): Promise<DemoProcess> {
  const folder = process.env['DEMO_WORLD'];
  const from = folder === undefined ? [] : ['--from', folder];
  return startDemo(['--json', '--port', '0', ...from, ...args]);
}

/** Starts it with its own temporary folder, so that leftovers can be found. */
export async function startDemo(args: readonly string[]): Promise<DemoProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-e2e-'));
  // PostgreSQL runs as another user when this one is root.
  chmodSync(folder, 0o755);
  const startedMs = performance.now();
  const child = spawn('npm', ['run', '-s', 'demo', '--', ...args], {
    cwd: ROOT,
    // npm would keep its own compiled code there.
    env: { ...process.env, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => output.push(line));
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(([code, signal]) => {
      throw new Error(
        `The demo ended with ${code ?? signal} before it was ready. It said: ${complaints}`,
      );
    }),
  ]).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const readyMs = performance.now() - startedMs;
  const demo = args.includes('--json') ? (JSON.parse(first) as Demo) : ({} as Demo);
  const pid = child.pid ?? -1;
  let known: number[] = [pid];
  return {
    demo,
    output,
    complaints: () => complaints,
    readyMs,
    processes: () => (known = treeOf(pid)),
    kill(signal) {
      known = treeOf(pid);
      process.kill(pid, signal);
    },
    async restart() {
      // npm does not pass this signal on.
      const main = treeOf(pid).find((one) => commandOf(one).includes('scripts/demo/main.ts'));
      if (main === undefined) throw new Error('The demo has ended.');
      const restarted = once(lines, 'line', { signal: AbortSignal.timeout(RESTART_WITHIN_MS) });
      process.kill(main, 'SIGUSR2');
      await restarted;
    },
    ended: () => waitForEnd(child),
    leftovers() {
      const files = readdirSync(folder);
      // A watchdog has the folder that it will delete in its arguments, wherever it is in the
      // process tree.
      const processes = [...new Set([...known, ...naming(folder)])].filter(isRunning);
      return { processes, files };
    },
    dispose() {
      for (const one of new Set([...treeOf(pid), ...known])) {
        if (isRunning(one)) process.kill(one, 'SIGKILL');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitForEnd(child: ChildProcess): Promise<{ code: number | null; ms: number }> {
  const beganMs = performance.now();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, ms: performance.now() - beganMs };
}

/** Waits until nothing is left, at most `ms`; returns what is left then. */
export async function settled(
  demo: DemoProcess,
  ms: number,
): Promise<ReturnType<DemoProcess['leftovers']>> {
  const deadline = performance.now() + ms;
  for (;;) {
    const left = demo.leftovers();
    if (left.processes.length + left.files.length === 0 || performance.now() > deadline) {
      return left;
    }
    await sleep(50);
  }
}

interface ProcessRow {
  pid: number;
  parent: number;
  state: string;
}

function listProcesses(): ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readOrNothing(`/proc/${name}/stat`);
      // The program name stands in brackets and may contain anything.
      const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return stat === '' ? [] : [{ pid: Number(name), parent: Number(parent), state }];
    });
}

function treeOf(root: number): number[] {
  const rows = listProcesses();
  const found = [root];
  for (const pid of found) {
    found.push(...rows.filter(({ parent }) => parent === pid).map((row) => row.pid));
  }
  return found;
}

/** A zombie counts as gone. */
function isRunning(pid: number): boolean {
  return listProcesses().some((row) => row.pid === pid && row.state !== 'Z');
}

function naming(text: string): number[] {
  return listProcesses()
    .map(({ pid }) => pid)
    .filter((pid) => commandOf(pid).includes(text));
}

/** The program and its arguments, with spaces between. */
const commandOf = (pid: number): string =>
  readOrNothing(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
