// Passwords, and the count of failed logins. The count is in PostgreSQL: a restart must not forgive.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { toUser, USER_COLUMNS, type User } from '../user.ts';

export async function findCredentials(
  db: Db,
  email: string,
): Promise<{ user: User; passwordHash: string | null } | undefined> {
  const row = await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'passwordHash'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { passwordHash, ...user } = row;
  return { user: toUser(user), passwordHash };
}

export async function updatePasswordHash(
  tx: Db,
  userId: number,
  passwordHash: string,
): Promise<void> {
  await tx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
}

/** What failures are counted for: an account name (known or not), or an address. */
export interface Subject {
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** An attempt under way counts as a failure until it is settled, at most this long. */
const PENDING_SECONDS = 30;
const pendingName = (name: string): string => `pending ${name}`;

export type Claim =
  | { readonly kind: 'claimed'; readonly ids: readonly bigint[] }
  /** Attempts under way could use up what is left; their outcome has to be awaited. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

/** Reserves one attempt for every subject, or says why not. Call it in a transaction of its own. */
export async function claimAttempt(tx: Db, subjects: readonly Subject[]): Promise<Claim> {
  let isBusy = false;
  for (const { name, max, windowSeconds } of subjects) {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`login ${name}`}, 0))`.execute(tx);
    await sql`DELETE FROM login_failures
               WHERE subject IN (${name}, ${pendingName(name)})
                 AND at < now() - ${windowSeconds} * interval '1 second'`.execute(tx);
    const { rows } = await sql<{ failed: number; pending: number; freesIn: number | null }>`
      SELECT (count(*) FILTER (WHERE is_failed))::int AS failed,
             (count(*) FILTER (WHERE NOT is_failed))::int AS pending,
             extract(epoch FROM min(at) + ${windowSeconds} * interval '1 second' - now())::float8
               AS frees_in
        FROM (SELECT at, subject = ${name}
                         OR at < now() - ${PENDING_SECONDS} * interval '1 second' AS is_failed
                FROM login_failures
               WHERE subject IN (${name}, ${pendingName(name)})) AS attempts`.execute(tx);
    const { failed, pending, freesIn } = rows[0] ?? { failed: 0, pending: 0, freesIn: null };
    if (failed >= max) return { kind: 'refused', retryAfterSeconds: Math.max(1, freesIn ?? 1) };
    if (failed + pending >= max) isBusy = true;
  }
  if (isBusy) return { kind: 'busy' };
  const inserted = await tx
    .insertInto('loginFailures')
    .values(subjects.map(({ name }) => ({ subject: pendingName(name) })))
    .returning('id')
    .execute();
  return { kind: 'claimed', ids: inserted.map(({ id }) => id) };
}

/** The attempt failed: from now on it counts. */
export async function settleFailed(db: Db, ids: readonly bigint[]): Promise<void> {
  await sql`UPDATE login_failures SET subject = substr(subject, ${'pending '.length + 1})
             WHERE id = ANY (${ids.map(String)}::bigint[]) AND starts_with(subject, 'pending ')`.execute(
    db,
  );
}

/** The attempt succeeded: it never counted, and `forgiven` is forgiven what failed before. */
export async function settleSucceeded(
  db: Db,
  ids: readonly bigint[],
  forgiven: readonly string[],
): Promise<void> {
  await sql`DELETE FROM login_failures
             WHERE id = ANY (${ids.map(String)}::bigint[]) OR subject = ANY (${forgiven}::text[])`.execute(
    db,
  );
}

export async function withdrawAttempt(db: Db, ids: readonly bigint[]): Promise<void> {
  await db
    .deleteFrom('loginFailures')
    .where('id', 'in', [...ids])
    .execute();
}
