import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** Everything above this height is in no block any more: coins, and versions of payments. */
export async function unmine(tx: Db, network: string, above: number): Promise<void> {
  await sql`UPDATE custody_utxos SET height = NULL
             WHERE network = ${network} AND height > ${above}`.execute(tx);
  await sql`UPDATE custody_attempts SET height = NULL, has_failed = false, fee_paid = NULL, broadcast_at = NULL
             WHERE network = ${network} AND height > ${above}`.execute(tx);
}

interface Mined {
  readonly txid: string;
  readonly hasFailed: boolean;
  readonly feePaid?: bigint;
}

/** Notes which of our versions a block has. */
export async function noteMined(
  tx: Db,
  network: string,
  height: number,
  transactions: readonly Mined[],
): Promise<void> {
  if (transactions.length === 0) return;
  await sql`UPDATE custody_attempts a
               SET height = ${height}, has_failed = m.has_failed, fee_paid = m.fee_paid
              FROM unnest(${transactions.map(({ txid }) => txid)}::text[],
                          ${transactions.map(({ hasFailed }) => hasFailed)}::boolean[],
                          ${transactions.map(({ feePaid }) => feePaid?.toString() ?? null)}::numeric[])
                AS m(txid, has_failed, fee_paid)
             WHERE a.network = ${network} AND a.txid = m.txid`.execute(tx);
}

/** A version that is to be signed. */
export interface NewAttempt {
  /** Absent: it pays. */
  readonly purpose?: 'pay' | 'void';
  readonly unsigned: string;
  readonly fee: bigint;
  /** Virtual bytes, or gas. */
  readonly size: bigint;
  readonly change?: { readonly vout: number; readonly index: number; readonly units: bigint };
}

export interface NewPayment extends NewAttempt {
  readonly network: string;
  readonly kind: 'payout' | 'child' | 'sweep' | 'gas' | 'to_cold' | 'from_cold';
  /** Absent: the signer is asked. */
  readonly state?: PaymentState;
  readonly reason?: string;
  /** Empty: the hot wallet. */
  readonly sender?: string;
  /** What it pays to the venue itself. */
  readonly ownOutputs?: readonly OwnOutput[];
  readonly nonce: bigint | null;
  readonly outputs: readonly PaymentOutput[];
  readonly at: Date;
}

/** As the signer reads it. */
export interface OwnOutput {
  readonly address: string;
  readonly amount: string;
  readonly coin?: string;
  /** Of a deposit address that gets gas. */
  readonly index?: number;
}

export interface PaymentOutput {
  readonly withdrawId: bigint;
  readonly address: string;
  readonly coin: string;
  readonly amount: string;
}

/** With its outputs and its first version. */
export async function insertPayment(tx: Db, payment: NewPayment): Promise<bigint> {
  const { network, kind, nonce, sender = '', ownOutputs = [], outputs, at } = payment;
  const { state, reason } = payment;
  const { paymentId } = await tx
    .insertInto('custodyPayments')
    .values({
      network,
      kind,
      nonce,
      sender,
      ownOutputs: JSON.stringify(ownOutputs),
      createdAt: at,
      updatedAt: at,
      ...(state === undefined ? {} : { state }),
      ...(reason === undefined ? {} : { reason }),
    })
    .returning('paymentId')
    .executeTakeFirstOrThrow();
  if (outputs.length > 0) {
    await tx
      .insertInto('custodyPaymentOutputs')
      .values(outputs.map((output) => ({ ...output, paymentId })))
      .execute();
  }
  await insertAttempt(tx, { network, paymentId, n: 1 }, payment);
  return paymentId;
}

export async function insertAttempt(
  tx: Db,
  place: { readonly network: string; readonly paymentId: bigint; readonly n: number },
  { purpose = 'pay', unsigned, fee, size, change }: NewAttempt,
): Promise<void> {
  await tx
    .insertInto('custodyAttempts')
    .values({
      ...place,
      purpose,
      unsigned,
      fee: fee.toString(),
      size,
      changeVout: change?.vout ?? null,
      changeIndex: change?.index ?? null,
      changeUnits: change?.units.toString() ?? null,
    })
    .execute();
}

export type PaymentState = 'signing' | 'broadcasting' | 'confirming' | 'done' | 'needs_operator';

export interface PaymentRow {
  readonly paymentId: bigint;
  readonly network: string;
  readonly kind: string;
  readonly state: PaymentState;
  readonly reason: string;
  /** What it pays to the venue itself, as JSON. */
  readonly ownOutputs: string;
  /** Empty: the hot wallet. */
  readonly sender: string;
  readonly nonce: bigint | null;
}

const PAYMENT = [
  'paymentId',
  'network',
  'kind',
  'state',
  'reason',
  'ownOutputs',
  'sender',
  'nonce',
] as const;

/** The table's check constraint guarantees the names. */
const toPayment = (row: Omit<PaymentRow, 'state'> & { readonly state: string }): PaymentRow => ({
  ...row,
  state: row.state as PaymentState,
});

/** Payments of a network in one of these states whose time has come, the oldest first. */
export async function listPayments(
  db: Db,
  network: string,
  states: readonly PaymentState[],
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<PaymentRow[]> {
  const rows = await db
    .selectFrom('custodyPayments')
    .select(PAYMENT)
    .where('network', '=', network)
    .where('state', 'in', [...states])
    .where((is) => is.or([is('retryAt', 'is', null), is('retryAt', '<=', at)]))
    .orderBy('paymentId')
    .limit(limit)
    .execute();
  return rows.map(toPayment);
}

export async function lockPayment(tx: Db, paymentId: bigint): Promise<PaymentRow | undefined> {
  const row = await tx
    .selectFrom('custodyPayments')
    .select(PAYMENT)
    .where('paymentId', '=', paymentId)
    .forUpdate()
    .executeTakeFirst();
  return row && toPayment(row);
}

export async function updatePayment(
  tx: Db,
  paymentId: bigint,
  change: {
    readonly state?: PaymentState;
    readonly reason?: string;
    readonly retryAt?: Date | null;
    /** A higher fee is wanted now. */
    readonly isUrgent?: boolean;
    /** None once it is dropped: the number is free again. */
    readonly nonce?: null;
  },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('custodyPayments')
    .set({ ...change, updatedAt: at })
    .where('paymentId', '=', paymentId)
    .execute();
}

export async function listOutputs(db: Db, paymentId: bigint): Promise<PaymentOutput[]> {
  return db
    .selectFrom('custodyPaymentOutputs')
    .select(['withdrawId', 'address', 'coin', 'amount'])
    .where('paymentId', '=', paymentId)
    .orderBy('withdrawId')
    .execute();
}

export interface Attempt {
  readonly paymentId: bigint;
  readonly n: number;
  readonly purpose: 'pay' | 'void';
  readonly unsigned: string;
  readonly txid: string | null;
  readonly raw: string | null;
  readonly height: number | null;
  readonly hasFailed: boolean;
  /** Smallest units of the chain: what was taken, or at most will be. */
  readonly fee: bigint;
  readonly size: bigint;
  readonly signedAt: Date | null;
  readonly change: NewAttempt['change'];
}

const ATTEMPT = [
  'paymentId',
  'n',
  'purpose',
  'unsigned',
  'txid',
  'raw',
  'height',
  'hasFailed',
  'fee',
  'feePaid',
  'size',
  'signedAt',
  'changeVout',
  'changeIndex',
  'changeUnits',
] as const;

interface StoredAttempt extends Omit<Attempt, 'fee' | 'purpose' | 'change'> {
  readonly fee: string;
  readonly feePaid: string | null;
  readonly purpose: string;
  readonly changeVout: number | null;
  readonly changeIndex: number | null;
  readonly changeUnits: string | null;
}

function toAttempt(row: StoredAttempt): Attempt {
  const { fee, feePaid, purpose, changeVout, changeIndex, changeUnits, ...rest } = row;
  const hasChange = changeVout !== null && changeIndex !== null && changeUnits !== null;
  return {
    ...rest,
    purpose: purpose as Attempt['purpose'],
    fee: BigInt(feePaid ?? fee),
    change: hasChange
      ? { vout: changeVout, index: changeIndex, units: BigInt(changeUnits) }
      : undefined,
  };
}

/** The versions of a payment, the newest first. */
export async function listAttempts(db: Db, paymentId: bigint): Promise<Attempt[]> {
  const rows = await db
    .selectFrom('custodyAttempts')
    .select(ATTEMPT)
    .where('paymentId', '=', paymentId)
    .orderBy('n', 'desc')
    .execute();
  return rows.map(toAttempt);
}

/** The bytes come once; the same request gives the same ones. */
export async function storeSigned(
  tx: Db,
  { paymentId, n }: Pick<Attempt, 'paymentId' | 'n'>,
  { raw, txid }: { readonly raw: string; readonly txid: string },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('custodyAttempts')
    .set({ raw, txid, signedAt: at })
    .where('paymentId', '=', paymentId)
    .where('n', '=', n)
    .where('raw', 'is', null)
    .execute();
}

/** Bytes that were signed elsewhere. Those that no node took may be replaced. */
export async function replaceSigned(
  tx: Db,
  { paymentId, n }: Pick<Attempt, 'paymentId' | 'n'>,
  { raw, txid }: { readonly raw: string; readonly txid: string },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('custodyAttempts')
    .set({ raw, txid, signedAt: at, broadcastAt: null, lastError: '' })
    .where('paymentId', '=', paymentId)
    .where('n', '=', n)
    .where('height', 'is', null)
    .execute();
}

/** The newest signed version of each payment that is in no block and that no node got since `before`; the oldest first. */
export async function listUnmined(
  db: Db,
  network: string,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<Attempt[]> {
  const rows = await db
    .selectFrom('custodyAttempts')
    .select(ATTEMPT)
    .where('network', '=', network)
    .where('raw', 'is not', null)
    .where('height', 'is', null)
    .where((is) => is.or([is('broadcastAt', 'is', null), is('broadcastAt', '<', before)]))
    // What failed was given back: it must not succeed later, on another chain.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('custodyPayments as p')
            .select('p.paymentId')
            .whereRef('p.paymentId', '=', 'custodyAttempts.paymentId')
            .where('p.state', '=', 'done')
            .where('p.reason', '=', 'failed'),
        ),
      ),
    )
    // What operators have given up is not sent any more; its void is.
    .where((is) =>
      is.or([
        is('purpose', '=', 'void'),
        sql<boolean>`(SELECT count(*) FROM custody_decisions d
           WHERE d.payment_id = custody_attempts.payment_id AND d.way = 'void') < 2`,
      ]),
    )
    // Of a payment whose other version is mined, nothing is sent; of several, the one that pays most.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('custodyAttempts as other')
            .select('other.n')
            .whereRef('other.paymentId', '=', 'custodyAttempts.paymentId')
            .where((is) =>
              is.or([
                is('other.height', 'is not', null),
                is.and([
                  is('other.raw', 'is not', null),
                  is('other.n', '>', is.ref('custodyAttempts.n')),
                ]),
              ]),
            ),
        ),
      ),
    )
    .orderBy('paymentId')
    .limit(limit)
    .execute();
  return rows.map(toAttempt);
}

export async function noteBroadcast(
  tx: Db,
  { paymentId, n }: Pick<Attempt, 'paymentId' | 'n'>,
  { at, error }: { readonly at: Date; readonly error: string },
): Promise<void> {
  await sql`UPDATE custody_attempts
               SET broadcasts = broadcasts + 1, broadcast_at = ${at}, last_error = ${error.slice(0, 500)}
             WHERE payment_id = ${paymentId} AND n = ${n}`.execute(tx);
}

/** Signed versions without a block that were made before a time or are urgent, each the newest of its payment. */
export async function listStuck(
  db: Db,
  network: string,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<(Attempt & { readonly isUrgent: boolean })[]> {
  const rows = await db
    .selectFrom('custodyAttempts')
    .innerJoin('custodyPayments as p', 'p.paymentId', 'custodyAttempts.paymentId')
    .select(ATTEMPT.map((name) => `custodyAttempts.${name}` as const))
    .select('p.isUrgent')
    .where('custodyAttempts.network', '=', network)
    .where('p.state', 'in', ['broadcasting', 'confirming'])
    // A sweep is not urgent, and one of all coins of an address could not pay more. The cold wallet is signed elsewhere.
    .where('p.kind', 'not in', ['child', 'sweep', 'from_cold'])
    .where((is) =>
      is.or([is('custodyAttempts.signedAt', '<', before), is('p.isUrgent', '=', true)]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('custodyAttempts as other')
            .select('other.n')
            .whereRef('other.paymentId', '=', 'custodyAttempts.paymentId')
            .where((is) =>
              is.or([
                is('other.height', 'is not', null),
                is('other.n', '>', is.ref('custodyAttempts.n')),
              ]),
            ),
        ),
      ),
    )
    .orderBy('custodyAttempts.paymentId')
    .limit(limit)
    .execute();
  return rows.map(({ isUrgent, ...row }) => ({ ...toAttempt(row), isUrgent }));
}

/** Which of these transactions are ours. */
export async function listOwnTxids(
  db: Db,
  network: string,
  txids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (txids.length === 0) return new Set();
  const rows = await db
    .selectFrom('custodyAttempts')
    .select('txid')
    .where('network', '=', network)
    .where('txid', '=', sql<string>`ANY(${[...new Set(txids)]}::text[])`)
    .execute();
  return new Set(rows.flatMap(({ txid }) => txid ?? []));
}
