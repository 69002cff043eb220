// A process and what it depends on: connection pools, bus, jobs, mail, disk, clocks.
import { Counter, Gauge, type Registry } from 'prom-client';
import { VERSION } from '../version.ts';

/** Connections of a pool that are in use, and callers that wait for one. */
export interface PoolUse {
  readonly inUse: number;
  readonly waiting: number;
  /** Connections that it may open. */
  readonly max: number;
}

/** Jobs that could run now, how long the oldest of them has waited, and those that were given up. */
export interface JobBacklog {
  readonly ready: number;
  readonly oldestSeconds: number;
  readonly givenUp: number;
}

export interface ProcessMetrics {
  /** `look` is called whenever somebody reads the metrics; the pools are a fixed list. */
  watchPool(pool: string, look: () => PoolUse): void;
  /** A request was refused because too many waited for a connection of that pool. */
  poolFull(pool: string): void;
  /** A message of the bus without our signature. */
  busForged(): void;
  /** The jobs as their table shows them. */
  jobsSeen(backlog: JobBacklog): void;
  /** One attempt to send an email; both labels are from fixed lists. */
  mailed(purpose: string, outcome: 'sent' | 'failed' | 'refused' | 'expired'): void;
  /** How full the disk with the uploads is, from 0 to 1. */
  diskSeen(used: number): void;
  /** This process's clock minus the database's clock, without the time of the round trip. */
  clockSeen(offsetSeconds: number): void;
}

export function createProcessMetrics(registry: Registry): ProcessMetrics {
  const registers = [registry];
  new Gauge({
    name: 'rialto_build_info',
    help: 'Always 1; which release this is, and on which Node it runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: VERSION, node: globalThis.process.versions.node }, 1);
  const pools = new Map<string, () => PoolUse>();
  const connections = new Gauge({
    name: 'rialto_database_connections',
    help: 'Connections of each pool in use, callers that wait for one, and how many it may open.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, look] of pools) {
        const { inUse, waiting: callers, max } = look();
        connections.set({ pool, state: 'max' }, max);
        connections.set({ pool, state: 'in_use' }, inUse);
        connections.set({ pool, state: 'waiting' }, callers);
      }
    },
  });
  const poolRefusals = new Counter({
    name: 'rialto_database_pool_full_total',
    help: 'Callers that were refused because too many waited for a connection of that pool.',
    labelNames: ['pool'],
    registers,
  });
  const busForged = new Counter({
    name: 'rialto_bus_forged_total',
    help: 'Messages of the bus that no process with our master key wrote.',
    registers,
  });
  const jobs = new Gauge({
    name: 'rialto_jobs',
    help: 'Jobs that could run now, and jobs that were given up; counted up to 10,000.',
    labelNames: ['state'],
    registers,
  });
  const oldestJob = new Gauge({
    name: 'rialto_jobs_oldest_seconds',
    help: 'How long the oldest job that could run has waited; zero when none waits.',
    registers,
  });
  const emails = new Counter({
    name: 'rialto_letters_total',
    help: 'Tries to send a letter, by what it is for and what came of it.',
    labelNames: ['purpose', 'outcome'],
    registers,
  });
  const diskUsed = new Gauge({
    name: 'rialto_disk_used_ratio',
    help: 'How full the disk with the uploads is, from 0 to 1.',
    registers,
  });
  const clockOff = new Gauge({
    name: 'rialto_clock_offset_seconds',
    help: 'The clock of this process less that of the database, beyond what the way there took.',
    registers,
  });
  return {
    watchPool: (pool, look) => void pools.set(pool, look),
    poolFull: (pool) => poolRefusals.inc({ pool }),
    busForged: () => busForged.inc(),
    jobsSeen: ({ ready, oldestSeconds, givenUp }) => {
      jobs.set({ state: 'ready' }, ready);
      jobs.set({ state: 'given_up' }, givenUp);
      oldestJob.set(oldestSeconds);
    },
    mailed: (purpose, outcome) => emails.inc({ purpose, outcome }),
    diskSeen: (used) => diskUsed.set(used),
    clockSeen: (offsetSeconds) => clockOff.set(offsetSeconds),
  };
}
