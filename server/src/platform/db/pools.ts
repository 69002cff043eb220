// Separate connection pools for different work. With one pool, a single heavy user, such as one
// guest who searches, would delay everybody else: a trader, somebody who signs in, the engine
// itself.
import type { Config, Role } from '../config/schema.ts';
import type { Metrics } from '../observe/metrics.ts';
import { openDatabase, type Database } from './pool.ts';

/**
 * `general` keeps the process going: the engine, the relay, the log that the hub follows, health.
 * `worker` is for jobs, due items, projections and audits.
 */
export type PoolName = 'general' | 'trading' | 'chat' | 'search' | 'signIn' | 'worker';

/** Connections that a process with the role worker opens for the job library. */
export const JOB_CONNECTIONS = 6;
/** One holds the lock between processes. */
const LOCK_CONNECTIONS = 1;

type Sizes = Pick<
  Config,
  | 'DATABASE_POOL_MAX'
  | 'DATABASE_POOL_TRADING'
  | 'DATABASE_POOL_CHAT'
  | 'DATABASE_POOL_SEARCH'
  | 'DATABASE_POOL_SIGN_IN'
  | 'DATABASE_POOL_WORKER'
>;

const sizeOf = (config: Sizes): Record<PoolName, number> => ({
  general: config.DATABASE_POOL_MAX,
  trading: config.DATABASE_POOL_TRADING,
  chat: config.DATABASE_POOL_CHAT,
  search: config.DATABASE_POOL_SEARCH,
  signIn: config.DATABASE_POOL_SIGN_IN,
  worker: config.DATABASE_POOL_WORKER,
});

const OF_API: readonly PoolName[] = ['trading', 'chat', 'search', 'signIn'];

/** The most connections that a process with these roles opens. */
export function connectionsOf(config: Sizes, roles: readonly Role[]): number {
  const size = sizeOf(config);
  let sum = LOCK_CONNECTIONS + size.general;
  if (roles.includes('api')) for (const name of OF_API) sum += size[name];
  if (roles.includes('worker')) sum += size.worker + JOB_CONNECTIONS;
  return sum;
}

export interface Pools {
  of(name: PoolName): Database;
  close(): Promise<void>;
}

export interface PoolsOptions {
  config: Config;
  /** The application name in PostgreSQL, before the name of the pool. */
  name: string;
  metrics: Metrics;
  onError(error: Error): void;
}

/** A pool opens no connection before it is used, so pools without a role cost nothing. */
export function openPools({ config, name, metrics, onError }: PoolsOptions): Pools {
  const open = ([pool, poolMax]: [string, number]): [string, Database] => {
    const database = openDatabase({
      url: config.DATABASE_URL,
      poolMax,
      name: `${name} ${pool}`,
      ...(pool === 'search' && { statementMs: config.SEARCH_MS }),
      onError,
      onFull: () => metrics.poolFull(pool),
    });
    const { pool: watched } = database;
    metrics.watchPool(pool, () => ({
      inUse: watched.totalCount - watched.idleCount,
      waiting: watched.waitingCount,
      max: poolMax,
    }));
    return [pool, database];
  };
  const databases = new Map(Object.entries(sizeOf(config)).map(open));
  return {
    of(wanted) {
      const found = databases.get(wanted);
      if (found === undefined) throw new Error(`There is no pool ${wanted}.`);
      return found;
    },
    async close() {
      await Promise.all([...databases.values()].map((database) => database.close()));
    },
  };
}
