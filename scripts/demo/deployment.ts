// The demo's servers: everything in this process, or each role in its own process.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../../server/src/ops/trouble.ts';
import { ended, hasExited } from '../../server/src/platform/engines/process.ts';
import { startTradingProcess, TRADES, type TradingProcess } from './trade/process.ts';

export type Settings = Readonly<Record<string, string>>;

export interface Deployment {
  /** Where the APIs answer, once they do; several in a cluster. */
  readonly ready: Promise<readonly string[]>;
  /** May be called before it is ready: nobody relies on it yet, so it simply ends. */
  stop(): Promise<void>;
}

/** Called when a server ends, or must end, unasked. */
export type OnFatal = (error: Error) => void;

export function startAlone(settings: Settings, onFatal: OnFatal): Deployment {
  let running: TradingProcess | undefined;
  async function start(): Promise<readonly string[]> {
    running = await startTradingProcess(settings, onFatal);
    return [running.origin];
  }
  return { ready: start(), stop: async () => running?.stop() };
}

/** The roles of a cluster: two of those that answer requests, since faults show there. */
const CLUSTER = ['api', 'api', 'engine', 'relay', 'worker'] as const;

export function startCluster(settings: Settings, onFatal: OnFatal): Deployment {
  let firstPort = settings['PORT'] ?? '0';
  let isStopping = false;
  const roles = CLUSTER.map((role, index) => {
    const port = role === 'api' ? firstPort : '0';
    // The second server takes a free port, because the requested one belongs to the first. So do
    // the traders.
    if (role === 'api') firstPort = '0';
    const trades: Settings = index === 0 ? { [TRADES]: 'yes' } : {};
    return { role, child: spawnRole({ ...settings, ...trades, ROLES: role, PORT: port }) };
  });
  async function start(): Promise<readonly string[]> {
    const origins = await Promise.all(roles.map(({ role, child }) => originOf(role, child)));
    for (const { role, child } of roles) {
      child.once('exit', (code) => {
        if (!isStopping) onFatal(new Error(`The process of the role ${role} ended with ${code}.`));
      });
    }
    return origins.filter((origin) => origin !== '');
  }
  async function stop(): Promise<void> {
    isStopping = true;
    // In the order in which one process stops its roles: those that take requests first.
    for (const children of [roles.slice(0, 2), roles.slice(2)]) {
      await Promise.all(children.map(({ child }) => endChild(child)));
    }
  }
  return { ready: start(), stop };
}

async function endChild(child: ChildProcess): Promise<void> {
  if (!hasExited(child)) child.kill('SIGTERM');
  if (!(await ended(child, STOP_WITHIN_MS))) child.kill('SIGKILL');
}

const ROLE_SCRIPT = fileURLToPath(new URL('role.ts', import.meta.url));
const STOP_WITHIN_MS = 2000;
const START_WITHIN_MS = 55_000;

function spawnRole(settings: Settings): ChildProcess {
  return spawn(process.execPath, [ROLE_SCRIPT], {
    // Passes on only what a process needs to run, not the caller's whole environment.
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Waits for the role to report its address; empty for a role that does not listen. */
async function originOf(role: string, child: ChildProcess): Promise<string> {
  const late = AbortSignal.timeout(START_WITHIN_MS);
  const told = once(child, 'message', { signal: late }).then(
    ([message]) => (message as { origin: string }).origin,
    () => {
      throw new CommandError(
        `The role ${role} was not ready within ${START_WITHIN_MS / 1000} s. The machine may be too busy; try again.`,
      );
    },
  );
  const exited = once(child, 'exit', { signal: late }).then(([code]) => {
    throw new CommandError(`The process of the role ${role} ended with ${code} while starting.`);
  });
  // The promise that loses the race fails later, and that error must be ignored.
  told.catch(() => {});
  exited.catch(() => {});
  return Promise.race([told, exited]);
}
