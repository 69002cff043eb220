// Operators' secrets. A hash leaves this file only to be compared.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

/** Only one transaction at a time changes who is an operator, so that counts stay true. */
export async function lockOperators(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.operators'))`.execute(tx);
}

/**
 * A process that is paused while it holds a person's row would block them; PostgreSQL ends its
 * session.
 */
const IDLE_MAX = '5s';

export interface SecretRow {
  readonly secretHash: string;
  readonly failures: number;
  /** How long ago the last wrong secret came. */
  readonly failedSecondsAgo: number | null;
}

/** Blocks other attempts for this person until the transaction ends. */
export async function lockSecret(tx: Db, userId: number): Promise<SecretRow | undefined> {
  await sql`SELECT set_config('idle_in_transaction_session_timeout', ${IDLE_MAX}, true)`.execute(
    tx,
  );
  return tx
    .selectFrom('operatorSecrets')
    .select(['secretHash', 'failures'])
    .select(
      sql<number | null>`extract(epoch FROM clock_timestamp() - failed_at)::float8`.as(
        'failedSecondsAgo',
      ),
    )
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateFailures(tx: Db, userId: number, failures: number): Promise<void> {
  await tx
    .updateTable('operatorSecrets')
    .set({ failures, failedAt: failures === 0 ? null : sql`clock_timestamp()` })
    .where('userId', '=', userId)
    .execute();
}

export async function upsertSecret(tx: Db, userId: number, secretHash: string): Promise<void> {
  const fresh = {
    secretHash,
    createdAt: sql<Date>`clock_timestamp()`,
    failures: 0,
    failedAt: null,
  };
  await tx
    .insertInto('operatorSecrets')
    .values({ userId, ...fresh })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(fresh))
    .execute();
}

/** Whether there was one. */
export async function deleteSecret(tx: Db, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('operatorSecrets')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Everybody who is an operator now, by id. */
export async function listOperatorIds(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('operatorSecrets')
    .select('userId')
    .where(sql<boolean>`is_operator(user_id)`)
    .orderBy('userId')
    .execute();
  return rows.map(({ userId }) => userId);
}

export interface EnrolmentRow {
  readonly secretHash: string;
  readonly approvedById: number | null;
}

/** One that was asked for within the last `hours`. */
export async function findEnrolment(
  db: Db,
  userId: number,
  hours: number,
): Promise<EnrolmentRow | undefined> {
  return db
    .selectFrom('operatorEnrolments')
    .select(['secretHash', 'approvedById'])
    .where('userId', '=', userId)
    .where(sql<boolean>`asked_at > clock_timestamp() - ${hours} * interval '1 hour'`)
    .executeTakeFirst();
}

/** Replaces a waiting one: approvals of that one do not count for this one. */
export async function upsertEnrolment(tx: Db, userId: number, secretHash: string): Promise<void> {
  const fresh = { secretHash, askedAt: sql<Date>`clock_timestamp()`, approvedById: null };
  await tx
    .insertInto('operatorEnrolments')
    .values({ userId, ...fresh })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(fresh))
    .execute();
}

export async function updateEnrolmentApproved(
  tx: Db,
  userId: number,
  approvedById: number,
): Promise<void> {
  await tx
    .updateTable('operatorEnrolments')
    .set({ approvedById })
    .where('userId', '=', userId)
    .execute();
}

/** Whether there was one. */
export async function deleteEnrolment(tx: Db, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('operatorEnrolments')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function listEnrolmentIds(db: Db, hours: number): Promise<number[]> {
  const rows = await db
    .selectFrom('operatorEnrolments')
    .select('userId')
    .where(sql<boolean>`asked_at > clock_timestamp() - ${hours} * interval '1 hour'`)
    .execute();
  return rows.map(({ userId }) => userId);
}
