import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

export interface ColdRequest {
  readonly requestId: bigint;
  readonly network: string;
  readonly coin: string;
  /** In units of 10^-18. */
  readonly amount: bigint;
  readonly paymentId: bigint | null;
  /** Why nothing was made of it; empty otherwise. */
  readonly refusal: string;
}

type StoredRequest = Omit<ColdRequest, 'amount'> & { readonly amount: string };
const REQUEST = sql`request_id, network, coin, amount::text AS amount, payment_id, refusal`;
const toRequest = (row: StoredRequest): ColdRequest => ({ ...row, amount: BigInt(row.amount) });

export async function insertRequest(
  tx: Db,
  row: {
    readonly network: string;
    readonly coin: string;
    readonly amount: bigint;
    readonly operatorId: number;
    readonly at: Date;
  },
): Promise<bigint> {
  const { requestId } = await tx
    .insertInto('custodyColdRequests')
    .values({ ...row, amount: row.amount.toString() })
    .returning('requestId')
    .executeTakeFirstOrThrow();
  return requestId;
}

export async function findRequest(db: Db, requestId: bigint): Promise<ColdRequest | undefined> {
  const { rows } = await sql<StoredRequest>`SELECT ${REQUEST} FROM custody_cold_requests
    WHERE request_id = ${requestId}`.execute(db);
  return rows.map(toRequest)[0];
}

/** Requests that nothing was made of yet, the oldest first. */
export async function listOpenRequests(
  db: Db,
  network: string,
  limit: number,
): Promise<ColdRequest[]> {
  const { rows } = await sql<StoredRequest>`SELECT ${REQUEST} FROM custody_cold_requests
    WHERE network = ${network} AND payment_id IS NULL AND refusal = ''
    ORDER BY request_id LIMIT ${limit}`.execute(db);
  return rows.map(toRequest);
}

/** Whether this process is the one that answers it. */
export async function answerRequest(
  tx: Db,
  requestId: bigint,
  answer: { readonly paymentId: bigint } | { readonly refusal: string },
): Promise<boolean> {
  const rows = await tx
    .updateTable('custodyColdRequests')
    .set(answer)
    .where('requestId', '=', requestId)
    .where('paymentId', 'is', null)
    .where('refusal', '=', '')
    .returning('requestId')
    .execute();
  return rows.length > 0;
}

/** A payment out of the cold wallet that has not ended. */
export async function findOpenReturn(db: Db, network: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ paymentId: bigint }>`SELECT payment_id FROM custody_payments
    WHERE network = ${network} AND kind = 'from_cold' AND state <> 'done' LIMIT 1`.execute(db);
  return rows[0]?.paymentId;
}

/** Of the Bitcoin family. */
interface OutputRef {
  readonly txid: string;
  readonly vout: number;
}

export interface ColdOutput extends OutputRef {
  readonly address: string;
  /** In whole coins. */
  readonly amount: string;
  /** A transaction of ours spends it in a block after the one that is asked about. */
  readonly isSpentLater: boolean;
}

/**
 * What the cold wallet has as of a block, by what the venue itself sent there: the first output of payments to it, and what
 * payments out of it left over (Bitcoin family).
 */
export async function listColdOutputs(
  db: Db,
  network: string,
  height: number,
): Promise<ColdOutput[]> {
  const { rows } = await sql<ColdOutput>`
    SELECT a.txid, (o.n - 1)::int AS vout, o.value ->> 'address' AS address, o.value ->> 'amount' AS amount,
           s.payment_id IS NOT NULL AND EXISTS (
             SELECT FROM custody_attempts b WHERE b.payment_id = s.payment_id AND b.height > ${height}) AS is_spent_later
      FROM custody_payments p
      JOIN custody_attempts a USING (payment_id)
     CROSS JOIN jsonb_array_elements(p.own_outputs::jsonb) WITH ORDINALITY AS o(value, n)
      LEFT JOIN custody_cold_spends s ON s.network = p.network AND s.txid = a.txid AND s.vout = o.n - 1
     WHERE p.network = ${network} AND a.purpose = 'pay' AND a.height <= ${height}
       AND ((p.kind = 'to_cold' AND o.n = 1) OR (p.kind = 'from_cold' AND o.n = 2))
       AND NOT EXISTS (SELECT FROM custody_attempts b WHERE b.payment_id = s.payment_id AND b.height <= ${height})
     ORDER BY a.txid, o.n`.execute(db);
  return rows;
}

/** Which of them no payment spends. */
export async function withoutSpent<T extends OutputRef>(
  db: Db,
  network: string,
  outputs: readonly T[],
): Promise<T[]> {
  const { rows } = await sql<OutputRef>`SELECT txid, vout FROM custody_cold_spends
    WHERE network = ${network} AND txid = ANY(${outputs.map(({ txid }) => txid)}::text[])`.execute(
    db,
  );
  const spent = new Set(rows.map(({ txid, vout }) => `${txid}:${vout}`));
  return outputs.filter(({ txid, vout }) => !spent.has(`${txid}:${vout}`));
}

export async function insertSpends(
  tx: Db,
  network: string,
  outputs: readonly OutputRef[],
  paymentId: bigint,
): Promise<void> {
  await tx
    .insertInto('custodyColdSpends')
    .values(outputs.map(({ txid, vout }) => ({ network, txid, vout, paymentId })))
    .execute();
}

/** What a payment that was never signed would have spent. */
export async function deleteSpends(tx: Db, paymentId: bigint): Promise<void> {
  await tx.deleteFrom('custodyColdSpends').where('paymentId', '=', paymentId).execute();
}
