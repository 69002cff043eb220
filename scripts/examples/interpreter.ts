// Runs a sample of the documentation in its language, and gives back what it printed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SAMPLE_MS = 60_000;
const INHERITED = { PATH: process.env['PATH'], HOME: process.env['HOME'] };

export interface Interpreter {
  /** Throws with what the program complained of. */
  run(file: string, env: Readonly<Record<string, string>>): Promise<string>;
  close(): void;
}

/** A shell of its own for each sample, as a reader pastes it. */
export function createShell(folder: string): Interpreter {
  return {
    async run(file, env) {
      const child = spawn('sh', ['-e', file], {
        cwd: folder,
        env: { ...INHERITED, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: SAMPLE_MS,
      });
      let [printed, complaints] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Error(`It ended with ${code}.\n${complaints}`);
      return printed;
    },
    close() {},
  };
}

export const createNode = (folder: string): Interpreter =>
  createKept(folder, process.execPath, 'run-samples.ts');

export const createPython = (folder: string): Interpreter =>
  createKept(folder, 'python3', 'run_samples.py');

/** One process for all samples: starting an interpreter for each takes longer than the samples. */
function createKept(folder: string, program: string, script: string): Interpreter {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(program, [path], {
    cwd: folder,
    env: INHERITED,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit');
  return {
    async run(file, env) {
      const answered = Promise.race([
        once(lines, 'line', { signal: AbortSignal.timeout(SAMPLE_MS) }),
        ended.then(() => {
          throw new Error(`${program} ended.`);
        }),
      ]);
      child.stdin.write(`${JSON.stringify({ file, env })}\n`);
      const [line] = (await answered) as [string];
      const { printed, error } = JSON.parse(line) as { printed?: string; error?: string };
      if (printed === undefined) throw new Error(error ?? line);
      return printed;
    },
    close: () => child.kill(),
  };
}
