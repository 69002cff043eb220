// The lookup key, which outlives the master key: it is in the database, encrypted. The first process of a
// deployment stores it, derived from the master key of that time. It also shows a process whether it has this
// database's master key: only that key decrypts it.
import type pg from 'pg';
import { SealError, type Secrets } from './secrets.ts';

const OWNER = 'lookup key';

/**
 * No process and no command continues with a wrong key: nothing stored could be decrypted, and nobody could sign
 * in.
 */
export class WrongMasterKeyError extends Error {
  override name = 'WrongMasterKeyError';
  constructor() {
    super(
      'MASTER_KEY is not the one that this database was used with: what is sealed there does not open. ' +
        'Put that key back (MASTER_KEY, or the file that MASTER_KEY_FILE names). ' +
        'If you are changing it, give the earlier key as MASTER_KEY_PREVIOUS and run `rialto admin rotate-master-key`. ' +
        'docs/operating/master-key.md has the steps, also for a key that is lost.',
    );
  }
}

/** Whether the master key decrypts the stored lookup key; undefined while there is none. */
export async function opensRing(
  db: Pick<pg.ClientBase, 'query'>,
  secrets: Secrets,
): Promise<boolean | undefined> {
  const kept = await readRow(db);
  if (kept === undefined) return undefined;
  try {
    openKept(secrets, kept);
    return true;
  } catch (error) {
    if (error instanceof WrongMasterKeyError) return false;
    throw error;
  }
}

/**
 * The same secrets with the deployment's own lookup key. Throws if the master key belongs to another deployment.
 */
export async function openRing(pool: pg.Pool, secrets: Secrets): Promise<Secrets> {
  const kept = await readRow(pool);
  if (kept !== undefined) return openKept(secrets, kept);
  await pool.query('INSERT INTO lookup_key (sealed) VALUES ($1) ON CONFLICT DO NOTHING', [
    secrets.seal(OWNER, secrets.lookupKey.toString('hex')),
  ]);
  const written = await readRow(pool);
  return written === undefined ? secrets : openKept(secrets, written);
}

/**
 * Encrypts the lookup key with the current master key, unless it is already. Returns whether there was something
 * to do.
 */
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
    if (error instanceof SealError) throw new WrongMasterKeyError();
    throw error;
  }
}

async function readRow(db: Pick<pg.ClientBase, 'query'>): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ sealed: Buffer }>('SELECT sealed FROM lookup_key');
  return rows[0]?.sealed;
}
