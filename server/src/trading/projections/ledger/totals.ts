// What an account had of each coin: the last line before a moment says it, also where the lines themselves are archived.
import { DAY_MS } from '../../../platform/std/time.ts';
import { TRADES_NAME } from '../../trade-tables.ts';
import { listArchives } from '../archive/access.ts';
import type { History } from '../archive/read.ts';
import type { Queryable } from '../bulk.ts';
import { readStretch } from '../days.ts';
import { deriveLines, type TradeSide } from './derive.ts';
import { bothSides, lastDays, storedLines } from './lines.ts';
import { read, readLines } from './pages.ts';

interface LastOfCoin {
  readonly coin: string;
  readonly entryId: bigint;
  readonly total: string;
}

/** The last lines of an account in some coins that its trades of a day made, below a number. */
async function listLastOfDay(
  history: History,
  accountId: bigint,
  coins: readonly string[],
  { dayMs, toId, toMs }: { readonly dayMs: bigint; readonly toId: bigint; readonly toMs: bigint },
): Promise<LastOfCoin[]> {
  const { db } = history;
  const day = { fromMs: dayMs, toMs: dayMs + BigInt(DAY_MS) };
  const traded = bothSides({
    account: '$1::bigint',
    coin: 'c.coin',
    tradedOn: '$4::bigint',
    toId: '$2::bigint',
    toMs: '$3::bigint',
    sort: 'desc',
    limit: '1',
  });
  const inTable = await read<LastOfCoin>(
    db,
    `SELECT c.coin, l.entry_id, l.balance_after::text AS total
       FROM unnest($5::text[]) AS c (coin) CROSS JOIN LATERAL ${traded} AS l`,
    [accountId, toId, toMs, dayMs, coins],
  );
  if ((await listArchives(db, TRADES_NAME, day)).length === 0) return inTable;
  if (day.toMs <= toMs) {
    return read<LastOfCoin>(
      db,
      `SELECT coin, entry_id, balance_after::text AS total FROM ledger_closings
        WHERE account_id = $1 AND coin = ANY ($2) AND day_ms = $3 AND entry_id < $4`,
      [accountId, coins, dayMs, toId],
    );
  }
  const last: LastOfCoin[] = [];
  for (const coin of coins) {
    const wanted = { sort: 'desc', limit: 1 } as const;
    const until = { fromMs: dayMs, toMs };
    const [line] = await readStretch(history, { accountId, coin }, until, wanted, (stretch) =>
      readLines(db, accountId, bothSides, { ...wanted, coin, toId, ...stretch }),
    );
    if (line !== undefined) {
      last.push({ coin, entryId: line.entryId, total: String(line.balanceAfter) });
    }
  }
  return last;
}

/** What an account had of each coin after its last line below a number; coins of which it had nothing are left out. */
export async function listTotalsBefore(
  history: History,
  accountId: bigint,
  { toId, toMs }: { readonly toId: bigint; readonly toMs: bigint },
): Promise<{ readonly coin: string; readonly total: bigint }[]> {
  const { db } = history;
  const bounds = { toId: '$2::bigint', toMs: '$3::bigint', sort: 'desc', limit: '1' } as const;
  const stored = storedLines({ account: 'b.account_id', coin: 'b.coin', ...bounds });
  // The last day with trades may end after the moment, and have none before it. The day before that has some.
  const coins = await read<LastOfCoin & { readonly days: readonly string[] }>(
    db,
    `SELECT b.coin, coalesce(s.entry_id, 0) AS entry_id, coalesce(s.balance_after, 0)::text AS total,
            ARRAY(${lastDays('b.account_id', 'b.coin', 2, '$3::bigint')}) AS days
       FROM balances b LEFT JOIN LATERAL ${stored} AS s ON true
      WHERE b.account_id = $1 ORDER BY b.coin COLLATE "C"`,
    [accountId, toId, toMs],
  );
  const last = new Map<string, LastOfCoin>();
  for (const round of [0, 1]) {
    const open = coins.filter(({ coin, days }) => !last.has(coin) && days[round] !== undefined);
    for (const day of new Set(open.map(({ days }) => days[round] ?? '0'))) {
      const names = open.filter(({ days }) => days[round] === day).map(({ coin }) => coin);
      const found = await listLastOfDay(history, accountId, names, {
        dayMs: BigInt(day),
        toId,
        toMs,
      });
      for (const line of found) last.set(line.coin, line);
    }
  }
  return coins.flatMap((stored) => {
    const traded = last.get(stored.coin);
    const { coin, total } = traded && traded.entryId > stored.entryId ? traded : stored;
    return total === '0' ? [] : [{ coin, total: BigInt(total) }];
  });
}

/**
 * Writes the last line of each account and coin of a day that is about to be archived. The last trade of an account in a
 * market has it, so lines of other trades are not derived.
 */
export async function closeLedger(db: Queryable, dayMs: bigint): Promise<void> {
  const ofDay = `time_ms >= $1::bigint AND time_ms < $1::bigint + ${DAY_MS}`;
  const linesOf = (side: TradeSide) =>
    `SELECT t.${side}_account_id AS account_id, l.coin, l.entry_id, l.balance_after
       FROM (SELECT max(trade_id) AS any_line,
                    max(trade_id) FILTER (WHERE total <> 0 OR rebate <> 0 OR seller_fee <> 0) AS of_quote
               FROM ${TRADES_NAME} WHERE ${ofDay} AND first_entry_id > 0
              GROUP BY ${side}_account_id, symbol) AS last
       JOIN ${TRADES_NAME} AS t ON t.trade_id IN (last.any_line, last.of_quote) AND t.${ofDay.replace(' AND ', ' AND t.')}
       JOIN markets m USING (symbol) ${deriveLines(side)}
      WHERE l.change <> 0`;
  await db.query(
    `INSERT INTO ledger_closings (account_id, coin, day_ms, entry_id, balance_after)
     SELECT DISTINCT ON (account_id, coin) account_id, coin, $1::bigint, entry_id, balance_after
       FROM (${linesOf('buyer')} UNION ALL ${linesOf('seller')}) AS lines
      ORDER BY account_id, coin, entry_id DESC`,
    [dayMs],
  );
}
