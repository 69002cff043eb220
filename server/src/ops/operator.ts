// The context of an operator's command. It is another process than the server, perhaps on another machine, so it
// takes no part in the lock between servers and opens no bus: its events are in the outbox, where the relay finds
// them within one poll interval.
import { createInProcessBus } from '../platform/bus/in-process.ts';
import { loadConfig } from '../platform/config/load.ts';
import { secretValues } from '../platform/config/secrets.ts';
import type { Context, Pooled } from '../platform/context.ts';
import { openDatabase } from '../platform/db/pool.ts';
import { runInTransaction } from '../platform/db/transaction.ts';
import { createFactMemory } from '../platform/facts/memory.ts';
import { createFiles } from '../platform/files/create.ts';
import { checkMoney } from '../platform/money.ts';
import { createLog } from '../platform/observe/log.ts';
import { createMetrics } from '../platform/observe/metrics.ts';
import { openRing } from '../platform/secrets/ring.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import { systemClock } from '../platform/std/clock.ts';
import { createInProcessWindows } from '../platform/windows/in-process.ts';
import { requireReady } from './database.ts';
import type { Environment } from './environment.ts';

const POOL_MAX = 4;

/** Runs `work` for the operator of the deployment that the environment describes. */
export async function asOperator<T>(
  environment: Environment,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const config = loadConfig(environment);
  await requireReady(config);
  const ctx = await createOperatorContext(config);
  try {
    await checkMoney(ctx.db, config.MONEY);
    return await work({ ...ctx, secrets: await openRing(ctx.database.pool, ctx.secrets) });
  } finally {
    await ctx.close();
  }
}

export async function createOperatorContext(
  config: ReturnType<typeof loadConfig>,
): Promise<Context> {
  const files = await createFiles(config);
  const log = createLog(config.LOG_LEVEL, { command: true }, { hidden: secretValues(config) });
  const database = openDatabase({
    url: config.DATABASE_URL,
    poolMax: POOL_MAX,
    name: 'rialto admin',
    onError: (error) => log.warn({ err: error }, 'A database connection was lost.'),
  });
  const pooled: Pooled = {
    database,
    db: database.db,
    inTransaction: (work, options = {}) => runInTransaction(database.db, work, options, () => {}),
  };
  return {
    id: 'operator',
    config,
    roles: [],
    ...pooled,
    // A command does one thing at a time, so it needs no separate pools.
    pooled: () => pooled,
    facts: createFactMemory(),
    bus: createInProcessBus((error) => log.warn({ err: error }, 'The bus reported an error.')),
    windows: createInProcessWindows(systemClock),
    secrets: createSecrets(config.MASTER_KEY, config.MASTER_KEY_PREVIOUS),
    files,
    clock: systemClock,
    log,
    metrics: createMetrics('admin'),
    close: database.close,
  };
}
