// A whole deployment in separate processes, each of which may be killed: two engines, two api
// nodes, a relay and a worker on a private PostgreSQL, NATS and Redis.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EnginePoint } from '../../server/src/trading/engine/lead.ts';
import { startDeployment, type TestDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess, type RialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { until } from './until.ts';

const SCRIPT = fileURLToPath(new URL('process.ts', import.meta.url));

/** One process across its restarts, as a supervisor would make them. */
const STARTS_MAX = 5;

export interface Node extends RialtoProcess {
  readonly name: string;
  isAlive(): boolean;
  /** Makes it die at the n-th occurrence of the point from now on. */
  layTrap(point: EnginePoint, occurrence: number): void;
  /** When it died at its trap, on the clock of `performance.now()`. */
  diedMs(): number;
  /** True once its engine has read the journal to the end. */
  hasRecovered(): boolean;
  /** Its id in the lease of the engine. */
  id(): string;
}

export interface Cluster {
  readonly deployment: TestDeployment;
  readonly engines: readonly Node[];
  readonly apis: readonly Node[];
  readonly others: readonly Node[];
  /** The engine that holds the lease, and the one that does not. */
  findLeader(): Promise<{ leader: Node; standby: Node }>;
  /** Restarts the processes that have ended; returns their names. */
  revive(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startCluster(settings: Record<string, string>): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-crash-'));
  const deployment = await startDeployment({
    MONEY: 'simulated',
    TRADING_RATE_LIMIT: '1000000',
    // Often, so that snapshots are written, and interrupted by deaths, all the time.
    ENGINE_SNAPSHOT_COMMANDS: '5000',
    ...settings,
  });
  // A process that starts a hundred times need not be compiled a hundred times.
  const environment = { ...deployment.environment, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const all: Node[] = [];
  const killAll = () => {
    for (const node of all) if (node.isAlive()) node.kill('SIGKILL');
  };
  process.once('exit', killAll);
  const start = async (roles: string, name: string): Promise<Node> => {
    const node = await startNode(roles, name, join(folder, name), environment);
    all.push(node);
    return node;
  };
  const engines = [await start('engine', 'engine-a'), await start('engine', 'engine-b')];
  const apis = [await start('api', 'api-a'), await start('api', 'api-b')];
  const others = [await start('relay', 'relay'), await start('worker', 'worker')];

  async function findLeader(): Promise<{ leader: Node; standby: Node }> {
    return until('an engine leads and another one follows', async () => {
      // On an overloaded machine, an engine may be replaced without a fault.
      for (const node of engines) if (!node.isAlive()) await node.restart();
      const { rows } = await deployment.ctx.database.pool.query<{ holder: string; fresh: boolean }>(
        "SELECT holder, beat_at > clock_timestamp() - interval '800 ms' AS fresh FROM trading_leases",
      );
      const leader = engines.find((node) => node.isAlive() && node.id() === rows[0]?.holder);
      const standby = engines.find((node) => node !== leader);
      if (leader === undefined || standby === undefined || rows[0]?.fresh !== true)
        return undefined;
      return standby.isAlive() && standby.hasRecovered() ? { leader, standby } : undefined;
    });
  }

  return {
    deployment,
    engines,
    apis,
    others,
    findLeader,
    async revive() {
      const dead = all.filter((node) => !node.isAlive());
      await Promise.all(dead.map((node) => node.restart()));
      return dead.map(({ name }) => name);
    },
    async close() {
      killAll();
      process.off('exit', killAll);
      await deployment.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(
  roles: string,
  name: string,
  place: string,
  environment: Record<string, string>,
): Promise<Node> {
  const forget = () => {
    for (const kind of ['id', 'recovered', 'trap', 'died'])
      rmSync(`${place}.${kind}`, { force: true });
  };
  const child = await startRialtoProcess(roles, { ...environment, CRASH_PLACE: place }, [SCRIPT]);
  const read = (kind: string) =>
    existsSync(`${place}.${kind}`) ? readFileSync(`${place}.${kind}`, 'utf8') : '';
  // Spreading the object would copy a getter's current value.
  return Object.defineProperty(
    {
      ...child,
      name,
      pid: 0,
      isAlive: () => isAlive(child.pid),
      layTrap(point: EnginePoint, occurrence: number) {
        writeFileSync(`${place}.trap`, `${point} ${occurrence}`);
        child.kill('SIGUSR2');
      },
      diedMs: () => performance.now() - (Date.now() - Number(read('died'))),
      hasRecovered: () => read('recovered') === String(child.pid),
      id: () => read('id'),
      async restart() {
        for (let attempt = 1; ; attempt += 1) {
          forget();
          try {
            await child.restart();
            return;
          } catch (error) {
            // A supervisor also retries when the database was still starting.
            if (attempt === STARTS_MAX) throw error;
            child.kill('SIGKILL');
          }
        }
      },
    },
    'pid',
    { get: () => child.pid },
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
