// A single connection to PostgreSQL for commands, with the checks that come before any work.
import pg from 'pg';
import type { Config } from '../platform/config/schema.ts';
import { readMigrationState } from '../platform/db/migrate.ts';
import { opensRing, WrongMasterKeyError } from '../platform/secrets/ring.ts';
import { createSecrets, type Secrets } from '../platform/secrets/secrets.ts';
import { DatabaseTroubleError, NotMigratedError } from './trouble.ts';

const CONNECT_TIMEOUT_MS = 5000;

/**
 * Connects, or throws an explanation for the operator that names the variable with the URL; the caller closes it.
 */
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

/** Throws unless the database has every migration of this release, and belongs to this master key. */
export async function requireReady(config: Config): Promise<void> {
  const client = await connectOnce(config.DATABASE_URL);
  try {
    const { pending } = await readMigrationState(client);
    if (pending.length > 0) throw new NotMigratedError(pending);
    await requireMasterKey(client, createSecrets(config.MASTER_KEY, config.MASTER_KEY_PREVIOUS));
  } finally {
    await client.end();
  }
}

/** On a database without a stored lookup key, the key is checked by secrets that earlier releases stored. */
async function requireMasterKey(client: pg.Client, secrets: Secrets): Promise<void> {
  const opens = await opensRing(client, secrets);
  if (opens === true) return;
  if (opens === false) throw new WrongMasterKeyError();
  // Loaded only when needed, so that an engine restarts quickly.
  const { opensStored } = await import('./master-key.ts');
  if ((await opensStored(client, secrets)) === false) throw new WrongMasterKeyError();
}
