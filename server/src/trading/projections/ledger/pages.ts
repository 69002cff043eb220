// Reads pages of the lines of an account's ledger.
import { CompiledQuery } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { History } from '../archive/read.ts';
import { walkDays } from '../days.ts';
import { CHANGES } from './derive.ts';
import { bothSides, storedLines, type LinesWanted } from './lines.ts';

/** Amounts are units of 10^-18. */
export interface LedgerLine {
  readonly entryId: bigint;
  readonly coin: string;
  readonly kind: string;
  readonly direction: string;
  readonly amount: bigint;
  readonly balanceBefore: bigint;
  readonly balanceAfter: bigint;
  readonly referenceType: string;
  readonly referenceId: string;
  readonly timeMs: bigint;
}

interface LineRow extends Omit<LedgerLine, 'amount' | 'balanceBefore' | 'balanceAfter'> {
  readonly amount: string;
  readonly balanceBefore: string;
  readonly balanceAfter: string;
}

/** Values instead of expressions. */
export interface LinesAsked {
  readonly coin?: string | undefined;
  readonly kind?: string | undefined;
  readonly fromMs?: bigint | undefined;
  readonly toMs?: bigint | undefined;
  readonly fromId?: bigint | undefined;
  readonly toId?: bigint | undefined;
  readonly archived?: string | undefined;
  readonly sort: 'asc' | 'desc';
  readonly limit: number;
}

/** The engine's first shard is the only one so far. */
const SHARD = 0;

/** The lines of an account in the order of their numbers. */
export async function listLines(
  history: History,
  accountId: bigint,
  asked: LinesAsked,
): Promise<LedgerLine[]> {
  const { db } = history;
  const { kind, coin, sort, limit, fromMs, toMs } = asked;
  // Deposits of somebody who trades a lot are found without looking at the trades.
  const isTraded = kind === undefined || CHANGES.some(([, , other]) => other === kind);
  if (!isTraded) return readLines(db, accountId, storedLines, asked);
  // Several statements read the page. Lines that come meanwhile are for the next one: else one could be left out between two
  // that are shown.
  const settled = { ...asked, toId: asked.toId ?? (await readLastLine(db)) + 1n };
  const stored = await readLines(db, accountId, storedLines, settled);
  const traded = await walkDays(
    history,
    { accountId, coin },
    { sort, limit, fromMs, toMs },
    (stretch, count) =>
      readLines(db, accountId, bothSides, { ...settled, ...stretch, limit: count }),
  );
  const inOrder = (one: LedgerLine, other: LedgerLine) =>
    one.entryId < other.entryId === (sort === 'asc') ? -1 : 1;
  return [...stored, ...traded].toSorted(inOrder).slice(0, limit);
}

/** The number of the last line of all: lines up to it are there. */
async function readLastLine(db: Db): Promise<bigint> {
  const { lastEntryId } = await db
    .selectFrom('projectionCheckpoints')
    .select('lastEntryId')
    .where('shard', '=', SHARD)
    .executeTakeFirstOrThrow();
  return lastEntryId;
}

export async function readLines(
  db: Db,
  accountId: bigint,
  source: (wanted: LinesWanted) => string,
  { sort, limit, coin, kind, fromMs, toMs, fromId, toId, archived }: LinesAsked,
): Promise<LedgerLine[]> {
  const values: unknown[] = [accountId, limit];
  const text = (value: string | undefined) => value && `$${values.push(value)}::text`;
  const number = (value: bigint | undefined) =>
    value === undefined ? undefined : `$${values.push(value)}::bigint`;
  const lines = source({
    account: '$1::bigint',
    coin: text(coin),
    kind: text(kind),
    fromMs: number(fromMs),
    toMs: number(toMs),
    fromId: number(fromId),
    toId: number(toId),
    archived: text(archived),
    sort,
    limit: '$2::integer',
  });
  const rows = await read<LineRow>(db, `SELECT * FROM ${lines} AS lines`, values);
  return rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    balanceBefore: BigInt(row.balanceBefore),
    balanceAfter: BigInt(row.balanceAfter),
  }));
}

export const read = async <R>(db: Db, text: string, values: readonly unknown[]): Promise<R[]> =>
  (await db.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows;

/**
 * The least number such that every line of the account from it on is not before `ms`. Trades are found by their time.
 * Stored lines have no index by time; but numbers and times grow together, so halving the numbers finds it by a few
 * dozen looks at the primary key, however long the history is.
 */
export async function findBoundary(
  history: History,
  accountId: bigint,
  ms: bigint,
): Promise<bigint> {
  const { db } = history;
  const last = { sort: 'desc', limit: 1, toMs: ms } as const;
  const [traded] = await walkDays(history, { accountId }, last, (stretch) =>
    readLines(db, accountId, bothSides, { ...last, ...stretch }),
  );
  const [range] = await read<{ first: bigint | null; past: bigint | null }>(
    db,
    'SELECT min(entry_id) AS first, max(entry_id) + 1 AS past FROM ledger_entries WHERE account_id = $1',
    [accountId],
  );
  let low = range?.first ?? 0n;
  let high = range?.past ?? 0n;
  while (low < high) {
    const middle = (low + high) / 2n;
    const [found] = await read<{ entryId: bigint; timeMs: bigint }>(
      db,
      `SELECT entry_id, time_ms FROM ledger_entries
        WHERE account_id = $1 AND entry_id >= $2 ORDER BY entry_id LIMIT 1`,
      [accountId, middle],
    );
    if (found === undefined || found.timeMs >= ms) high = middle;
    else low = found.entryId + 1n;
  }
  const past = traded === undefined ? 0n : traded.entryId + 1n;
  return past > low ? past : low;
}
