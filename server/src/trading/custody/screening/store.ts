import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { ScreeningAnswer } from './shapes.ts';

export interface Unscreened {
  readonly id: bigint;
  readonly accountId: bigint | null;
  readonly coin: string;
  readonly network: string;
  readonly amount: bigint;
  readonly address: string;
  readonly memo: string;
  readonly txid: string;
}

type Stored = Omit<Unscreened, 'amount'> & { readonly amount: string };
const toUnscreened = (row: Stored): Unscreened => ({ ...row, amount: BigInt(row.amount) });

/** Deposits with all their confirmations that nobody has said yes or no to, the longest unasked first. */
export async function listUnscreenedDeposits(
  db: Db,
  askedBefore: Date,
  limit: number,
): Promise<Unscreened[]> {
  const { rows } = await sql<Stored>`
    SELECT t.deposit_id AS id, t.account_id, t.coin, t.network, t.amount::text AS amount, t.address, t.memo, t.txid
      FROM custody_transfers t JOIN custody_networks n USING (network)
     WHERE (t.status = 'confirming' OR (t.status = 'held' AND t.status_reason IN ('screening', 'paused')))
       AND t.status IN ('detected', 'confirming', 'held') AND n.scanned_height - t.height + 1 >= t.needed
       AND t.screening IN ('', 'hold', 'silent') AND (t.screened_at IS NULL OR t.screened_at < ${askedBefore})
     ORDER BY t.screened_at NULLS FIRST, t.deposit_id LIMIT ${limit}`.execute(db);
  return rows.map(toUnscreened);
}

/** Withdrawals that only wait for this. */
export async function listUnscreenedWithdrawals(
  db: Db,
  askedBefore: Date,
  limit: number,
): Promise<Unscreened[]> {
  const { rows } = await sql<Stored>`
    SELECT withdraw_id AS id, account_id, coin, network, amount::text AS amount, address, memo, txid
      FROM withdrawals
     WHERE status = 'awaiting_approval' AND status_reason = 'screening'
       AND (screened_at IS NULL OR screened_at < ${askedBefore})
     ORDER BY screened_at NULLS FIRST, withdraw_id LIMIT ${limit}`.execute(db);
  return rows.map(toUnscreened);
}

/** Whether its status changed. An allowed one goes on as one that was never asked about. */
export async function noteDeposit(
  tx: Db,
  id: bigint,
  answer: ScreeningAnswer,
  at: Date,
): Promise<boolean> {
  const status = { allow: 'confirming', hold: 'held', silent: 'held', reject: 'rejected' }[answer];
  const { rows } = await sql<{ isNews: boolean }>`
    UPDATE custody_transfers t
       SET screening = ${answer}, screened_at = ${at}, status = ${status},
           status_reason = ${answer === 'allow' ? '' : 'screening'},
           updated_at = CASE WHEN old.status = ${status} THEN t.updated_at ELSE clock_timestamp() END
      FROM (SELECT deposit_id, status FROM custody_transfers WHERE deposit_id = ${id} FOR UPDATE) AS old
     WHERE t.deposit_id = old.deposit_id AND t.height IS NOT NULL
       AND (t.status = 'confirming' OR (t.status = 'held' AND t.status_reason IN ('screening', 'paused')))
    RETURNING old.status <> ${status} AS is_news`.execute(tx);
  return rows[0]?.isNews ?? false;
}

export async function noteWithdrawal(
  tx: Db,
  id: bigint,
  answer: ScreeningAnswer,
  at: Date,
): Promise<void> {
  await sql`UPDATE withdrawals SET screening = ${answer}, screened_at = ${at}
             WHERE withdraw_id = ${id}`.execute(tx);
}
