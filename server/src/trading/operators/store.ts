import type { Result } from '@rialto/matching';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Markets, OperatorCommands } from '../../platform/db/schema.generated.ts';
import { amountFromNumeric, formatAmount } from '../amount.ts';
import { toStatus, type CommandRow, type CommandStatus } from './command-row.ts';

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

/** In the order given, which is the order in which the engine takes them. */
export async function insertCustodyCommands(
  tx: Db,
  commands: readonly string[],
  requestedBy: string,
): Promise<bigint[]> {
  if (commands.length === 0) return [];
  const rows = await tx
    .insertInto('operatorCommands')
    .values(commands.map((command) => ({ command, requestedBy })))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** A command of the fee day. */
export async function insertFeeCommand(tx: Db, command: string): Promise<bigint> {
  const { id } = await tx
    .insertInto('operatorCommands')
    .values({ command, requestedBy: 'fee day' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Where a command is in the journal; null until it is there. */
export async function findMarker(
  db: Db,
  id: bigint,
): Promise<{ journalSeq: bigint | null } | undefined> {
  return db
    .selectFrom('operatorCommands')
    .select('journalSeq')
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A transfer that the owner of an account asked for, in the transaction of its row. */
export async function insertTransferCommand(
  tx: Db,
  command: string,
  requestedBy: string,
): Promise<bigint> {
  const { id } = await tx
    .insertInto('operatorCommands')
    .values({ command, requestedBy })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The auditor's command that halts a market: one, as long as the engine has not answered. Whether there was none. */
export async function insertHaltCommand(
  db: Db,
  {
    symbol,
    command,
    by,
    reason,
  }: {
    readonly symbol: string;
    readonly command: string;
    readonly by: 'auditor' | 'custody';
    readonly reason: string;
  },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO operator_commands (command, requested_by, act, subject, reason)
    SELECT ${command}::text, ${by}::text, 'market phase', ${symbol}::text, ${reason}::text
     WHERE NOT EXISTS (SELECT FROM operator_commands
                        WHERE status = 'waiting' AND requested_by = ${by} AND command = ${command})`.execute(
    db,
  );
  return numAffectedRows > 0n;
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

/** Without it, the table refuses to release a movement of money. */
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

/** People's unfinished commands, and what the engine holds back, the oldest first. */
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

/** Finished commands of people whose result is not in the audit log. */
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

/** Commands of people whose request is not in the audit log. */
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

/** The newest command that configures a market, unless it was refused or retracted. */
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

/** Markets as last projected, including delisted ones. */
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

export async function getPair(
  db: Db,
  symbol: string,
): Promise<Selectable<Pick<Markets, PairColumn>>> {
  return db
    .selectFrom('markets')
    .select(PAIR_COLUMNS)
    .where('symbol', '=', symbol)
    .executeTakeFirstOrThrow();
}

/** Markets that take orders, or will when their phase ends or after waiting commands; by symbol. */
export async function listTradingMarkets(db: Db): Promise<string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT symbol FROM markets
     WHERE phase IN ('auction', 'post_only', 'continuous') OR (phase <> 'delisted' AND phase_until_ms > 0)
    UNION
    -- Opened, and not in the projections yet.
    SELECT c.command::json ->> 'symbol' FROM operator_commands c
     WHERE c.act = 'market phase' AND c.status IN ('waiting', 'done')
       AND c.command::json ->> 'phase' IN ('auction', 'post_only', 'continuous')
       AND (c.journal_seq IS NULL
            OR c.journal_seq > (SELECT seq FROM projection_checkpoints WHERE shard = c.shard))
     ORDER BY symbol`.execute(db);
  return rows.map(({ symbol }) => symbol);
}
