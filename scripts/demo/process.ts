// The demo in a process of its own, with the line that it prints for programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Demo } from './summary.ts';
import { ROOT } from '../tests.ts';

export interface RunningDemo {
  readonly demo: Demo;
  stop(): Promise<void>;
}

export async function startDemo(more: readonly string[] = []): Promise<RunningDemo> {
  const child = spawn('npm', ['run', '-s', 'demo', '--', '--json', '--port', '0', ...more], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('The demo did not start.'))),
  ])) as [string];
  return {
    demo: JSON.parse(line) as Demo,
    async stop() {
      // The group: npm does not pass the signal on.
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
