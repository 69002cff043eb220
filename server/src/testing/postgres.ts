// A PostgreSQL with the migrated template that `cloneDatabase` copies.
import pg from 'pg';
import { migrate } from '../platform/db/migrate.ts';
import {
  startPostgres,
  type PostgresOptions,
  type PrivatePostgres,
} from '../platform/engines/postgres.ts';
import { TEMPLATE, withDatabase } from './database.ts';

export async function startTestPostgres(options: PostgresOptions = {}): Promise<PrivatePostgres> {
  const postgres = await startPostgres(options);
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  await migrate(
    withDatabase(postgres.ownerUrl, TEMPLATE),
    withDatabase(postgres.serverUrl, TEMPLATE),
  );
  return postgres;
}
