import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { SeenTransfer } from './store.ts';

/** Shows what waits in a pool. What is known already stays as it is. Returns what is new. */
export async function insertPooled(
  tx: Db,
  network: string,
  seenHeight: number,
  seen: readonly SeenTransfer[],
): Promise<bigint[]> {
  if (seen.length === 0) return [];
  const rows = await tx
    .insertInto('custodyTransfers')
    .values(
      seen.map(({ held: _held, units, amount, ...transfer }) => ({
        ...transfer,
        network,
        units: units.toString(),
        amount: amount.toString(),
        seenHeight,
        status: 'detected',
        isPooled: true,
      })),
    )
    .onConflict((conflict) => conflict.columns(['network', 'txid', 'place']).doNothing())
    .returning('depositId')
    .execute();
  return rows.map(({ depositId }) => depositId);
}

export interface PooledDeposit {
  readonly depositId: bigint;
  readonly txid: string;
  readonly status: string;
  readonly seenHeight: number;
}

/** What was seen in a pool, and has never been in a block; the newest first, held. */
export async function lockPooled(tx: Db, network: string, limit: number): Promise<PooledDeposit[]> {
  const { rows } = await sql<PooledDeposit>`
    SELECT deposit_id, txid, status, seen_height FROM custody_transfers
     WHERE network = ${network} AND is_pooled AND status IN ('detected', 'orphaned')
     ORDER BY deposit_id DESC LIMIT ${limit} FOR UPDATE`.execute(tx);
  return rows;
}

export async function updatePooled(
  tx: Db,
  depositIds: readonly bigint[],
  status: 'detected' | 'orphaned',
): Promise<void> {
  if (depositIds.length === 0) return;
  await sql`UPDATE custody_transfers
               SET status = ${status}, status_reason = ${status === 'orphaned' ? 'vanished' : ''},
                   updated_at = clock_timestamp()
             WHERE deposit_id = ANY(${depositIds.map(String)}::bigint[])`.execute(tx);
}

/** They still wait. */
export async function noteSeen(
  tx: Db,
  depositIds: readonly bigint[],
  height: number,
): Promise<void> {
  if (depositIds.length === 0) return;
  await sql`UPDATE custody_transfers SET seen_height = ${height}
             WHERE deposit_id = ANY(${depositIds.map(String)}::bigint[])`.execute(tx);
}
