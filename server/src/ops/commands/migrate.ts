import { loadConfig } from '../../platform/config/load.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { connectOnce } from '../database.ts';
import type { Environment } from '../environment.ts';

/** Brings the database up to date and says in lines what was done. */
export async function runMigrate(environment: Environment): Promise<string[]> {
  const { DATABASE_URL } = loadConfig(environment);
  // Connecting first gives a wrong address or password its own words.
  await (await connectOnce(DATABASE_URL)).end();
  const applied = await migrate(DATABASE_URL);
  if (applied.length === 0) return ['The database is up to date.'];
  return [...applied.map((name) => `Applied ${name}.`), 'The database is up to date.'];
}
