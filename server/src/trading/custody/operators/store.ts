import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** Whether the decision is new. */
export async function insertDecision(
  tx: Db,
  row: {
    readonly paymentId: bigint;
    readonly way: string;
    readonly operatorId: number;
    readonly reason: string;
    readonly at: Date;
  },
): Promise<boolean> {
  const rows = await tx
    .insertInto('custodyDecisions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('paymentId')
    .execute();
  return rows.length > 0;
}

export async function countDeciders(db: Db, paymentId: bigint, way: string): Promise<number> {
  const { count } = await db
    .selectFrom('custodyDecisions')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('paymentId', '=', paymentId)
    .where('way', '=', way)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What an operator has decided about a payment. */
export interface Decision {
  readonly paymentId: bigint;
  readonly way: string;
  readonly operatorId: number;
  readonly reason: string;
  readonly at: Date;
}

/** About some payments, the oldest first. */
export async function listDecisions(db: Db, paymentIds: readonly bigint[]): Promise<Decision[]> {
  if (paymentIds.length === 0) return [];
  return db
    .selectFrom('custodyDecisions')
    .select(['paymentId', 'way', 'operatorId', 'reason', 'at'])
    .where('paymentId', 'in', [...paymentIds])
    .orderBy('at')
    .execute();
}

export interface OpenPayment {
  readonly paymentId: bigint;
  readonly network: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly txid: string | null;
  /** What it pays. */
  readonly withdrawIds: readonly string[];
  readonly signatures: number;
}

/** Payments that have not ended, the oldest first. */
export async function listOpenPayments(db: Db, limit: number): Promise<OpenPayment[]> {
  const { rows } = await sql<OpenPayment>`
    SELECT p.payment_id, p.network, p.kind, p.state, p.reason, p.created_at, p.updated_at,
           (SELECT a.txid FROM custody_attempts a WHERE a.payment_id = p.payment_id AND a.txid IS NOT NULL
             ORDER BY n DESC LIMIT 1) AS txid,
           ARRAY(SELECT o.withdraw_id::text FROM custody_payment_outputs o WHERE o.payment_id = p.payment_id
                  ORDER BY o.withdraw_id) AS withdraw_ids,
           (SELECT count(*)::int FROM custody_signatures s WHERE s.payment_id = p.payment_id) AS signatures
      FROM custody_payments p WHERE p.state <> 'done' ORDER BY p.payment_id LIMIT ${limit}`.execute(
    db,
  );
  return rows;
}
