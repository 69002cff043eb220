// What tells one installation from another on a NATS or a Redis that they share. The name of the database does not:
// staging and production may both call theirs "rialto". Nor does anything that is in the database: a copy would have it too.
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/** So that nobody meets another by chance, and a subject stays short enough to be read. */
const DIGEST_CHARACTERS = 16;

interface Identity {
  readonly name: string;
  readonly oid: string;
  readonly cluster: string;
}

/**
 * The same for every process that works on one database, and for no other database: PostgreSQL drew a number when its
 * cluster was made. Standbys of that cluster have it too, so a failover changes nothing. A copy of the cluster's files
 * also has it; whoever runs one beside the original gives a name (`INSTALLATION`).
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
