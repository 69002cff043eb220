// The rows of changes of email addresses. At most one per person is open.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export interface AddressChange {
  readonly id: bigint;
  readonly userId: number;
  readonly oldEmail: string;
  readonly newEmail: string;
  /** Who asked. */
  readonly byId: number;
  readonly oldConfirmedAt: Date | null;
  readonly newConfirmedAt: Date | null;
  readonly notBefore: Date;
  readonly expiresAt: Date;
  /** By the database's clock: whether it may take effect, and whether it is too late. */
  readonly isDue: boolean;
  readonly isLate: boolean;
}

export type Outcome = 'done' | 'canceled' | 'taken' | 'replaced' | 'expired';

const COLUMNS = sql`
  id, user_id, old_email, new_email, by_id, old_confirmed_at, new_confirmed_at, not_before, expires_at,
  not_before <= now() AS is_due, expires_at <= now() AS is_late`;

export interface NewChange {
  readonly userId: number;
  readonly oldEmail: string;
  readonly newEmail: string;
  readonly byId: number;
  readonly waitHours: number;
  readonly hours: number;
}

export async function insertChange(tx: Db, change: NewChange): Promise<AddressChange> {
  const { rows } = await sql<AddressChange>`
    INSERT INTO address_changes (user_id, old_email, new_email, by_id, not_before, expires_at)
    VALUES (${change.userId}, ${change.oldEmail}, ${change.newEmail}, ${change.byId},
            now() + ${change.waitHours} * interval '1 hour', now() + ${change.hours} * interval '1 hour')
    RETURNING ${COLUMNS}`.execute(tx);
  return rows[0] as AddressChange;
}

export async function findOpenChange(db: Db, userId: number): Promise<AddressChange | undefined> {
  const { rows } = await sql<AddressChange>`
    SELECT ${COLUMNS} FROM address_changes WHERE user_id = ${userId} AND ended_at IS NULL`.execute(
    db,
  );
  return rows[0];
}

export async function confirmChange(
  tx: Db,
  id: bigint,
  side: 'old' | 'new',
): Promise<AddressChange> {
  const { rows } = await sql<AddressChange>`
    UPDATE address_changes
       SET old_confirmed_at = CASE WHEN ${side} = 'old' THEN coalesce(old_confirmed_at, now()) ELSE old_confirmed_at END,
           new_confirmed_at = CASE WHEN ${side} = 'new' THEN coalesce(new_confirmed_at, now()) ELSE new_confirmed_at END
     WHERE id = ${String(id)}::bigint RETURNING ${COLUMNS}`.execute(tx);
  return rows[0] as AddressChange;
}

export async function endChange(tx: Db, id: bigint, outcome: Outcome): Promise<void> {
  await sql`
    UPDATE address_changes SET ended_at = now(), outcome = ${outcome}
     WHERE id = ${String(id)}::bigint AND ended_at IS NULL`.execute(tx);
}

/** People whose change is over, or may take effect now. */
export async function listRipe(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    SELECT user_id FROM address_changes
     WHERE ended_at IS NULL AND (expires_at <= now() OR (new_confirmed_at IS NOT NULL AND not_before <= now()
                                                         AND (old_confirmed_at IS NOT NULL OR by_id <> user_id)))
     ORDER BY id LIMIT ${limit}`.execute(db);
  return rows.map(({ userId }) => userId);
}

export async function deleteChangesOlder(db: Db, days: number): Promise<number> {
  const { rows } = await sql`
    DELETE FROM address_changes WHERE ended_at < now() - ${days} * interval '1 day' RETURNING 1`.execute(
    db,
  );
  return rows.length;
}
