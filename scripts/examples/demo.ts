// Starts the demo on a free port and waits for the line that it prints.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Demo } from '../demo/summary.ts';

const SCRIPT = fileURLToPath(new URL('../demo/main.ts', import.meta.url));

export interface RunningDemo {
  readonly demo: Demo;
  stop(): Promise<void>;
}

export async function startDemo(): Promise<RunningDemo> {
  const child = spawn(process.execPath, [SCRIPT, '--json', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`The demo ended with ${code} before it was ready.`);
  });
  const line = await Promise.race([once(lines, 'line').then(([first]) => String(first)), exited]);
  exited.catch(() => {});
  return {
    demo: JSON.parse(line) as Demo,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
