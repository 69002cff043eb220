import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { PageQuery } from '../../pages.ts';
import type { Recent } from './rules.ts';
import type { WithdrawalRow, WithdrawalTerms } from './shapes.ts';
import type { WithdrawalStatus } from './status.ts';

/** Lets one request of a family at a time count against its limits. */
export async function lockFamily(tx: Db, familyId: bigint): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`withdrawals ${familyId}`}::text, 0))`.execute(
    tx,
  );
}

const COLUMNS = [
  'withdrawId',
  'accountId',
  'familyId',
  'clientWithdrawId',
  'coin',
  'network',
  'amount',
  'fee',
  'address',
  'memo',
  'addressId',
  'note',
  'toAccountId',
  'needsConfirmation',
  'confirmBy',
  'approvalsNeeded',
  'requestedBy',
  'status',
  'statusReason',
  'commandId',
  'isBooked',
  'screening',
  'txid',
  'createdAt',
  'updatedAt',
  'completedAt',
] as const;

const CONFIRMATIONS = sql<number | null>`(SELECT n.scanned_height - a.height + 1
        FROM custody_attempts a JOIN custody_networks n USING (network)
       WHERE a.network = withdrawals.network AND a.txid = withdrawals.txid AND a.height IS NOT NULL)`.as(
  'confirmations',
);

type Stored = Omit<WithdrawalRow, 'amount' | 'fee' | 'status' | 'confirmations'> & {
  readonly confirmations?: number | null;
  readonly amount: string;
  readonly fee: string;
  readonly status: string;
};

/** The table's check constraint guarantees the names. */
const toRow = (row: Stored): WithdrawalRow => ({
  ...row,
  confirmations: row.confirmations ?? 0,
  amount: BigInt(row.amount),
  fee: BigInt(row.fee),
  status: row.status as WithdrawalStatus,
});

export async function drawWithdrawalId(tx: Db): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT nextval(pg_get_serial_sequence('withdrawals', 'withdraw_id')) AS id`.execute(tx);
  return BigInt(rows[0]?.id ?? 0);
}

export async function insertWithdrawal(
  tx: Db,
  row: WithdrawalTerms & { readonly withdrawId: bigint; readonly commandId: bigint },
): Promise<WithdrawalRow> {
  const { amount, fee, ...rest } = row;
  const stored = await tx
    .insertInto('withdrawals')
    .values({
      ...rest,
      amount: amount.toString(),
      fee: fee.toString(),
      updatedAt: row.createdAt,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return toRow(stored);
}

/** The one with this id of the caller, unless the ledger refused it. */
export async function findByClientId(
  db: Db,
  accountId: bigint,
  clientWithdrawId: string,
): Promise<WithdrawalRow | undefined> {
  const row = await db
    .selectFrom('withdrawals')
    .select(COLUMNS)
    .where('accountId', '=', accountId)
    .where('clientWithdrawId', '=', clientWithdrawId)
    .where('isRefused', '=', false)
    .executeTakeFirst();
  return row && toRow(row);
}

/** Held until the end of the transaction: who changes it holds it first. */
export async function lockWithdrawal(tx: Db, id: bigint): Promise<WithdrawalRow | undefined> {
  const row = await tx
    .selectFrom('withdrawals')
    .select(COLUMNS)
    .where('withdrawId', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toRow(row);
}

export interface Change {
  readonly status?: WithdrawalStatus;
  readonly txid?: string;
  readonly statusReason?: string;
  readonly commandId?: bigint;
  readonly isBooked?: boolean;
  readonly isRefused?: boolean;
  readonly completedAt?: Date;
}

/** Held until the end of the transaction. */
export async function lockMany(tx: Db, ids: readonly bigint[]): Promise<WithdrawalRow[]> {
  const rows = await tx
    .selectFrom('withdrawals')
    .select(COLUMNS)
    .where('withdrawId', 'in', [...ids])
    .orderBy('withdrawId')
    .forUpdate()
    .execute();
  return rows.map(toRow);
}

export async function updateMany(
  tx: Db,
  ids: readonly bigint[],
  change: Change & { readonly updatedAt?: Date },
): Promise<WithdrawalRow[]> {
  const rows = await tx
    .updateTable('withdrawals')
    .set(change)
    .where('withdrawId', 'in', [...ids])
    .returning(COLUMNS)
    .execute();
  return rows.map(toRow);
}

export interface OwnedWithdrawal extends WithdrawalRow {
  readonly userId: number;
}

/** As answers show them, with whose they are. */
export async function listOwned(db: Db, ids: readonly bigint[]): Promise<OwnedWithdrawal[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select(COLUMNS)
    .select(CONFIRMATIONS)
    .select(
      sql<number>`(SELECT user_id FROM trading_accounts a WHERE a.id = withdrawals.account_id)`.as(
        'userId',
      ),
    )
    .where('withdrawId', 'in', [...ids])
    .orderBy('withdrawId')
    .execute();
  return rows.map((row) => ({ ...toRow(row), userId: row.userId }));
}

/** What waits to be paid of a coin. */
export async function listQueuedOf(db: Db, coin: string): Promise<bigint[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('withdrawId')
    .where('status', '=', 'queued')
    .where('coin', '=', coin)
    .execute();
  return rows.map(({ withdrawId }) => withdrawId);
}

/** What waits to be paid on a network, and is of no coin that is stopped; the oldest first, held. */
export async function takeQueued(tx: Db, network: string, limit: number): Promise<WithdrawalRow[]> {
  const rows = await tx
    .selectFrom('withdrawals')
    .select(COLUMNS)
    .where('network', '=', network)
    .where('status', '=', 'queued')
    .where('isBooked', '=', true)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('custodyStops as s')
            .select('s.stopId')
            .whereRef('s.coin', '=', 'withdrawals.coin')
            .where('s.endedAt', 'is', null),
        ),
      ),
    )
    .orderBy('withdrawId')
    .limit(limit)
    .forUpdate()
    .execute();
  return rows.map(toRow);
}

/** What a family asked for since a time, and did not get back; the oldest first. */
export async function listRecent(
  db: Db,
  { familyId, coin }: { readonly familyId: bigint; readonly coin: string },
  since: Date,
  limit: number,
): Promise<Recent[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select(['amount', 'createdAt'])
    .where('familyId', '=', familyId)
    .where('coin', '=', coin)
    .where('createdAt', '>', since)
    .where('status', 'not in', ['canceled', 'rejected', 'failed'])
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  return rows.map(({ amount, createdAt }) => ({
    atMs: createdAt.getTime(),
    amount: BigInt(amount),
  }));
}

export async function countApprovals(db: Db, withdrawId: bigint): Promise<number> {
  const { count } = await db
    .selectFrom('withdrawalApprovals')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('withdrawId', '=', withdrawId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export interface Approval {
  readonly withdrawId: bigint;
  readonly operatorId: number;
  readonly at: Date;
}

/** Of some withdrawals, the oldest first. */
export async function listApprovals(db: Db, withdrawIds: readonly bigint[]): Promise<Approval[]> {
  if (withdrawIds.length === 0) return [];
  return db
    .selectFrom('withdrawalApprovals')
    .select(['withdrawId', 'operatorId', 'at'])
    .where('withdrawId', 'in', [...withdrawIds])
    .orderBy('at')
    .execute();
}

/** Whether the approval is new. */
export async function insertWithdrawalApproval(
  tx: Db,
  withdrawId: bigint,
  operatorId: number,
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .insertInto('withdrawalApprovals')
    .values({ withdrawId, operatorId, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('withdrawId')
    .execute();
  return rows.length > 0;
}

/** Rows whose last command the ledger has not answered, as far as we know; the oldest first. */
export async function listUnbooked(db: Db, limit: number): Promise<bigint[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('withdrawId')
    .where('isBooked', '=', false)
    .orderBy('withdrawId')
    .limit(limit)
    .execute();
  return rows.map(({ withdrawId }) => withdrawId);
}

/** Rows that their owners have not confirmed in time. */
export async function listUnconfirmed(db: Db, at: Date, limit: number): Promise<bigint[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('withdrawId')
    .where('status', '=', 'awaiting_confirmation')
    .where('confirmBy', '<=', at)
    .orderBy('withdrawId')
    .limit(limit)
    .execute();
  return rows.map(({ withdrawId }) => withdrawId);
}

/** Those that wait for operators, the oldest first. */
export async function listAwaitingApproval(db: Db, limit: number): Promise<WithdrawalRow[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select(COLUMNS)
    .where('status', '=', 'awaiting_approval')
    .orderBy('withdrawId')
    .limit(limit)
    .execute();
  return rows.map(toRow);
}

export interface WithdrawalFilter {
  readonly coin?: string | undefined;
  readonly network?: string | undefined;
  readonly status?: string | undefined;
  readonly txid?: string | undefined;
  readonly clientWithdrawId?: string | undefined;
}

/** In order of their number; one more than the page holds. */
export async function listWithdrawals(
  db: Db,
  accountId: bigint,
  { coin, network, status, txid, clientWithdrawId }: WithdrawalFilter,
  page: PageQuery,
): Promise<WithdrawalRow[]> {
  let query = db
    .selectFrom('withdrawals')
    .select(COLUMNS)
    .select(CONFIRMATIONS)
    .where('accountId', '=', accountId);
  if (coin !== undefined) query = query.where('coin', '=', coin);
  if (network !== undefined) query = query.where('network', '=', network);
  if (status === 'awaiting_confirmation') {
    query = query.where('status', 'in', ['requested', 'awaiting_confirmation']);
  } else if (status !== undefined) query = query.where('status', '=', status);
  if (txid !== undefined) query = query.where('txid', '=', txid);
  if (clientWithdrawId !== undefined) {
    query = query.where('clientWithdrawId', '=', clientWithdrawId);
  }
  if (page.from !== undefined) {
    query = query.where('createdAt', '>=', new Date(Number(page.from)));
  }
  if (page.to !== undefined) query = query.where('createdAt', '<', new Date(Number(page.to)));
  if (page.after !== undefined) {
    query = query.where('withdrawId', page.sort === 'asc' ? '>' : '<', page.after.id);
  }
  const rows = await query
    .orderBy('withdrawId', page.sort)
    .limit(page.limit + 1)
    .execute();
  return rows.map(toRow);
}
