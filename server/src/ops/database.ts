// A single connection to PostgreSQL for commands, with the checks that come before any work.
import pg from 'pg';
import { readMigrationState } from '../platform/db/migrate.ts';
import { DatabaseTroubleError, NotMigratedError } from './trouble.ts';

const CONNECT_TIMEOUT_MS = 5000;

/** Connects or throws what the operator should read, with the variable that holds the URL; the caller ends it. */
export async function connectOnce(url: string, variable = 'DATABASE_URL'): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'rialto command',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: CONNECT_TIMEOUT_MS,
  });
  // A connection that is lost later shows in the query that needed it.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw new DatabaseTroubleError(error, url, variable);
  }
}

/** Throws unless the database has had every migration of this release. */
export async function requireMigrated(url: string): Promise<void> {
  const client = await connectOnce(url);
  try {
    const { pending } = await readMigrationState(client);
    if (pending.length > 0) throw new NotMigratedError(pending);
  } finally {
    await client.end();
  }
}
