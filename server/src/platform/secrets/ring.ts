// The key of lookups, which outlives the master key: it is in the database, sealed. The first process of a deployment
// puts it there, as it follows from the master key of that time.
import type pg from 'pg';
import { SealError, type Secrets } from './secrets.ts';

const OWNER = 'lookup key';

/** The same secrets with the deployment's own key for lookups. */
export async function openRing(pool: pg.Pool, secrets: Secrets): Promise<Secrets> {
  const kept = await readRow(pool);
  if (kept !== undefined) return openKept(secrets, kept);
  await pool.query('INSERT INTO lookup_key (sealed) VALUES ($1) ON CONFLICT DO NOTHING', [
    secrets.seal(OWNER, secrets.lookupKey.toString('hex')),
  ]);
  const written = await readRow(pool);
  return written === undefined ? secrets : openKept(secrets, written);
}

/** Seals the key of lookups with the current master key, unless it is. Gives whether there was something to do. */
export async function rewrapRing(pool: pg.Pool, secrets: Secrets): Promise<boolean> {
  const kept = await readRow(pool);
  if (kept === undefined || secrets.isCurrent(kept)) return false;
  const sealed = secrets.seal(OWNER, secrets.open(OWNER, kept));
  const { rowCount } = await pool.query('UPDATE lookup_key SET sealed = $1 WHERE sealed = $2', [
    sealed,
    kept,
  ]);
  return rowCount === 1;
}

function openKept(secrets: Secrets, kept: Buffer): Secrets {
  try {
    return secrets.withLookupKey(Buffer.from(secrets.open(OWNER, kept), 'hex'));
  } catch (error) {
    // The master key is that of another deployment: then nothing is found, and `rialto doctor` says so.
    if (error instanceof SealError) return secrets;
    throw error;
  }
}

async function readRow(pool: pg.Pool): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ sealed: Buffer }>('SELECT sealed FROM lookup_key');
  return rows[0]?.sealed;
}
