// What a role gets. A feature reaches everything it uses through this object.
import { randomUUID } from 'node:crypto';
import type { Bus } from './bus/bus.ts';
import { openBus } from './bus/open.ts';
import { SUBJECTS } from './bus/subjects.ts';
import type { Cause } from './cause.ts';
import { rolesOf } from './config/load.ts';
import type { Config, Role } from './config/schema.ts';
import { secretValues } from './config/secrets.ts';
import { readAtStart } from './db/busy.ts';
import { findDurabilityProblems, type DurabilityProblem } from './db/durability.ts';
import type { Database, Db } from './db/pool.ts';
import { openPools, type PoolName } from './db/pools.ts';
import { runInTransaction, type TransactionOptions, type Tx } from './db/transaction.ts';
import { createFactMemory, type FactMemory } from './facts/memory.ts';
import { createFiles } from './files/create.ts';
import type { Files } from './files/files.ts';
import { installationName } from './installation.ts';
import { createLog, type Log } from './observe/log.ts';
import { createMetrics, type Metrics } from './observe/metrics.ts';
import { bindMoney } from './money.ts';
import { lockDatabase, registerProcess } from './processes.ts';
import type { Hub } from './realtime/hub.ts';
import { openRing } from './secrets/ring.ts';
import { createSecrets, type Secrets } from './secrets/secrets.ts';
import { systemClock, type Clock } from './std/clock.ts';
import { createClosers } from './std/closers.ts';
import { openWindows } from './windows/open.ts';
import type { Windows } from './windows/windows.ts';

export interface Context {
  /** This process among all others, for as long as it lives. */
  readonly id: string;
  readonly config: Config;
  readonly roles: readonly Role[];
  readonly database: Database;
  /** Reads outside a transaction. Writes go through `inTransaction`. */
  readonly db: Db;
  /** What this process remembers of rights and settings. */
  readonly facts: FactMemory;
  readonly bus: Bus;
  readonly windows: Windows;
  readonly secrets: Secrets;
  /** The bytes of uploaded files. */
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Runs `work` in one transaction; its events and jobs exist if and only if it commits. */
  inTransaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** The parts of a context that use the connections reserved for one kind of work. */
  pooled(name: PoolName): Pooled;
  close(): Promise<void>;
}

export type Pooled = Pick<Context, 'database' | 'db' | 'inTransaction'>;

/** The same context on the connections reserved for `name`. */
export const withPool = <C extends Context>(ctx: C, name: PoolName): C => ({
  ...ctx,
  ...ctx.pooled(name),
});

/** The same context, with transactions that know their cause. */
export function withCause<C extends Context>(ctx: C, cause: Cause): C {
  return {
    ...ctx,
    inTransaction: (work, options) => ctx.inTransaction(work, { ...options, cause }),
  };
}

/** What a role that answers requests has in addition. */
export interface ApiContext extends Context {
  readonly hub: Hub;
  /** The origin that clients use, without a trailing slash. */
  publicUrl(): string;
}

/** The origin for texts written outside the api, such as on the command line. */
export function originOf(ctx: Context & Partial<Pick<ApiContext, 'publicUrl'>>): string {
  const { PUBLIC_URL, HOST, PORT } = ctx.config;
  if (ctx.publicUrl !== undefined) return ctx.publicUrl();
  return PUBLIC_URL === '' ? `http://${HOST}:${PORT}` : PUBLIC_URL;
}

/** The name of the host that clients use, without a port. */
export function hostOf({ config: { PUBLIC_URL, HOST } }: Pick<Context, 'config'>): string {
  return PUBLIC_URL === '' ? HOST : new URL(PUBLIC_URL).hostname;
}

/** What rendering needs: links to our own origin become relative. */
export type OriginContext = Context & Pick<ApiContext, 'publicUrl'>;

export interface ContextOptions {
  /** Called when the process must end, for a reason that is already logged. */
  onFatal(error: Error): void;
  clock?: Clock;
  log?: Log;
}

export class UnsafeDatabaseError extends Error {
  override name = 'UnsafeDatabaseError';
  constructor(problems: readonly DurabilityProblem[]) {
    super(problems.map(({ what, why, fix }) => `${what} ${why} ${fix}`).join('\n'));
  }
}

export async function createContext(config: Config, options: ContextOptions): Promise<Context> {
  const roles = rolesOf(config);
  const id = randomUUID();
  const log =
    options.log ??
    createLog(
      config.LOG_LEVEL,
      { process: id.slice(0, 8), roles: roles.join(',') },
      { hidden: secretValues(config) },
    );
  const clock = options.clock ?? systemClock;
  const metrics = createMetrics(roles.join(','));
  const { onClose, close } = createClosers((error, step) =>
    log.warn({ err: error, step }, 'Closing failed.'),
  );
  try {
    const pools = openPools({
      config,
      name: `rialto ${roles.join(',')}`,
      metrics,
      onError: (error) => log.warn({ err: error }, 'A database connection was lost.'),
    });
    onClose('database', pools.close);
    const database = pools.of('general');
    const problems = await readAtStart(log, () => findDurabilityProblems(database.pool));
    if (problems.length > 0) throw new UnsafeDatabaseError(problems);
    await readAtStart(log, () => bindMoney(database.db, config.MONEY));
    const { MASTER_KEY, MASTER_KEY_PREVIOUS } = config;
    const secrets = await readAtStart(log, () =>
      openRing(database.pool, createSecrets(MASTER_KEY, MASTER_KEY_PREVIOUS)),
    );

    const isAlone = config.NATS_URL === '';
    // It distinguishes deployments that share a NATS or a Redis.
    const installation = isAlone ? '' : await installationName(database.pool, config.INSTALLATION);
    const lock = await lockDatabase(config.DATABASE_URL, isAlone, options.onFatal);
    onClose('lock', lock.release);
    const register = await readAtStart(log, () =>
      registerProcess(database.pool, id, roles, (error) =>
        log.warn({ err: error }, 'The process list could not be updated.'),
      ),
    );
    onClose('process list', register.stop);

    const bus = openBus({ config, roles, installation, secrets, log, metrics });
    onClose('bus', bus.close);
    const sharers = register.apiCount;
    const windows = await openWindows({
      config,
      roles,
      installation,
      sharers,
      clock,
      log,
      metrics,
    });
    onClose('windows', windows.close);

    const files = await createFiles(config);
    onClose('files', async () => files.close());

    const pooled = (name: PoolName): Pooled => toPooled(pools.of(name), bus);
    return {
      id,
      config,
      roles,
      ...pooled('general'),
      pooled,
      facts: createFactMemory(),
      bus,
      windows,
      secrets,
      files,
      clock,
      log,
      metrics,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const toPooled = (database: Database, bus: Bus): Pooled => ({
  database,
  db: database.db,
  inTransaction: (work, options = {}) =>
    runInTransaction(database.db, work, options, (emitted) => {
      // The payload is in the outbox; a bell that gets lost costs one poll interval.
      if (emitted > 0) bus.publish(SUBJECTS.outboxBell, '');
    }),
});
