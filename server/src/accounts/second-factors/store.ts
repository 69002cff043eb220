// Which second factors people have, and what codes are checked against.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Factors } from './factor.ts';

export async function findFactors(db: Db, userId: number): Promise<Factors> {
  const { rows } = await sql<Factors>`
    SELECT EXISTS (SELECT FROM totp_secrets
                    WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AS totp,
           (SELECT count(*)::integer FROM passkeys
             WHERE user_id = ${userId} AND suspected_at IS NULL) AS passkeys,
           (SELECT count(*)::integer FROM passkeys
             WHERE user_id = ${userId} AND suspected_at IS NOT NULL) AS suspected,
           (SELECT count(*)::integer FROM recovery_codes
             WHERE user_id = ${userId} AND used_at IS NULL) AS "recoveryCodes"`.execute(db);
  return rows[0] as Factors;
}

export interface TotpRow {
  readonly sealed: Buffer;
  readonly lastStep: bigint;
  /** The database's clock, so that processes need not agree on the time. */
  readonly nowSeconds: number;
}

export async function findTotp(db: Db, userId: number): Promise<TotpRow | undefined> {
  const { rows } = await sql<TotpRow>`
    SELECT sealed, last_step, extract(epoch FROM clock_timestamp())::float8 AS now_seconds
      FROM totp_secrets WHERE user_id = ${userId} AND confirmed_at IS NOT NULL`.execute(db);
  return rows[0];
}

/** Spends the code of a step; false if it, or a later one, was spent before, or the secret is another by now. */
export async function spendStep(
  tx: Db,
  userId: number,
  { sealed, step }: { readonly sealed: Buffer; readonly step: bigint },
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE totp_secrets SET last_step = ${step}
     WHERE user_id = ${userId} AND last_step < ${step} AND sealed = ${sealed}
       AND confirmed_at IS NOT NULL
    RETURNING 1`.execute(tx);
  return rows.length > 0;
}

/** Spends a recovery code; false if it is unknown or was spent before. */
export async function spendRecoveryCode(tx: Db, userId: number, lookup: Buffer): Promise<boolean> {
  const { rows } = await sql`
    UPDATE recovery_codes SET used_at = now()
     WHERE user_id = ${userId} AND lookup = ${lookup} AND used_at IS NULL
    RETURNING 1`.execute(tx);
  return rows.length > 0;
}

/** A new set; the old one is gone. */
export async function replaceRecoveryCodes(
  tx: Db,
  userId: number,
  lookups: readonly Buffer[],
): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await sql`
    INSERT INTO recovery_codes (user_id, lookup)
    SELECT ${userId}, l FROM unnest(${[...lookups]}::bytea[]) l`.execute(tx);
}

export async function deleteRecoveryCodes(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
}

export async function upsertEnrolment(tx: Db, userId: number, sealed: Buffer): Promise<void> {
  await sql`
    INSERT INTO totp_enrolments (user_id, sealed) VALUES (${userId}, ${sealed})
    ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, created_at = now()`.execute(tx);
}

/** The secret that waits for its first code, unless it has waited too long. */
export async function findEnrolment(
  db: Db,
  userId: number,
  minutes: number,
): Promise<Omit<TotpRow, 'lastStep'> | undefined> {
  const { rows } = await sql<Omit<TotpRow, 'lastStep'>>`
    SELECT sealed, extract(epoch FROM clock_timestamp())::float8 AS now_seconds
      FROM totp_enrolments
     WHERE user_id = ${userId} AND created_at > now() - ${minutes} * interval '1 minute'`.execute(
    db,
  );
  return rows[0];
}

/** Makes the waiting secret the factor. The code of `step` is spent. */
export async function confirmEnrolment(
  tx: Db,
  userId: number,
  { sealed, step }: { readonly sealed: Buffer; readonly step: bigint },
): Promise<void> {
  await sql`
    INSERT INTO totp_secrets (user_id, sealed, last_step, confirmed_at)
    VALUES (${userId}, ${sealed}, ${step}, now())
    ON CONFLICT (user_id) DO UPDATE
      SET sealed = excluded.sealed, last_step = excluded.last_step, created_at = now(),
          confirmed_at = now()`.execute(tx);
  await tx.deleteFrom('totpEnrolments').where('userId', '=', userId).execute();
}

export async function deleteTotp(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('totpSecrets').where('userId', '=', userId).execute();
}

export interface PasskeyRow {
  readonly id: bigint;
  readonly label: string;
  readonly alone: boolean;
  readonly backedUp: boolean;
  readonly lastUsedAt: Date | null;
  readonly suspectedAt: Date | null;
}

/** A person has few: their number is limited when one is added. */
export const listPasskeys = (db: Db, userId: number): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkeys')
    .select(['id', 'label', 'alone', 'backedUp', 'lastUsedAt', 'suspectedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
