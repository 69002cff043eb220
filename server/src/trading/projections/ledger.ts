// Reads the lines of an account's ledger. Those of movements of money are stored; those of a trade are derived from it,
// except of trades that an older release wrote with stored lines. Here is the one place that derives them and puts both
// together, in the order of their numbers. It is SQL, so that filters and limits apply before anything is sent.
import { CompiledQuery } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { PLANNED_EACH_TIME_MARK } from '../../platform/db/prepared.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import type { History } from './archive/read.ts';
import { TRADES_NAME, tradesFrom } from '../trade-tables.ts';
import { listArchives } from './archive/access.ts';
import type { Queryable } from './bulk.ts';
import { readStretch, walkDays } from './days.ts';

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

/** Which lines: every value is an expression of SQL, such as `$1` or a column of the statement around it. */
export interface LinesWanted {
  readonly account: string;
  readonly coin?: string | undefined;
  readonly kind?: string | undefined;
  /** From this time on, and until before that one. */
  readonly fromMs?: string | undefined;
  readonly toMs?: string | undefined;
  /** From this number on, and until before that one. */
  readonly fromId?: string | undefined;
  readonly toId?: string | undefined;
  /** The day whose trades are looked at, where the last one with lines is known. */
  readonly tradedOn?: string | undefined;
  /** Some rows of an archived day instead of the table. */
  readonly archived?: string | undefined;
  readonly sort: 'asc' | 'desc';
  readonly limit: string;
}

type TradeSide = 'buyer' | 'seller';

/** The engine's first shard is the only one so far. */
const SHARD = 0;

const SELF = 't.rebate <> 0 AND t.buyer_account_id = t.seller_account_id';

/**
 * What a trade `t` with the values `x` changes, in the order of its lines. A change of zero is no line, so each has a
 * condition that says of the trade alone whether there is one; empty if there always is.
 */
const CHANGES: ReadonlyArray<
  readonly [side: TradeSide, coin: 'base' | 'quote', kind: string, change: string, isLine: string]
> = [
  ['buyer', 'quote', 'trade', '-t.total', 't.total <> 0'],
  ['buyer', 'quote', 'rebate', 'x.of_buyer', `t.taker_side = 'sell' AND t.rebate <> 0`],
  ['buyer', 'base', 'trade', 'x.volume', ''],
  ['buyer', 'base', 'trade_fee', '-t.buyer_fee', 't.buyer_fee <> 0'],
  // An account that trades with itself is the maker on both sides.
  ['buyer', 'base', 'rebate', 'x.of_seller * x.one', `t.taker_side = 'buy' AND ${SELF}`],
  ['seller', 'base', 'trade', '-x.volume', ''],
  ['seller', 'base', 'rebate', 'x.of_seller', `t.taker_side = 'buy' AND t.rebate <> 0`],
  ['seller', 'quote', 'trade', 't.total', 't.total <> 0'],
  ['seller', 'quote', 'trade_fee', '-t.seller_fee', 't.seller_fee <> 0'],
  ['seller', 'quote', 'rebate', 'x.of_buyer * x.one', `t.taker_side = 'sell' AND ${SELF}`],
];

/** A rebate is the maker's, in the coin that the maker gives. */
const VALUES = `(SELECT t.volume * ('1e' || 18 - t.volume_decimals)::numeric AS volume,
                        CASE t.taker_side WHEN 'sell' THEN t.rebate ELSE 0 END AS of_buyer,
                        CASE t.taker_side WHEN 'buy' THEN t.rebate ELSE 0 END AS of_seller,
                        (t.buyer_account_id = t.seller_account_id)::integer AS one OFFSET 0) AS x`;

const sum = (terms: readonly string[]): string => ['0', ...terms].join(' + ');

/** One line as a row: its number, coin, kind, change, and the total after it, which the later changes led on from. */
const toRow = ([side, coin, kind, change]: (typeof CHANGES)[number], at: number): string => {
  const earlier = CHANGES.slice(0, at).map(([, , , other]) => `(${other} <> 0)::integer`);
  const later = CHANGES.slice(at + 1)
    .filter(([otherSide, otherCoin]) => otherSide === side && otherCoin === coin)
    .map(([, , , other]) => `(${other})`);
  const after = `t.${side}_${coin}_after - (${sum(later)})`;
  return `(t.first_entry_id + ${sum(earlier)}, m.${coin}, '${kind}', ${change}, ${after})`;
};

/** Joined to trades `t` and their markets `m`: the lines of one side as `l`. */
const deriveLines = (side: TradeSide): string => {
  const rows = CHANGES.flatMap((line, at) => (line[0] === side ? [toRow(line, at)] : []));
  return `CROSS JOIN LATERAL ${VALUES}
          CROSS JOIN LATERAL (VALUES ${rows.join(', ')}) AS l (entry_id, coin, kind, change, balance_after)`;
};

const DERIVED = `l.entry_id, l.coin, l.kind, CASE WHEN l.change > 0 THEN 'in' ELSE 'out' END AS direction,
                 abs(l.change) AS amount, l.balance_after - l.change AS balance_before, l.balance_after,
                 'trade' AS reference_type, t.trade_id::text AS reference_id`;

const COLUMNS =
  'entry_id, coin, kind, direction, amount, balance_before, balance_after, reference_type, reference_id, time_ms';

const where = (conditions: ReadonlyArray<string | false | undefined>): string =>
  conditions.filter((condition) => typeof condition === 'string').join(' AND ');

const is = (left: string, operator: string, right: string | undefined): string | undefined =>
  right === undefined ? undefined : `${left} ${operator} ${right}`;

const storedLines = ({ account, coin, kind, sort, limit, ...range }: LinesWanted): string =>
  `(SELECT ${COLUMNS} FROM ledger_entries
     WHERE ${where([
       `account_id = ${account}`,
       is('coin', '=', coin),
       is('kind', '=', kind),
       is('time_ms', '>=', range.fromMs),
       is('time_ms', '<', range.toMs),
       is('entry_id', '>=', range.fromId),
       is('entry_id', '<', range.toId),
     ])}
     ORDER BY entry_id ${sort} LIMIT ${limit})`;

/** Whether a side of a trade has such lines: a look at the trade costs less than deriving its lines. Undefined if all have. */
const hasLines = (side: TradeSide, { coin, kind }: LinesWanted): string | undefined => {
  const ofSide = CHANGES.filter(([lineSide]) => lineSide === side).map(
    ([, ofCoin, ofKind, , isLine]) =>
      where([
        is(`'${ofKind}'`, '=', kind),
        coin && `t.symbol IN (SELECT symbol FROM markets WHERE ${ofCoin} = ${coin})`,
        isLine === '' ? undefined : isLine,
      ]),
  );
  return ofSide.includes('') ? undefined : `(${ofSide.map((one) => `(${one})`).join(' OR ')})`;
};

/**
 * The time of the last trade that a page needs. Its trades come from the index in the order of their times, and only the
 * lines of these are derived. Without this bound, a planner that takes a day for short would derive all of its lines.
 * Each trade has a line, but the bounds by number may leave out those of a few trades at each end.
 */
const endOfPage = (from: string, conditions: string, { sort, limit }: LinesWanted): string => {
  const [operator, none] = sort === 'asc' ? ['<=', `${Number.MAX_SAFE_INTEGER}`] : ['>=', '0'];
  return `t.time_ms ${operator} coalesce((SELECT t.time_ms FROM ${from} AS t WHERE ${conditions}
            ORDER BY t.time_ms ${sort} LIMIT 1 OFFSET ${limit} + ${CHANGES.length}), ${none})`;
};

/** The lines of one side of trades, read by the index of that side. Numbers grow with times and with ids of trades. */
const tradeLines = (side: TradeSide, wanted: LinesWanted): string => {
  const { account, coin, kind, fromMs, toMs, fromId, toId, tradedOn, archived } = wanted;
  const { sort, limit } = wanted;
  const from = tradesFrom(archived);
  const ofTrades = where([
    `t.${side}_account_id = ${account} AND t.first_entry_id > 0`,
    is('t.time_ms', '>=', fromMs),
    is('t.time_ms', '<', toMs),
    is('t.time_ms', '>=', tradedOn),
    is('t.time_ms', '<', tradedOn && `${tradedOn} + ${DAY_MS}`),
    // Most others are left out before their lines are derived.
    is(`t.first_entry_id + ${CHANGES.length}`, '>', fromId),
    is('t.first_entry_id', '<', toId),
    hasLines(side, wanted),
  ]);
  return `(SELECT ${DERIVED}, t.time_ms
             FROM ${from} AS t JOIN markets m USING (symbol) ${deriveLines(side)}
            WHERE ${where([
              ofTrades,
              // Archived rows come a few at a time.
              archived === undefined && endOfPage(from, ofTrades, wanted),
              'l.change <> 0',
              is('l.kind', '=', kind),
              is('l.coin', '=', coin),
              is('l.entry_id', '>=', fromId),
              is('l.entry_id', '<', toId),
            ])}
            ORDER BY t.time_ms ${sort}, t.trade_id ${sort}, l.entry_id ${sort} LIMIT ${limit})`;
};

/** Planned with their times, so that only the parts of these are opened. */
const bothSides = (wanted: LinesWanted): string =>
  `(${PLANNED_EACH_TIME_MARK} SELECT * FROM (${tradeLines('buyer', wanted)} UNION ALL ${tradeLines('seller', wanted)}) AS every
     ORDER BY entry_id ${wanted.sort} LIMIT ${wanted.limit})`;

/** What is kept of the lines of archived days, in the columns of a line. */
const lastClosing = (account: string, coin: string): string =>
  `(SELECT entry_id, coin, '', '', 0::numeric, 0::numeric, balance_after, '', '', day_ms FROM ledger_closings
     WHERE account_id = ${account} AND coin = ${coin} ORDER BY day_ms DESC LIMIT 1)`;

/** The last line of an account in a coin, as a subquery. Its last trade in the coin was on the day of its last volume. */
export const lastLineOf = ({ account, coin }: { account: string; coin: string }): string => {
  const wanted = { account, coin, tradedOn: 'traded.day_ms', sort: 'desc', limit: '1' } as const;
  return `(SELECT last.* FROM (${lastDays(account, coin, 1)}) AS traded
             RIGHT JOIN (SELECT 1) AS once ON true
             CROSS JOIN LATERAL (SELECT * FROM (${storedLines(wanted)} UNION ALL ${bothSides(wanted)}
                                                UNION ALL ${lastClosing(account, coin)}) AS every
                                  ORDER BY entry_id DESC LIMIT 1) AS last)`;
};

/** The last days on which an account traded a coin, the newest first. Each market has its own place in the index. */
const lastDays = (account: string, coin: string, count: number, toMs?: string): string =>
  `SELECT DISTINCT v.day_ms FROM markets vm CROSS JOIN LATERAL
          (SELECT day_ms FROM account_volumes
            WHERE ${where([`account_id = ${account}`, 'symbol = vm.symbol', is('day_ms', '<', toMs)])}
            ORDER BY day_ms DESC LIMIT ${count}) AS v
    WHERE ${coin} IN (vm.base, vm.quote) ORDER BY v.day_ms DESC LIMIT ${count}`;

/** All lines of all accounts, with every column of the table of stored ones: for comparing tables of one schema. */
export const everyLineOf = (schema: string): string =>
  `(SELECT account_id, entry_id, coin, kind, direction, amount, balance_before, balance_after, reference_type,
           reference_id, network, time_ms, engine_seq FROM ${schema}.ledger_entries
    UNION ALL ${derivedLinesOf(schema, `${schema}.${TRADES_NAME}`)})`;

/** All lines that are derived from some trades. */
export const derivedLinesOf = (schema: string, trades: string): string => {
  const of = (side: TradeSide) =>
    `SELECT t.${side}_account_id, ${DERIVED}, ''::text, t.time_ms, t.engine_seq
       FROM ${trades} AS t JOIN ${schema}.markets m USING (symbol) ${deriveLines(side)}
      WHERE t.first_entry_id > 0 AND l.change <> 0`;
  return `(${of('buyer')} UNION ALL ${of('seller')})`;
};

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

async function readLines(
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

const read = async <R>(db: Db, text: string, values: readonly unknown[]): Promise<R[]> =>
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
