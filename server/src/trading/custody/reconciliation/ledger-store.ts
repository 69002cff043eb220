// What the ledger and custody's own tables say, all of it read by one transaction. A coin has passed from custody to the
// ledger with the command that its row wrote; what of such commands the projections do not have yet is counted apart.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { OutputRef } from '../chains/chain.ts';

export interface HeldOutput extends OutputRef {
  readonly units: bigint;
  readonly purpose: 'deposit' | 'change';
  readonly index: number;
  /** A transaction of ours spends it in a block after the one that is asked about. */
  readonly isSpentLater: boolean;
}

/** Outputs that were ours and unspent as of a block, by what the watcher knows; one page. */
export async function listHeldOutputs(
  db: Db,
  network: string,
  height: number,
  { after, limit }: { readonly after: OutputRef; readonly limit: number },
): Promise<HeldOutput[]> {
  const { rows } = await sql<Omit<HeldOutput, 'units'> & { units: string }>`
    SELECT u.txid, u.vout, u.units::text AS units, u.index,
           CASE u.branch WHEN 1 THEN 'change' ELSE 'deposit' END AS purpose,
           EXISTS (SELECT FROM custody_attempts a
                    WHERE a.payment_id = u.payment_id AND a.height > ${height}) AS is_spent_later
      FROM custody_utxos u
     WHERE u.network = ${network} AND u.height <= ${height} AND (u.txid, u.vout) > (${after.txid}, ${after.vout})
       AND NOT EXISTS (SELECT FROM custody_attempts a
                        WHERE a.payment_id = u.payment_id AND a.height <= ${height})
     ORDER BY u.txid, u.vout LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

export interface LedgerTerms {
  /** In units of 10^-18, as the others that are not named otherwise. */
  readonly custody: bigint;
  /** Smallest units of the chain: in the block, and never given to the ledger. */
  readonly untoldUnits: bigint;
  /** Given to the ledger, and not in the block. */
  readonly creditedLater: bigint;
  /** Given to the ledger, which has not booked it. */
  readonly creditsPending: bigint;
  /** Paid in the block, and the ledger was not told. */
  readonly paidUntold: bigint;
  readonly settledLater: bigint;
  readonly settlementsPending: bigint;
  /** Smallest units of the chain, all of them of its own coin. */
  readonly costsUntoldUnits: bigint;
  readonly costsLater: bigint;
  readonly costsPending: bigint;
}

type Texts = { readonly [name in keyof LedgerTerms]: string };

/** Commands that the projections do not have yet: they wait, or were done beyond the checkpoint. */
const PENDING = sql`
  SELECT o.command::jsonb AS c FROM operator_commands o
   WHERE o.status = 'waiting' AND o.command ~ '"(credit_deposit|settle_withdrawal|book_chain_cost)"'
  UNION ALL
  SELECT o.command::jsonb FROM operator_commands o
    JOIN projection_checkpoints p ON p.shard = 0 AND o.journal_seq > p.seq
   WHERE o.status = 'done' AND o.command ~ '"(credit_deposit|settle_withdrawal|book_chain_cost)"'`;

/** Payments that the ledger was told of, and that no block up to this one has. */
const toldLater = (network: string, height: number) => sql`
  SELECT DISTINCT p.payment_id FROM custody_attempts a JOIN custody_payments p USING (payment_id)
   WHERE a.network = ${network} AND p.state = 'done'
     AND (a.height > ${height} OR (a.height IS NULL AND a.raw IS NOT NULL))
     AND NOT EXISTS (SELECT FROM custody_attempts b
                      WHERE b.payment_id = p.payment_id AND b.height <= ${height})`;

/** Payments that a block up to this one has, and that the ledger was not told of. */
const paidUntold = (network: string, height: number) => sql`
  SELECT a.* FROM custody_payments p JOIN custody_attempts a USING (payment_id)
   WHERE p.network = ${network} AND p.state <> 'done' AND a.height <= ${height}`;

export async function readLedgerTerms(
  db: Db,
  {
    network,
    coin,
    height,
    isNative,
  }: {
    readonly network: string;
    readonly coin: string;
    readonly height: number;
    /** Whether it is the network's own coin, in which the network is paid. */
    readonly isNative: boolean;
  },
): Promise<LedgerTerms> {
  const { rows } = await sql<Texts>`
    WITH pending AS MATERIALIZED (${PENDING}),
         later AS MATERIALIZED (${toldLater(network, height)}),
         untold AS MATERIALIZED (${paidUntold(network, height)})
    SELECT
      (SELECT coalesce(sum(amount), 0) FROM venue_balances
        WHERE owner = 'custody:' || ${network}::text AND coin = ${coin})::text AS custody,
      (SELECT coalesce(sum(units), 0) FROM custody_transfers t
        WHERE network = ${network} AND coin = ${coin} AND height <= ${height} AND NOT is_internal
          AND (command_id IS NULL OR (status = 'held' AND status_reason = 'refused')
               OR (NOT is_booked AND EXISTS (SELECT FROM operator_commands o
                                              WHERE o.id = t.command_id AND o.status = 'refused')))
      )::text AS untold_units,
      (SELECT coalesce(sum(amount), 0) FROM custody_transfers
        WHERE network = ${network} AND coin = ${coin} AND command_id IS NOT NULL AND NOT is_internal
          AND (height > ${height} OR height IS NULL) AND status_reason <> 'refused')::text AS credited_later,
      (SELECT coalesce(sum((c ->> 'amount')::numeric), 0) FROM pending
        WHERE c ->> 'type' = 'credit_deposit' AND c ->> 'network' = ${network} AND c ->> 'coin' = ${coin}
      )::text AS credits_pending,
      (SELECT coalesce(sum(o.amount::numeric * 1000000000000000000), 0)::numeric(96, 0)
         FROM untold u JOIN custody_payment_outputs o USING (payment_id)
        WHERE u.purpose = 'pay' AND NOT u.has_failed AND o.coin = ${coin})::text AS paid_untold,
      (SELECT coalesce(sum(o.amount::numeric * 1000000000000000000), 0)::numeric(96, 0)
         FROM later l JOIN custody_payments p USING (payment_id) JOIN custody_payment_outputs o USING (payment_id)
        WHERE p.reason <> 'failed' AND o.coin = ${coin})::text AS settled_later,
      (SELECT coalesce(sum(w.amount - w.fee), 0)
         FROM pending JOIN withdrawals w ON w.withdraw_id = substr(c ->> 'withdrawalId', 2)::bigint
        WHERE c ->> 'type' = 'settle_withdrawal' AND w.network = ${network} AND w.coin = ${coin}
      )::text AS settlements_pending,
      (SELECT coalesce(sum(coalesce(fee_paid, fee)), 0) FROM untold WHERE ${isNative})::text AS costs_untold_units,
      (SELECT coalesce(sum(-e.amount), 0) FROM later l
         JOIN custody_evidence e ON e.cause = 'chain_cost:P' || l.payment_id
        WHERE e.network = ${network} AND e.coin = ${coin})::text AS costs_later,
      ((SELECT coalesce(sum((c ->> 'amount')::numeric), 0) FROM pending
         WHERE c ->> 'type' = 'book_chain_cost' AND c ->> 'network' = ${network} AND c ->> 'coin' = ${coin})
       -- What adjustments could not pay is gone from the chain, and not booked.
       + (SELECT coalesce(sum((o.command::jsonb ->> 'amount')::numeric), 0) FROM operator_commands o
           WHERE o.status = 'refused' AND o.command LIKE '%"book_chain_cost"%'
             AND o.command::jsonb ->> 'network' = ${network} AND o.command::jsonb ->> 'coin' = ${coin}
             AND NOT EXISTS (SELECT FROM trading_movements m
                              WHERE m.kind = 'chain_cost' AND m.reference = o.command::jsonb ->> 'costId'))
      )::text AS costs_pending`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('One row was expected.');
  return Object.fromEntries(
    Object.entries(row).map(([name, text]) => [name, BigInt(text)]),
  ) as unknown as LedgerTerms;
}

/** Whether the ledger is about to take deposits of the network back: until it has, nothing can be compared. */
export async function hasReversals(db: Db, network: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM operator_commands o
       WHERE o.status IN ('waiting', 'awaiting_approval') AND o.command LIKE '%"reverse_deposit"%'
         AND o.command::jsonb ->> 'network' = ${network}
      UNION ALL
      SELECT FROM operator_commands o JOIN projection_checkpoints p ON p.shard = 0 AND o.journal_seq > p.seq
       WHERE o.command LIKE '%"reverse_deposit"%' AND o.command::jsonb ->> 'network' = ${network}
      UNION ALL
      SELECT FROM custody_transfers
       WHERE network = ${network} AND (reversal_id IS NOT NULL OR missing > 0)) AS found`.execute(
    db,
  );
  return rows[0]?.found === true;
}

export async function readJournalSeq(db: Db): Promise<bigint> {
  const { rows } = await sql<{ seq: string }>`
    SELECT seq::text AS seq FROM projection_checkpoints WHERE shard = 0`.execute(db);
  return BigInt(rows[0]?.seq ?? 0);
}
