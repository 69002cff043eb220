// Starts the three engines and a migrated database, with a context beside the processes under test.
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../platform/config/load.ts';
import { createContext, type Context } from '../platform/context.ts';
import { migrate } from '../platform/db/migrate.ts';
import { startNats } from '../platform/engines/nats.ts';
import { startPostgres } from '../platform/engines/postgres.ts';
import { startRedis } from '../platform/engines/redis.ts';

export interface TestDeployment {
  readonly postgres: Awaited<ReturnType<typeof startPostgres>>;
  readonly nats: Awaited<ReturnType<typeof startNats>>;
  readonly redis: Awaited<ReturnType<typeof startRedis>>;
  /** The environment of a process of this deployment. */
  readonly environment: Record<string, string>;
  /** Serves nothing; for creating people and reading the database. */
  readonly ctx: Context;
  /** A pool of the database's owner, for tests that tamper with rows or need a table of their own. */
  readonly owner: pg.Pool;
  close(): Promise<void>;
}

export async function startDeployment(settings: Record<string, string>): Promise<TestDeployment> {
  const [postgres, nats, redis] = await Promise.all([startPostgres(), startNats(), startRedis()]);
  await migrate(postgres.ownerUrl, postgres.serverUrl);
  const environment = {
    DATABASE_URL: postgres.serverUrl,
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    // A folder that is removed together with the database.
    UPLOADS_DIR: join(postgres.folder, 'uploads'),
    MASTER_KEY: '5e'.repeat(32),
    LOG_LEVEL: 'silent',
    DATABASE_POOL_MAX: '25',
    ...settings,
  };
  const ctx = await createContext(loadConfig({ ...environment, ROLES: 'worker' }), {
    onFatal: (error) => {
      throw error;
    },
  });
  const owner = new pg.Pool({ connectionString: postgres.ownerUrl, max: 2 });
  owner.on('error', () => {});
  return {
    postgres,
    nats,
    redis,
    environment,
    ctx,
    owner,
    async close() {
      await ctx.close();
      await owner.end();
      await Promise.all([postgres.remove(), nats.remove(), redis.remove()]);
    },
  };
}
