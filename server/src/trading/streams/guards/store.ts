import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

export interface GuardRow {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly graceMs: number;
}

const ms = (count: number) => sql`${count} * interval '1 millisecond'`;

/** A guard of a connection that is there, for as long as the lease is renewed. */
export async function insertGuard(
  db: Db,
  guard: { accountId: bigint; keyId: string; graceMs: number },
  leaseMs: number,
): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO stream_guards (account_id, key_id, grace_ms, leased_until, due_at)
    VALUES (${guard.accountId}, ${guard.keyId}, ${guard.graceMs}, clock_timestamp() + ${ms(leaseMs)},
            clock_timestamp() + ${ms(leaseMs + guard.graceMs)})
    RETURNING id`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('An inserted guard has a number.');
  return id;
}

/** Renews the leases; returns those that are still there. A swept guard is not. */
export async function renewGuards(
  db: Db,
  ids: readonly bigint[],
  leaseMs: number,
): Promise<Set<bigint>> {
  const { rows } = await sql<{ id: bigint }>`
    UPDATE stream_guards SET leased_until = clock_timestamp() + ${ms(leaseMs)},
           due_at = clock_timestamp() + ${ms(leaseMs)} + grace_ms * interval '1 millisecond'
     WHERE id = ANY (${ids.map(String)}::bigint[]) AND NOT is_swept RETURNING id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The connection has dropped: its grace begins. */
export async function releaseGuards(db: Db, ids: readonly bigint[]): Promise<void> {
  await sql`
    UPDATE stream_guards SET leased_until = clock_timestamp(),
           due_at = clock_timestamp() + grace_ms * interval '1 millisecond'
     WHERE id = ANY (${ids.map(String)}::bigint[]) AND NOT is_swept`.execute(db);
}

/** The guards of a key whose connection dropped, or whose process died; they belong to the caller now. */
export async function takeGuards(
  db: Db,
  by: { accountId: bigint; keyId: string },
  leaseMs: number,
): Promise<GuardRow[]> {
  const { rows } = await sql<GuardRow>`
    UPDATE stream_guards SET leased_until = clock_timestamp() + ${ms(leaseMs)},
           due_at = clock_timestamp() + ${ms(leaseMs)} + grace_ms * interval '1 millisecond'
     WHERE key_id = ${by.keyId} AND account_id = ${by.accountId} AND NOT is_swept
       AND leased_until <= clock_timestamp()
    RETURNING id, account_id, grace_ms`.execute(db);
  return rows;
}

/** With the orders that it guards. */
export async function deleteGuards(db: Db, ids: readonly bigint[]): Promise<void> {
  await sql`DELETE FROM stream_guards WHERE id = ANY (${ids.map(String)}::bigint[])`.execute(db);
}

export interface GuardedOrder {
  readonly guardId: bigint;
  readonly clientOrderId: string;
}

/** Notes orders before they are placed; those of a guard that is gone, or was swept, are left out. */
export async function insertGuarded(
  db: Db,
  orders: readonly GuardedOrder[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ guardId: bigint; clientOrderId: string }>`
    INSERT INTO stream_guard_orders (guard_id, client_order_id)
    SELECT o.guard_id, o.client_order_id
      FROM unnest(${orders.map(({ guardId }) => String(guardId))}::bigint[],
                  ${orders.map(({ clientOrderId }) => clientOrderId)}::text[]) AS o(guard_id, client_order_id)
      JOIN stream_guards g ON g.id = o.guard_id AND NOT g.is_swept
        ON CONFLICT (guard_id, client_order_id) DO UPDATE SET client_order_id = excluded.client_order_id
    RETURNING guard_id, client_order_id`.execute(db);
  return new Set(rows.map((row) => `${row.guardId} ${row.clientOrderId}`));
}

/** Orders that have ended need no guard. */
export async function deleteGuarded(db: Db, orders: readonly GuardedOrder[]): Promise<void> {
  await sql`
    DELETE FROM stream_guard_orders AS g
     USING unnest(${orders.map(({ guardId }) => String(guardId))}::bigint[],
                  ${orders.map(({ clientOrderId }) => clientOrderId)}::text[]) AS o(guard_id, client_order_id)
     WHERE g.guard_id = o.guard_id AND g.client_order_id = o.client_order_id`.execute(db);
}

/** A guard whose time has come, held by the transaction; undefined if there is none. */
export async function holdDueGuard(
  tx: Db,
): Promise<(GuardRow & { readonly keyId: string; readonly isSwept: boolean }) | undefined> {
  const { rows } = await sql<GuardRow & { keyId: string; isSwept: boolean }>`
    SELECT id, account_id, key_id, grace_ms, is_swept FROM stream_guards
     WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0];
}

export async function listGuarded(db: Db, guardId: bigint): Promise<string[]> {
  const { rows } = await sql<{ clientOrderId: string }>`
    SELECT client_order_id FROM stream_guard_orders WHERE guard_id = ${guardId}
     ORDER BY client_order_id`.execute(db);
  return rows.map(({ clientOrderId }) => clientOrderId);
}

/** It will be swept once more, for orders that were still on their way to the engine. */
export async function markSwept(db: Db, guardId: bigint, againMs: number): Promise<void> {
  await sql`
    UPDATE stream_guards SET is_swept = true, due_at = clock_timestamp() + ${ms(againMs)}
     WHERE id = ${guardId}`.execute(db);
}
