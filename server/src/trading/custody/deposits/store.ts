import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { PageQuery } from '../../pages.ts';
import type { LostDeposit, ReadyDeposit } from './rules.ts';
import type { DepositRow } from './shapes.ts';
import { shownDeposits, toShown } from './told-store.ts';

export interface SeenTransfer {
  readonly txid: string;
  readonly place: string;
  readonly coin: string;
  readonly accountId: bigint | null;
  readonly address: string;
  readonly memo: string;
  readonly units: bigint;
  readonly amount: bigint;
  readonly needed: number;
  readonly held: string;
}

/**
 * Records what a block brought. What is known already gets its block, and goes on from where it was. Returns the numbers of
 * what changed.
 */
export async function upsertTransfers(
  tx: Db,
  {
    network,
    height,
    hash,
  }: { readonly network: string; readonly height: number; readonly hash: string },
  seen: readonly SeenTransfer[],
): Promise<bigint[]> {
  if (seen.length === 0) return [];
  const rows = await tx
    .insertInto('custodyTransfers')
    .values(
      seen.map(({ held, units, amount, ...transfer }) => ({
        ...transfer,
        network,
        units: units.toString(),
        amount: amount.toString(),
        height,
        blockHash: hash,
        seenHeight: height,
        status: held === '' ? 'confirming' : 'held',
        statusReason: held,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'txid', 'place'])
        .doUpdateSet({
          height,
          blockHash: hash,
          seenHeight: height,
          isPooled: false,
          statusReason: sql`CASE WHEN custody_transfers.is_pooled THEN '' ELSE custody_transfers.status_reason END`,
          status: sql`CASE WHEN custody_transfers.status IN ('detected', 'orphaned', 'reversed') THEN 'confirming'
                         ELSE custody_transfers.status END`,
          updatedAt: sql`clock_timestamp()`,
        })
        // A block that is read once more changes nothing.
        .where(sql<boolean>`custody_transfers.block_hash IS DISTINCT FROM excluded.block_hash`),
    )
    .returning('depositId')
    .execute();
  return rows.map(({ depositId }) => depositId);
}

/** A deposit that another account of the venue sent: no chain was asked, and it is credited at once. */
export async function insertInternal(
  tx: Db,
  row: {
    readonly network: string;
    readonly txid: string;
    readonly coin: string;
    readonly accountId: bigint;
    readonly address: string;
    readonly memo: string;
    readonly amount: bigint;
    readonly commandId: bigint;
    readonly at: Date;
  },
): Promise<bigint> {
  const { amount, at, ...rest } = row;
  const { depositId } = await tx
    .insertInto('custodyTransfers')
    .values({
      ...rest,
      place: 'internal',
      units: amount.toString(),
      amount: amount.toString(),
      needed: 1,
      seenHeight: 0,
      status: 'credited',
      isInternal: true,
      detectedAt: at,
      creditedAt: at,
      updatedAt: at,
    })
    .returning('depositId')
    .executeTakeFirstOrThrow();
  return depositId;
}

/** What was in no block and in no pool for so long is not expected any more. */
export async function orphanTransfers(
  tx: Db,
  network: string,
  seenBefore: number,
): Promise<bigint[]> {
  const { rows } = await sql<{ depositId: bigint }>`
    UPDATE custody_transfers SET status = 'orphaned', updated_at = clock_timestamp()
     WHERE network = ${network} AND status = 'detected' AND height IS NULL
       AND seen_height <= ${seenBefore} RETURNING deposit_id`.execute(tx);
  return rows.map(({ depositId }) => depositId);
}

interface StoredDeposit extends Omit<ReadyDeposit, 'amount'> {
  readonly amount: string;
}

const READY = sql`deposit_id, network, txid, place, generation, coin, account_id, address, memo,
  amount::text AS amount, status, status_reason`;

export interface OpenDeposit extends ReadyDeposit {
  readonly address: string;
  readonly memo: string;
  readonly status: string;
  readonly statusReason: string;
}

const toOpen = (row: StoredDeposit & OpenDeposit): OpenDeposit => ({
  ...row,
  amount: BigInt(row.amount),
});

/** Confirmed deposits that wait for their credit, the oldest first; locked. */
export async function takeConfirmed(
  tx: Db,
  network: string,
  scannedHeight: number,
  {
    withPaused,
    isScreened,
    limit,
  }: {
    readonly withPaused: boolean;
    /** Whether only those come that were looked at. */
    readonly isScreened: boolean;
    readonly limit: number;
  },
): Promise<OpenDeposit[]> {
  const paused = withPaused ? sql`OR (status = 'held' AND status_reason = 'paused')` : sql``;
  const { rows } = await sql<StoredDeposit & OpenDeposit>`
    SELECT ${READY} FROM custody_transfers
     WHERE network = ${network} AND (status = 'confirming' ${paused})
       AND status IN ('detected', 'confirming', 'held') AND ${scannedHeight} - height + 1 >= needed
       ${isScreened ? sql`AND screening = 'allow'` : sql``}
     ORDER BY deposit_id LIMIT ${limit} FOR UPDATE`.execute(tx);
  return rows.map(toOpen);
}

/** Which of these accounts have something waiting below the minimum, and of what. */
export async function listWithSmall(
  tx: Db,
  network: string,
  accountIds: readonly bigint[],
): Promise<{ readonly accountId: bigint; readonly coin: string }[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<{ accountId: bigint; coin: string }>`
    SELECT DISTINCT account_id, coin FROM custody_transfers
     WHERE account_id = ANY(${accountIds.map(String)}::bigint[]) AND network = ${network}
       AND status = 'below_minimum'`.execute(tx);
  return rows;
}

/** What an account has waiting below the minimum; locked. */
export async function takeSmall(
  tx: Db,
  { network, coin, accountId }: Pick<ReadyDeposit, 'network' | 'coin' | 'accountId'>,
  limit: number,
): Promise<OpenDeposit[]> {
  const { rows } = await sql<StoredDeposit & OpenDeposit>`
    SELECT ${READY} FROM custody_transfers
     WHERE account_id = ${accountId} AND network = ${network} AND coin = ${coin}
       AND status = 'below_minimum'
     ORDER BY deposit_id LIMIT ${limit} FOR UPDATE`.execute(tx);
  return rows.map(toOpen);
}

export async function updateStatus(
  tx: Db,
  depositIds: readonly bigint[],
  status: string,
  reason: string,
): Promise<void> {
  if (depositIds.length === 0) return;
  await tx
    .updateTable('custodyTransfers')
    .set({ status, statusReason: reason, updatedAt: sql`clock_timestamp()` })
    .where('depositId', 'in', [...depositIds])
    .execute();
}

/** What came to nobody's address is held; `suspense` has it. */
export async function markCredited(
  tx: Db,
  credits: readonly (Pick<ReadyDeposit, 'depositId'> & {
    readonly fee: bigint;
    readonly commandId: bigint;
  })[],
): Promise<void> {
  if (credits.length === 0) return;
  await sql`
    UPDATE custody_transfers t
       SET fee = c.fee, command_id = c.command_id, updated_at = clock_timestamp(),
           status = CASE WHEN account_id IS NULL THEN 'held' ELSE 'credited' END,
           status_reason = CASE WHEN account_id IS NULL THEN 'unknown_memo' ELSE '' END,
           credited_at = CASE WHEN account_id IS NULL THEN NULL ELSE clock_timestamp() END
      FROM unnest(${credits.map(({ depositId }) => depositId.toString())}::bigint[],
                  ${credits.map(({ fee }) => fee.toString())}::numeric[],
                  ${credits.map(({ commandId }) => commandId.toString())}::bigint[])
        AS c(deposit_id, fee, command_id)
     WHERE t.deposit_id = c.deposit_id`.execute(tx);
}

/** Notes what the ledger answered. What it refused is held, for an operator to look at. */
export async function noteBooked(tx: Db, network: string): Promise<bigint[]> {
  const { rows } = await sql<{ depositId: bigint; refused: boolean }>`
    UPDATE custody_transfers t
       SET is_booked = true,
           status = CASE WHEN c.status = 'refused' THEN 'held' ELSE t.status END,
           status_reason = CASE WHEN c.status = 'refused' THEN 'refused' ELSE t.status_reason END,
           updated_at = CASE WHEN c.status = 'refused' THEN clock_timestamp() ELSE t.updated_at END
      FROM operator_commands c
     WHERE c.id = t.command_id AND t.network = ${network} AND t.command_id IS NOT NULL
       AND NOT t.is_booked AND c.status IN ('done', 'refused')
    RETURNING t.deposit_id, c.status = 'refused' AS refused`.execute(tx);
  return rows.filter(({ refused }) => refused).map(({ depositId }) => depositId);
}

export interface UnminedDeposit {
  readonly depositId: bigint;
  readonly accountId: bigint | null;
  readonly coin: string;
  readonly isCredited: boolean;
}

/** Takes everything above this height out of its block. */
export async function unmine(tx: Db, network: string, above: number): Promise<UnminedDeposit[]> {
  const { rows } = await sql<UnminedDeposit>`
    UPDATE custody_transfers
       SET height = NULL, block_hash = NULL, updated_at = clock_timestamp(),
           status = CASE WHEN status IN ('confirming', 'below_minimum')
                           OR (status = 'held' AND status_reason = 'paused') THEN 'detected'
                         ELSE status END,
           status_reason = CASE WHEN status_reason = 'paused' THEN '' ELSE status_reason END
     WHERE network = ${network} AND height > ${above}
    RETURNING deposit_id, account_id, coin, command_id IS NOT NULL AS is_credited`.execute(tx);
  return rows;
}

/** Credited deposits that are in no block, or were taken back in part only. */
export async function countLost(db: Db, network: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM custody_transfers
     WHERE network = ${network} AND ((command_id IS NOT NULL AND height IS NULL
       AND status <> 'reversed' AND NOT is_internal) OR missing > 0)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** What is on its way to the account, by coin; the number of coins bounds the list. */
export async function sumPending(
  db: Db,
  accountId: bigint,
): Promise<{ readonly coin: string; readonly amount: bigint }[]> {
  const { rows } = await sql<{ coin: string; amount: string }>`
    SELECT coin, sum(amount)::text AS amount FROM custody_transfers
     WHERE account_id = ${accountId}
       AND status IN ('detected', 'confirming', 'below_minimum', 'held')
       AND status_reason <> 'too_large'
     GROUP BY coin`.execute(db);
  return rows.map(({ coin, amount }) => ({ coin, amount: BigInt(amount) }));
}

export interface DepositFilter {
  readonly coin?: string | undefined;
  readonly network?: string | undefined;
  readonly status?: string | undefined;
  readonly txid?: string | undefined;
}

/** In order of their number; one more than the page holds. */
export async function listDeposits(
  db: Db,
  accountId: bigint,
  { coin, network, status, txid }: DepositFilter,
  page: PageQuery,
): Promise<DepositRow[]> {
  let query = shownDeposits(db).where('t.accountId', '=', accountId);
  if (coin !== undefined) query = query.where('t.coin', '=', coin);
  if (network !== undefined) query = query.where('t.network', '=', network);
  if (status !== undefined) query = query.where('t.status', '=', status);
  if (txid !== undefined) query = query.where('t.txid', '=', txid);
  if (page.from !== undefined) {
    query = query.where('t.detectedAt', '>=', new Date(Number(page.from)));
  }
  if (page.to !== undefined) query = query.where('t.detectedAt', '<', new Date(Number(page.to)));
  if (page.after !== undefined) {
    query = query.where('t.depositId', page.sort === 'asc' ? '>' : '<', page.after.id);
  }
  const rows = await query
    .orderBy('t.depositId', page.sort)
    .limit(page.limit + 1)
    .execute();
  return rows.map(toShown);
}

interface StoredLost {
  readonly depositId: bigint;
  readonly network: string;
  readonly txid: string;
  readonly place: string;
  readonly generation: number;
  readonly coin: string;
  readonly accountId: bigint | null;
  readonly amount: string;
  readonly fee: string;
  readonly missing: string;
  readonly part: number;
  readonly reversalId: bigint | null;
  readonly isLost: boolean;
}

export type LostRow = LostDeposit & Pick<StoredLost, 'reversalId' | 'isLost'>;

const LOST = sql`deposit_id, network, txid, place, generation, coin, account_id, amount::text AS amount,
  fee::text AS fee, missing::text AS missing, reversal_part AS part, reversal_id,
  (command_id IS NOT NULL AND height IS NULL AND NOT is_internal) OR missing > 0 AS is_lost`;

const toLost = (row: StoredLost): LostRow => ({
  ...row,
  amount: BigInt(row.amount),
  fee: BigInt(row.fee),
  missing: BigInt(row.missing),
});

/** Held until the end of the transaction. */
export async function lockDeposit(tx: Db, depositId: bigint): Promise<LostRow | undefined> {
  const { rows } = await sql<StoredLost>`
    SELECT ${LOST} FROM custody_transfers WHERE deposit_id = ${depositId} FOR UPDATE`.execute(tx);
  return rows[0] && toLost(rows[0]);
}

/** What operators decided to take back, and the ledger has not answered yet; held. */
export async function takeReversing(tx: Db, network: string, limit: number): Promise<LostRow[]> {
  const { rows } = await sql<StoredLost>`
    SELECT ${LOST} FROM custody_transfers
     WHERE network = ${network} AND reversal_id IS NOT NULL
     ORDER BY deposit_id LIMIT ${limit} FOR UPDATE`.execute(tx);
  return rows.map(toLost);
}

export async function updateReversal(
  tx: Db,
  depositId: bigint,
  reversalId: bigint | null,
): Promise<void> {
  await tx
    .updateTable('custodyTransfers')
    .set({ reversalId })
    .where('depositId', '=', depositId)
    .execute();
}

/** Taken back. If its transaction comes into a block again, it is credited again, by another name. */
export async function markReversed(
  tx: Db,
  { depositId, part }: Pick<LostDeposit, 'depositId' | 'part'>,
  missing: bigint,
): Promise<void> {
  await tx
    .updateTable('custodyTransfers')
    .set({
      status: 'reversed',
      statusReason: missing > 0n ? 'missing' : '',
      missing: missing.toString(),
      reversalId: null,
      // What is still missing is a further part of the same reversal.
      reversalPart: missing > 0n ? part + 1 : 0,
      ...(missing > 0n ? {} : { commandId: null, isBooked: false }),
      ...(missing > 0n ? {} : { generation: sql`generation + 1` }),
      updatedAt: sql`clock_timestamp()`,
    })
    .where('depositId', '=', depositId)
    .execute();
}
