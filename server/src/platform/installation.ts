// Tells installations apart that share a NATS or a Redis. The name of the database does not: staging and
// production may both call theirs "rialto". Nor does anything in the database: a copy would have it too.
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/** Long enough to avoid collisions, and short enough for a readable subject. */
const DIGEST_CHARACTERS = 16;

interface Identity {
  readonly name: string;
  readonly oid: string;
  readonly cluster: string;
}

/**
 * The same for every process on one database, and different for any other: PostgreSQL generated a number when its
 * cluster was created. Standbys of that cluster have it too, so a failover changes nothing. A copy of the
 * cluster's files also has it; an operator who runs one beside the original sets a name (`INSTALLATION`).
 */
export async function installationName(pool: Pool, given: string): Promise<string> {
  if (given !== '') return given;
  const { rows } = await pool.query<Identity>(
    `SELECT d.datname AS name, d.oid::text AS oid, c.system_identifier::text AS cluster
       FROM pg_database d, pg_control_system() c WHERE d.datname = current_database()`,
  );
  const [identity] = rows;
  if (identity === undefined) throw new Error('The database does not know its own name.');
  const { name, oid, cluster } = identity;
  const digest = createHash('sha256').update(`${cluster} ${oid}`).digest('hex');
  return `${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}-${digest.slice(0, DIGEST_CHARACTERS)}`;
}
