import type { Result } from '@rialto/matching';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Markets, OperatorCommands } from '../../platform/db/schema.generated.ts';
import { amountFromNumeric, formatAmount } from '../amount.ts';
import { toStatus, type CommandRow, type CommandStatus } from './command-row.ts';

/** The engine's first shard is the only one so far. */
const SHARD = 0;

const COLUMNS = [
  'id',
  'act',
  'subject',
  'reason',
  'command',
  'requestedBy',
  'requestedById',
  'approvedById',
  'status',
  'waitsFor',
  'result',
  'createdAt',
  'doneAt',
] as const;

function toRow(row: Pick<Selectable<OperatorCommands>, (typeof COLUMNS)[number]>): CommandRow {
  return {
    ...row,
    status: toStatus(row.status),
    // Written by the engine, with amounts as decimal texts.
    result: (row.result ?? undefined) as Result | undefined,
  };
}

export async function insertCommand(
  tx: Db,
  row: Pick<CommandRow, 'act' | 'subject' | 'reason' | 'command' | 'requestedBy'> & {
    requestedById: number;
    status: CommandStatus;
  },
): Promise<bigint> {
  const { id } = await tx
    .insertInto('operatorCommands')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A bigint of the table; a larger number names no row. */
export async function findCommand(db: Db, id: bigint): Promise<CommandRow | undefined> {
  const row = await db
    .selectFrom('operatorCommands')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toRow(row);
}

export async function lockCommand(tx: Db, id: bigint): Promise<CommandRow | undefined> {
  const row = await tx
    .selectFrom('operatorCommands')
    .select(COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toRow(row);
}

/** Without it, what moves money stays where it is: the table refuses. */
export async function insertApproval(
  tx: Db,
  commandId: bigint,
  operatorId: number,
  at: Date,
): Promise<void> {
  await tx.insertInto('operatorApprovals').values({ commandId, operatorId, at }).execute();
}

export async function updateApproved(
  tx: Db,
  id: bigint,
  approvedById: number,
  approvedAt: Date,
): Promise<void> {
  await tx
    .updateTable('operatorCommands')
    .set({ status: 'waiting', approvedById, approvedAt })
    .where('id', '=', id)
    .execute();
}

export async function updateWithdrawn(tx: Db, id: bigint, doneAt: Date): Promise<void> {
  await tx
    .updateTable('operatorCommands')
    .set({ status: 'withdrawn', doneAt })
    .where('id', '=', id)
    .execute();
}

/** What people asked for and has not ended, and what the engine holds back, the oldest first. */
export async function listOpenCommands(db: Db, limit: number): Promise<CommandRow[]> {
  const rows = await db
    .selectFrom('operatorCommands')
    .select(COLUMNS)
    .where((is) => is.or([is('requestedById', 'is not', null), is('waitsFor', '<>', '')]))
    .where('status', 'in', ['awaiting_approval', 'waiting'])
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toRow);
}

/** Commands of people that have ended, with no word of it in the audit log. */
export async function listUntold(
  db: Db,
  { id, limit }: { id?: bigint; limit: number },
): Promise<CommandRow[]> {
  const rows = await db
    .selectFrom('operatorCommands as c')
    .select(COLUMNS)
    .where('requestedById', 'is not', null)
    .where('status', 'in', ['done', 'refused'])
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0n))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('auditLog')
            .select('seq')
            .whereRef('auditLog.commandId', '=', 'c.id')
            .where('outcome', 'in', ['done', 'refused', 'withdrawn']),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toRow);
}

/** Commands that people asked for and of which the audit log knows no request. */
export async function listUnaudited(db: Db, limit: number): Promise<bigint[]> {
  const rows = await db
    .selectFrom('operatorCommands as c')
    .select('id')
    .where('requestedById', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('auditLog').select('seq').whereRef('auditLog.commandId', '=', 'c.id'))),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** The newest command that says what a market is like, unless it was refused or withdrawn. */
export async function findMarketCommand(db: Db, symbol: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('operatorCommands')
    .select('command')
    .where('subject', '=', symbol)
    .where('act', 'in', ['market create', 'market configure'])
    .where('status', 'in', ['waiting', 'done'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.command;
}

export async function findAccountId(
  db: Db,
  by: { userId: number } | { accountId: bigint },
): Promise<bigint | undefined> {
  const query = db.selectFrom('tradingAccounts').select('id');
  const row = await (
    'userId' in by ? query.where('userId', '=', by.userId) : query.where('id', '=', by.accountId)
  ).executeTakeFirst();
  return row?.id;
}

/** Markets as they were last projected, delisted ones too. */
export async function listMarketRows(
  db: Db,
): Promise<{ symbol: string; base: string; quote: string; phase: string; lastPrice: string }[]> {
  const rows = await db
    .selectFrom('markets')
    .select(['symbol', 'base', 'quote', 'phase', 'lastPrice'])
    .orderBy('symbol')
    .execute();
  return rows.map((row) => ({ ...row, lastPrice: formatAmount(amountFromNumeric(row.lastPrice)) }));
}

const PAIR_COLUMNS = ['symbol', 'base', 'quote', 'basePrecision', 'quotePrecision'] as const;
type PairColumn = (typeof PAIR_COLUMNS)[number];

/** What is beside an order: its market's coins and who owns the account. */
export async function findSurroundings(
  db: Db,
  { symbol, account }: { symbol: string; account: number },
): Promise<{ pair: Selectable<Pick<Markets, PairColumn>>; owner: string; person: string }> {
  const pair = await db
    .selectFrom('markets')
    .select(PAIR_COLUMNS)
    .where('symbol', '=', symbol)
    .executeTakeFirstOrThrow();
  const { email, isActive } = await db
    .selectFrom('tradingAccounts')
    .innerJoin('users', 'users.id', 'tradingAccounts.userId')
    .select(['users.email', 'users.isActive'])
    .where('tradingAccounts.id', '=', BigInt(account))
    .executeTakeFirstOrThrow();
  return { pair, owner: email, person: isActive ? 'active' : 'deactivated' };
}

/**
 * The row of the journal that holds an engine event; undefined when the journal does not reach so far. Events are
 * numbered as rows are, so halving finds it by the key of the table.
 */
export async function findJournalSeq(db: Db, engineSeq: number): Promise<number | undefined> {
  const at = async (seq: number) => {
    const row = await db
      .selectFrom('tradingJournal')
      .select('engineSeq')
      .where('shard', '=', SHARD)
      .where('seq', '=', BigInt(seq))
      .executeTakeFirst();
    return row && Number(row.engineSeq);
  };
  const head = await db
    .selectFrom('tradingJournal')
    .select('seq')
    .where('shard', '=', SHARD)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  let low = 1;
  let high = Number(head?.seq ?? 0n) + 1;
  const beyond = high;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const reached = await at(middle);
    // Rows of long ago may be in an archive; then they are before everything that is here.
    if (reached === undefined || reached < engineSeq) low = middle + 1;
    else high = middle;
  }
  return low === beyond ? undefined : low;
}

/** Markets that take orders, or will when their phase ends or when what waits is done; by symbol. */
export async function listTradingMarkets(db: Db): Promise<string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT symbol FROM markets
     WHERE phase IN ('post_only', 'continuous') OR (phase <> 'delisted' AND phase_until_ms > 0)
    UNION
    -- Opened, and not in the projections yet.
    SELECT c.command::json ->> 'symbol' FROM operator_commands c
     WHERE c.act = 'market phase' AND c.status IN ('waiting', 'done')
       AND c.command::json ->> 'phase' IN ('post_only', 'continuous')
       AND (c.journal_seq IS NULL
            OR c.journal_seq > (SELECT seq FROM projection_checkpoints WHERE shard = c.shard))
     ORDER BY symbol`.execute(db);
  return rows.map(({ symbol }) => symbol);
}

export interface AccountDescription {
  readonly account: number;
  readonly owner: string;
  readonly name: string;
  readonly tier: number;
  /** Whether the owner is active, or deactivated. */
  readonly person: 'active' | 'deactivated';
  readonly suspended: boolean;
  /** Why: `operator`, `deactivation`, or both; empty when it is not. */
  readonly because: string;
  readonly opened: string;
  readonly balances: { coin: string; available: string; held: string; pendingWithdraw: string }[];
}

export async function describeAccount(db: Db, id: number): Promise<AccountDescription> {
  const account = await db
    .selectFrom('tradingAccounts')
    .innerJoin('users', 'users.id', 'tradingAccounts.userId')
    .select(['tradingAccounts.feeTier', 'tradingAccounts.isSuspended', 'tradingAccounts.createdAt'])
    .select(['users.email', 'users.fullName', 'users.isActive'])
    .select([
      sql<boolean>`is_suspended_by_operator(trading_accounts.id)`.as('byOperator'),
      sql<boolean>`has_active_owners(trading_accounts.id)`.as('hasActiveOwners'),
    ])
    .where('tradingAccounts.id', '=', BigInt(id))
    .executeTakeFirstOrThrow();
  const balances = await db
    .selectFrom('balances')
    .select(['coin', 'available', 'held', 'pendingWithdraw'])
    .where('accountId', '=', BigInt(id))
    .orderBy('coin')
    .execute();
  const amount = (units: string) => formatAmount(BigInt(units));
  return {
    account: id,
    owner: account.email,
    name: account.fullName,
    tier: account.feeTier,
    person: account.isActive ? 'active' : 'deactivated',
    suspended: account.isSuspended,
    because: [
      ...(account.byOperator ? ['operator'] : []),
      ...(account.hasActiveOwners ? [] : ['deactivation']),
    ].join(', '),
    opened: account.createdAt.toISOString(),
    balances: balances.map((row) => ({
      coin: row.coin,
      available: amount(row.available),
      held: amount(row.held),
      pendingWithdraw: amount(row.pendingWithdraw),
    })),
  };
}
