// One PostgreSQL, one NATS and one Redis for a whole run of integration tests, started from the real
// binaries. Every test file clones its own database from a migrated template.
import type { TestProject } from 'vitest/node';
import { migrate } from '../platform/db/migrate.ts';
import { startNats } from '../platform/engines/nats.ts';
import { startPostgres } from '../platform/engines/postgres.ts';
import { stopAllEngines } from '../platform/engines/engine.ts';
import { startRedis } from '../platform/engines/redis.ts';
import { TEMPLATE, withDatabase } from './database.ts';
import pg from 'pg';

declare module 'vitest' {
  interface ProvidedContext {
    /** As the superuser who owns everything; servers work with the role of `cloneDatabase`. */
    postgresUrl: string;
    natsUrl: string;
    redisUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, nats, redis] = await Promise.all([startPostgres(), startNats(), startRedis()]);
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  await migrate(
    withDatabase(postgres.ownerUrl, TEMPLATE),
    withDatabase(postgres.serverUrl, TEMPLATE),
  );
  project.provide('postgresUrl', postgres.ownerUrl);
  project.provide('natsUrl', nats.url);
  project.provide('redisUrl', redis.url);
  return stopAllEngines;
}
