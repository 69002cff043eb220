// The rows of recoveries. At most one per person is open.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export type RecoveryState = 'asked' | 'waiting' | 'usable' | 'used' | 'canceled' | 'expired';

export interface Recovery {
  readonly id: bigint;
  readonly userId: number;
  readonly state: RecoveryState;
  readonly reason: string;
  readonly askedById: number;
  readonly askedAt: Date;
  readonly approvedById: number | null;
  readonly usableAt: Date | null;
  readonly expiresAt: Date;
  /** By the database's clock: whether the waiting is over, and whether it is too late. */
  readonly isRipe: boolean;
  readonly isLate: boolean;
}

const COLUMNS = sql`
  id, user_id, state, reason, asked_by_id, asked_at, approved_by_id, usable_at, expires_at,
  coalesce(usable_at <= now(), false) AS is_ripe, expires_at <= now() AS is_late`;

/** Undefined if one is open already. */
export async function insertRecovery(
  tx: Db,
  given: {
    readonly userId: number;
    readonly askedById: number;
    readonly reason: string;
    readonly hours: number;
  },
): Promise<Recovery | undefined> {
  const { rows } = await sql<Recovery>`
    INSERT INTO recoveries (user_id, asked_by_id, reason, expires_at)
    VALUES (${given.userId}, ${given.askedById}, ${given.reason}, now() + ${given.hours} * interval '1 hour')
    ON CONFLICT (user_id) WHERE ended_at IS NULL DO NOTHING
    RETURNING ${COLUMNS}`.execute(tx);
  return rows[0];
}

/** Locked until the transaction ends. */
export async function lockRecovery(tx: Db, id: bigint): Promise<Recovery | undefined> {
  const { rows } = await sql<Recovery>`
    SELECT ${COLUMNS} FROM recoveries WHERE id = ${String(id)}::bigint FOR UPDATE`.execute(tx);
  return rows[0];
}

export async function findOpenRecovery(db: Db, userId: number): Promise<Recovery | undefined> {
  const { rows } = await sql<Recovery>`
    SELECT ${COLUMNS} FROM recoveries WHERE user_id = ${userId} AND ended_at IS NULL`.execute(db);
  return rows[0];
}

/** Moves on from `asked`, by one statement: of two who approve, one does. The table refuses the asker and the person. */
export async function approveRecovery(
  tx: Db,
  id: bigint,
  given: { readonly byId: number; readonly waitHours: number; readonly linkHours: number },
): Promise<Recovery | undefined> {
  const { rows } = await sql<Recovery>`
    UPDATE recoveries
       SET state = 'waiting', approved_by_id = ${given.byId}, approved_at = now(),
           usable_at = now() + ${given.waitHours} * interval '1 hour',
           expires_at = now() + ${given.waitHours + given.linkHours} * interval '1 hour'
     WHERE id = ${String(id)}::bigint AND state = 'asked' AND expires_at > now()
    RETURNING ${COLUMNS}`.execute(tx);
  return rows[0];
}

export async function openRecovery(tx: Db, id: bigint, linkHours: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE recoveries SET state = 'usable', expires_at = now() + ${linkHours} * interval '1 hour'
     WHERE id = ${String(id)}::bigint AND state = 'waiting' AND usable_at <= now() RETURNING 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Ends one that is open; false if it was not. */
export async function endRecovery(
  tx: Db,
  id: bigint,
  state: 'used' | 'canceled' | 'expired',
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE recoveries SET state = ${state}, ended_at = now()
     WHERE id = ${String(id)}::bigint AND ended_at IS NULL RETURNING 1`.execute(tx);
  return rows.length > 0;
}

/** The open ones first, then the latest. */
export async function listRecoveries(db: Db, limit: number): Promise<Recovery[]> {
  const { rows } = await sql<Recovery>`
    SELECT ${COLUMNS} FROM recoveries ORDER BY ended_at IS NOT NULL, id DESC LIMIT ${limit}`.execute(
    db,
  );
  return rows;
}

export async function listOpenRecoveries(db: Db): Promise<Recovery[]> {
  const { rows } = await sql<Recovery>`
    SELECT ${COLUMNS} FROM recoveries WHERE ended_at IS NULL ORDER BY id`.execute(db);
  return rows;
}
