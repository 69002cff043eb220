import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export interface Passkey {
  readonly id: bigint;
  readonly credential: Buffer;
  readonly userId: number;
  readonly publicKey: Buffer;
  readonly counter: bigint;
  readonly transports: readonly string[];
  readonly alone: boolean;
  readonly backedUp: boolean;
  readonly label: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly suspectedAt: Date | null;
}

const COLUMNS = [
  'id',
  'credential',
  'userId',
  'publicKey',
  'counter',
  'transports',
  'alone',
  'backedUp',
  'label',
  'createdAt',
  'lastUsedAt',
  'suspectedAt',
] as const;

/** Of one person, the oldest first. There are at most `PASSKEYS_MAX`. */
export const listPasskeysOf = (db: Db, userId: number): Promise<Passkey[]> =>
  db.selectFrom('passkeys').select(COLUMNS).where('userId', '=', userId).orderBy('id').execute();

export const findPasskey = (db: Db, credential: Buffer): Promise<Passkey | undefined> =>
  db.selectFrom('passkeys').select(COLUMNS).where('credential', '=', credential).executeTakeFirst();

/** Undefined when the credential is there already, with whomever. */
export async function insertPasskey(
  tx: Db,
  passkey: Omit<Passkey, 'id' | 'createdAt' | 'lastUsedAt' | 'suspectedAt'>,
): Promise<bigint | undefined> {
  const row = await tx
    .insertInto('passkeys')
    .values({ ...passkey, transports: [...passkey.transports] })
    .onConflict((conflict) => conflict.column('credential').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export interface Use {
  readonly counter: number;
  readonly backedUp: boolean;
  /** Whether it has just opened the account without a password. */
  readonly alone: boolean;
}

/** A counter moves forward, or the passkey has none: then it is 0 every time. */
const moves = (counter: number) =>
  sql<boolean>`(counter < ${counter} OR (counter = 0 AND ${counter} = 0))`;

/** False when the counter did not move, when the passkey is suspected, or when it is gone. */
export async function noteUse(
  tx: Db,
  id: bigint,
  { counter, backedUp, alone }: Use,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE passkeys
       SET counter = ${counter}, backed_up = ${backedUp}, last_used_at = now(), alone = alone OR ${alone}
     WHERE id = ${id} AND suspected_at IS NULL AND ${moves(counter)}
    RETURNING 1`.execute(tx);
  return rows.length > 0;
}

/**
 * False when it is suspected already, or gone. The counter that was shown is kept: if its owner trusts the passkey,
 * it goes on from there.
 */
export async function suspect(tx: Db, id: bigint, counter: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE passkeys SET suspected_at = now(), counter = least(counter, ${counter})
     WHERE id = ${id} AND suspected_at IS NULL AND NOT ${moves(counter)}
    RETURNING 1`.execute(tx);
  return rows.length > 0;
}

/** Locks the row until the transaction ends. */
export const lockPasskey = (tx: Db, userId: number, id: bigint): Promise<Passkey | undefined> =>
  tx
    .selectFrom('passkeys')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();

export async function updatePasskey(
  tx: Db,
  id: bigint,
  changes: { readonly label: string; readonly suspectedAt: Date | null },
): Promise<void> {
  await tx.updateTable('passkeys').set(changes).where('id', '=', id).execute();
}

export async function deletePasskey(tx: Db, id: bigint): Promise<void> {
  await tx.deleteFrom('passkeys').where('id', '=', id).execute();
}

export interface Challenge {
  readonly challenge: Buffer;
  readonly userId: number;
  readonly purpose: 'register' | 'assert';
  /** The hash of the act that it is for, if it is for a single one. */
  readonly boundTo: Buffer | undefined;
}

/** Keeps a person's latest `keep` challenges. */
export async function insertChallenge(
  tx: Db,
  { challenge, userId, purpose, boundTo }: Challenge,
  { minutes, keep }: { readonly minutes: number; readonly keep: number },
): Promise<void> {
  await sql`
    INSERT INTO passkey_challenges (challenge, user_id, purpose, bound_to, expires_at)
    VALUES (${challenge}, ${userId}, ${purpose}, ${boundTo ?? null}, now() + ${minutes} * interval '1 minute')`.execute(
    tx,
  );
  await sql`
    DELETE FROM passkey_challenges
     WHERE challenge IN (SELECT challenge FROM passkey_challenges WHERE user_id = ${userId}
                          ORDER BY created_at DESC, challenge OFFSET ${keep})`.execute(tx);
}

/** Takes it away: true once, and only for this person, this purpose and this act. */
export async function takeChallenge(
  tx: Db,
  { challenge, userId, purpose, boundTo }: Challenge,
): Promise<boolean> {
  const { rows } = await sql`
    DELETE FROM passkey_challenges
     WHERE challenge = ${challenge} AND user_id = ${userId} AND purpose = ${purpose}
       AND bound_to IS NOT DISTINCT FROM ${boundTo ?? null}::bytea AND expires_at > now()
    RETURNING 1`.execute(tx);
  return rows.length > 0;
}

export async function deleteOldChallenges(db: Db): Promise<number> {
  const { rows } = await sql`
    DELETE FROM passkey_challenges WHERE expires_at < now() RETURNING 1`.execute(db);
  return rows.length;
}
