// A Rialto process as an operator starts it, for tests and benchmarks that kill, pause or measure it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../platform/engines/process.ts';

export const RIALTO_BINARY = fileURLToPath(new URL('../../bin/rialto.js', import.meta.url));
/** The same compile cache as that of the binary, so that other scripts start as quickly. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/rialto', import.meta.url));
/** Far more than a start takes: on a machine that is busy with other tests nothing starts quickly. */
const READY_WITHIN_MS = 90_000;

interface Checks {
  readonly checks?: Readonly<Record<string, string>>;
}

export interface RialtoProcess {
  readonly roles: string;
  readonly port: number;
  readonly opsPort: number;
  readonly origin: string;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Starts it again on the same ports, after it ended in any way. */
  restart(): Promise<void>;
  /** SIGTERM, then waits for the end; returns the exit code. */
  stop(): Promise<number | null>;
}

/**
 * `command` replaces `rialto serve`, for a test that needs a server with additional routes. The environment may depend on
 * the port.
 */
export async function startRialtoProcess(
  roles: string,
  environment: Record<string, string> | ((port: number) => Record<string, string>),
  command: readonly string[] = [RIALTO_BINARY, 'serve', '--roles', roles],
): Promise<RialtoProcess> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const settings = typeof environment === 'function' ? environment(port) : environment;
  let child = launch();
  try {
    await ready();
  } catch (error) {
    // No other code knows this process, so nothing else would end it.
    child.kill('SIGKILL');
    throw error;
  }

  function launch(): ChildProcess {
    const ports = { PORT: String(port), OPS_PORT: String(opsPort), ROLES: roles };
    return spawn(process.execPath, command, {
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...settings, ...ports },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  async function ready(): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    while (Date.now() < deadline) {
      if (child.exitCode !== null) throw new Error(`rialto ${roles} ended with ${child.exitCode}.`);
      const answer = await fetch(`http://127.0.0.1:${opsPort}/ready`).catch(() => undefined);
      // Only these checks count: an api that is started without an engine serves everything else.
      const { checks = {} } = ((await answer?.json().catch(() => undefined)) ?? {}) as Checks;
      const isUp = checks['database'] === 'ok' && checks['process'] === 'ok';
      // The operators' port opens first; the api's own port must answer too.
      const api = roles.includes('api')
        ? await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined)
        : answer;
      if (isUp && (api === answer || api?.status === 200)) return;
      await sleep(50);
    }
    throw new Error(`rialto ${roles} was not ready within ${READY_WITHIN_MS} ms.`);
  }

  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const ended = async () => {
    if (!isOver()) await once(child, 'exit');
  };

  return {
    roles,
    port,
    opsPort,
    origin: `http://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? -1;
    },
    kill: (signal) => void child.kill(signal),
    async restart() {
      await ended();
      child = launch();
      await ready();
    },
    async stop() {
      if (!isOver()) {
        child.kill('SIGCONT');
        child.kill('SIGTERM');
      }
      await ended();
      return child.exitCode;
    },
  };
}
