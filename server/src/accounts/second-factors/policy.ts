// Of whom the organization asks a second factor, and until when they may sign in without one.
import { sql } from 'kysely';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { readSecondFactorRule } from '../organization.ts';
import type { User } from '../user.ts';
import { isRequiredBy, LOWEST, toRule } from './rule.ts';

/** How long people have after the organization, or a new role of theirs, begins to ask. */
const GRACE_DAYS = 7;

export async function isFactorRequired(
  db: Db,
  { role, botType }: Pick<User, 'role' | 'botType'>,
): Promise<boolean> {
  return botType === null && isRequiredBy(toRule(await readSecondFactorRule(db)), role);
}

export interface FactorDue {
  readonly isRequired: boolean;
  /** When signing in will stop without one; null if it will not. */
  readonly dueAt: Date | null;
  readonly isOverdue: boolean;
}

/** What the organization asks of this person, and until when. */
export async function readFactorDue(
  db: Db,
  user: Pick<User, 'id' | 'role' | 'botType'>,
): Promise<FactorDue> {
  const { rows } = await sql<{ dueAt: Date | null; isOverdue: boolean | null; isOwed: boolean }>`
    SELECT factor_due_at AS due_at, factor_due_at <= now() AS is_overdue, factor_owed AS is_owed
      FROM users WHERE id = ${user.id}`.execute(db);
  const [row] = rows;
  // After a recovery a person owes one, whatever the organization asks.
  const isRequired = row?.isOwed === true || (await isFactorRequired(db, user));
  if (!isRequired) return { isRequired, dueAt: null, isOverdue: false };
  return { isRequired, dueAt: row?.dueAt ?? null, isOverdue: row?.isOverdue ?? false };
}

/** The same for a person without a factor, whose time starts now if it has not. */
export async function noteFactorDue(
  db: Db,
  user: Pick<User, 'id' | 'role' | 'botType'>,
): Promise<FactorDue> {
  const due = await readFactorDue(db, user);
  if (!due.isRequired || due.dueAt !== null) return due;
  const { rows } = await sql<{ dueAt: Date }>`
    UPDATE users SET factor_due_at = coalesce(factor_due_at, now() + ${GRACE_DAYS} * interval '1 day')
     WHERE id = ${user.id} RETURNING factor_due_at AS due_at`.execute(db);
  return { ...due, dueAt: rows[0]?.dueAt ?? null };
}

/** Starts and stops the time of everybody; returns of how many. */
export async function noteFactorsDue({ db }: Pick<Context, 'db'>): Promise<number> {
  const lowest = LOWEST[toRule(await readSecondFactorRule(db))];
  const { rows } = await sql`
    UPDATE users u
       SET factor_due_at = CASE WHEN u.factor_due_at IS NULL
             THEN now() + ${GRACE_DAYS} * interval '1 day' END
     WHERE u.bot_type IS NULL AND u.is_active AND NOT u.factor_owed
       AND (u.factor_due_at IS NULL) = (
             u.role <= ${lowest}
             AND NOT EXISTS (SELECT FROM totp_secrets t
                              WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL)
             AND NOT EXISTS (SELECT FROM passkeys p
                              WHERE p.user_id = u.id AND p.suspected_at IS NULL))
    RETURNING 1`.execute(db);
  return rows.length;
}

/** Somebody who has a factor has no date until which they need one. */
export async function clearFactorDue(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ factorDueAt: null, factorOwed: false })
    .where('id', '=', userId)
    .execute();
}
