import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { CoinTotal, LedgerRow } from './statement.ts';

/** The first entry id of the account, and the first after its last; undefined without entries. */
async function findEntryRange(
  db: Db,
  accountId: bigint,
): Promise<{ first: bigint; past: bigint } | undefined> {
  const { rows } = await sql<{ first: bigint | null; last: bigint | null }>`
    SELECT min(entry_id) AS first, max(entry_id) AS last FROM ledger_entries
     WHERE account_id = ${accountId}`.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? undefined : { first, past: last + 1n };
}

/**
 * The least number such that every entry of the account from it on is not before `ms`. Numbers and
 * times grow together, so halving the numbers finds it by a few dozen looks at the primary key,
 * however long the history is.
 */
export async function findBoundary(db: Db, accountId: bigint, ms: number): Promise<bigint> {
  const range = await findEntryRange(db, accountId);
  if (range === undefined) return 0n;
  let { first: low, past: high } = range;
  while (low < high) {
    const middle = (low + high) / 2n;
    const { rows } = await sql<{ entryId: bigint; timeMs: bigint }>`
      SELECT entry_id, time_ms FROM ledger_entries
       WHERE account_id = ${accountId} AND entry_id >= ${middle} ORDER BY entry_id LIMIT 1`.execute(
      db,
    );
    const [found] = rows;
    if (found === undefined || found.timeMs >= BigInt(ms)) high = middle;
    else low = found.entryId + 1n;
  }
  return low;
}

/** What the account had of each coin after its last entry below `boundary`; coins of which it had nothing are left out. */
export async function listTotalsBefore(
  db: Db,
  accountId: bigint,
  boundary: bigint,
): Promise<CoinTotal[]> {
  const { rows } = await sql<{ coin: string; total: string }>`
    SELECT b.coin, e.balance_after::text AS total
      FROM balances b
      JOIN LATERAL (SELECT balance_after FROM ledger_entries
                     WHERE account_id = b.account_id AND coin = b.coin AND entry_id < ${boundary}
                     ORDER BY entry_id DESC LIMIT 1) e ON true
     WHERE b.account_id = ${accountId} AND e.balance_after > 0 ORDER BY b.coin COLLATE "C"`.execute(
    db,
  );
  return rows.map(({ coin, total }) => ({ coin, total: BigInt(total) }));
}

/** Entries from one boundary to before the other, in order, at most `limit`. */
export async function listEntriesBetween(
  db: Db,
  accountId: bigint,
  { from, to, limit }: { from: bigint; to: bigint; limit: number },
): Promise<LedgerRow[]> {
  const rows = await db
    .selectFrom('ledgerEntries')
    .select(['entryId', 'coin', 'kind', 'direction', 'amount', 'balanceBefore', 'balanceAfter'])
    .select(['referenceType', 'referenceId', 'timeMs'])
    .where('accountId', '=', accountId)
    .where('entryId', '>=', from)
    .where('entryId', '<', to)
    .orderBy('entryId')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    balanceBefore: BigInt(row.balanceBefore),
    balanceAfter: BigInt(row.balanceAfter),
  }));
}
