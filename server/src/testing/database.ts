// Clones the migrated template into a new database for a test.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { serverUrlOf } from '../platform/engines/postgres.ts';

export const TEMPLATE = 'rialto_template';

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

export interface ClonedDatabase {
  /** For the role that the server uses. */
  readonly url: string;
  /** For the owner, for tests that tamper with rows. */
  readonly ownerUrl: string;
  /** Drops the database, even with open connections. */
  drop(): Promise<void>;
}

/** A fresh, migrated database on the server at `ownerUrl`. */
export async function cloneDatabase(ownerUrl: string): Promise<ClonedDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(ownerUrl, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  return {
    url: withDatabase(serverUrlOf(ownerUrl), name),
    ownerUrl: withDatabase(ownerUrl, name),
    drop: () => administer(ownerUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** The owner's URL of the database that a server's URL names. */
export const ownerUrlOf = (databaseUrl: string, postgresUrl = inject('postgresUrl')): string =>
  withDatabase(postgresUrl, new URL(databaseUrl).pathname.slice(1));

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
