// Numbered SQL files, forward only, each in its own transaction, under an advisory lock.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { findLocaleProblem, LocaleError } from './locale.ts';
import {
  applyGrants,
  ensureServerRole,
  requireOwner,
  roleOf,
  type RoleNames,
} from './server-role.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

export interface Migrated {
  /** The files that were applied. */
  readonly applied: readonly string[];
  readonly roles: RoleNames;
  /** The server's role was missing. */
  readonly wasRoleMade: boolean;
}

/**
 * Brings the database up to date as its owner, and grants the server's role what it needs. Without
 * a separate role the server works as the owner, and may do everything.
 */
export async function migrate(ownerUrl: string, serverUrl = ownerUrl): Promise<Migrated> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'rialto migrate' });
  await client.connect();
  try {
    await requireOwner(client);
    await requireLetters(client);
    // Loaded here, because every process asks this module whether its database is up to date.
    const { runner } = await import('node-pg-migrate');
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
    const { runMigrations: migrateJobs } = await import('graphile-worker');
    await migrateJobs({ connectionString: ownerUrl });
    const roles = { owner: roleOf(ownerUrl).name, server: roleOf(serverUrl).name };
    const names = applied.map((migration) => migration.name);
    if (roles.server === roles.owner) return { applied: names, roles, wasRoleMade: false };
    const wasRoleMade = await ensureServerRole(client, serverUrl);
    await applyGrants(client, roles.server);
    return { applied: names, roles, wasRoleMade };
  } finally {
    await client.end();
  }
}

/** Throws if the database is empty and its locale is wrong: later it cannot be changed. */
async function requireLetters(client: pg.Client): Promise<void> {
  const problem = await findLocaleProblem(client);
  if (problem === undefined) return;
  const { rows } = await client.query<{ used: boolean }>(
    `SELECT to_regclass('public.migrations') IS NOT NULL AS used`,
  );
  if (rows[0]?.used !== true) throw new LocaleError(problem);
}

export interface MigrationState {
  /** Files that the database has not applied yet. */
  readonly pending: readonly string[];
  /**
   * Files that the database has applied and this release does not know: a newer release was here.
   */
  readonly unknown: readonly string[];
}

/** Compares the files with those the database has applied; changes nothing. */
export async function readMigrationState(
  client: Pick<pg.Client, 'query'>,
): Promise<MigrationState> {
  const known = readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();
  const { rows: found } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  if (found[0]?.exists !== true) return { pending: known, unknown: [] };
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
  const applied = new Set(rows.map((row) => row.name));
  return {
    pending: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)),
  };
}
