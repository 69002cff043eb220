import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { PageQuery } from '../pages.ts';
import type { TransferRow, TransferTerms } from './shapes.ts';

/** Who asks, and under which of their ids. */
export interface TransferKey {
  readonly accountId: bigint;
  readonly clientTransferId: string;
}

/** Lets one request at a time decide about this id, also before it has a row. */
export async function lockTransfer(
  tx: Db,
  { accountId, clientTransferId }: TransferKey,
): Promise<void> {
  const name = `transfer ${accountId} ${clientTransferId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`.execute(tx);
}

export async function findTransfer(
  db: Db,
  { accountId, clientTransferId }: TransferKey,
): Promise<(TransferRow & { isRefused: boolean }) | undefined> {
  const { rows } = await sql<StoredTransfer>`
    SELECT ${COLUMNS} FROM account_transfers t JOIN operator_commands c ON c.id = t.command_id
     WHERE t.account_id = ${accountId} AND t.client_transfer_id = ${clientTransferId}`.execute(db);
  const [row] = rows;
  return row && { ...toRow(row), isRefused: row.status === 'refused' };
}

interface StoredTransfer extends Omit<TransferRow, 'amount' | 'completedAt'> {
  readonly amount: string;
  readonly status: string;
  readonly doneAt: Date | null;
}

const COLUMNS = sql`t.transfer_id, t.client_transfer_id, t.from_account_id, t.to_account_id, t.coin,
  t.amount::text AS amount, t.command_id, t.created_at, c.status, c.done_at`;

function toRow({ amount, status, doneAt, ...row }: StoredTransfer): TransferRow {
  return { ...row, amount: BigInt(amount), completedAt: status === 'done' ? doneAt : null };
}

export async function drawTransferId(tx: Db): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT nextval(pg_get_serial_sequence('account_transfers', 'transfer_id')) AS id`.execute(tx);
  return BigInt(rows[0]?.id ?? 0);
}

export interface NewTransfer extends TransferTerms, TransferKey {
  readonly transferId: bigint;
  readonly familyId: bigint;
  readonly keyId: string;
  readonly commandId: bigint;
  readonly createdAt: Date;
}

export async function insertTransfer(tx: Db, row: NewTransfer): Promise<void> {
  await tx
    .insertInto('accountTransfers')
    .values({ ...row, amount: row.amount.toString() })
    .execute();
}

/** Another attempt under the id of one that was refused. */
export async function replaceTransfer(
  tx: Db,
  transferId: bigint,
  row: TransferTerms & Pick<NewTransfer, 'keyId' | 'commandId' | 'createdAt'>,
): Promise<void> {
  const { fromAccountId, toAccountId, coin, keyId, commandId, createdAt } = row;
  await tx
    .updateTable('accountTransfers')
    .set({ fromAccountId, toAccountId, coin, keyId, commandId, createdAt })
    .set({ amount: row.amount.toString() })
    .where('transferId', '=', transferId)
    .execute();
}

/** Whether a transfer that names the account has not ended. */
export async function hasPendingTransfers(db: Db, accountId: bigint): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM account_transfers t JOIN operator_commands c ON c.id = t.command_id
     WHERE ${accountId} IN (t.from_account_id, t.to_account_id) AND c.status = 'waiting' LIMIT 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Of a whole family, or those that one account gave or got; refused ones moved nothing. */
export async function listTransfers(
  db: Db,
  of: { readonly familyId: bigint } | { readonly accountId: bigint },
  page: PageQuery,
): Promise<TransferRow[]> {
  const whose =
    'familyId' in of
      ? sql`t.family_id = ${of.familyId}`
      : sql`(t.from_account_id = ${of.accountId} OR t.to_account_id = ${of.accountId})`;
  const from = page.from === undefined ? sql`` : sql`AND t.created_at >= ${toDate(page.from)}`;
  const to = page.to === undefined ? sql`` : sql`AND t.created_at < ${toDate(page.to)}`;
  const isUp = page.sort === 'asc';
  const after =
    page.after === undefined
      ? sql``
      : isUp
        ? sql`AND t.transfer_id > ${page.after.id}`
        : sql`AND t.transfer_id < ${page.after.id}`;
  const { rows } = await sql<StoredTransfer>`
    SELECT ${COLUMNS} FROM account_transfers t JOIN operator_commands c ON c.id = t.command_id
     WHERE ${whose} AND c.status <> 'refused' ${from} ${to} ${after}
     ORDER BY t.transfer_id ${isUp ? sql`ASC` : sql`DESC`} LIMIT ${page.limit + 1}`.execute(db);
  return rows.map(toRow);
}

const toDate = (ms: bigint): Date => new Date(Number(ms));
