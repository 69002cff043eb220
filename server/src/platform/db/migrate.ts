// Numbered SQL files, forward only, each in its own transaction, under an advisory lock.
import { fileURLToPath } from 'node:url';
import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** Brings the database up to date; returns the names of the files it applied. */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'rialto migrate' });
  await client.connect();
  try {
    const applied = await runner({
      dbClient: client,
      dir: MIGRATIONS,
      direction: 'up',
      count: Number.POSITIVE_INFINITY,
      migrationsTable: 'migrations',
      checkOrder: true,
      singleTransaction: false,
      verbose: false,
      log: () => {},
    });
    await migrateJobs({ connectionString: url });
    return applied.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}
