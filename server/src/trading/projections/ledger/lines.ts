// Statements that select lines of the ledger, those that are stored and those that are derived, in the order of their
// numbers. The lines of movements of money are stored.
import { PLANNED_EACH_TIME_MARK } from '../../../platform/db/prepared.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { tradesFrom } from '../../trade-tables.ts';
import { CHANGES, DERIVED, deriveLines, type TradeSide } from './derive.ts';

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

const COLUMNS =
  'entry_id, coin, kind, direction, amount, balance_before, balance_after, reference_type, reference_id, time_ms';

const where = (conditions: ReadonlyArray<string | false | undefined>): string =>
  conditions.filter((condition) => typeof condition === 'string').join(' AND ');

const is = (left: string, operator: string, right: string | undefined): string | undefined =>
  right === undefined ? undefined : `${left} ${operator} ${right}`;

export const storedLines = ({ account, coin, kind, sort, limit, ...range }: LinesWanted): string =>
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
export const bothSides = (wanted: LinesWanted): string =>
  `(${PLANNED_EACH_TIME_MARK} SELECT * FROM (${tradeLines('buyer', wanted)} UNION ALL ${tradeLines('seller', wanted)}) AS every
     ORDER BY entry_id ${wanted.sort} LIMIT ${wanted.limit})`;

/** The last days on which an account traded a coin, the newest first. Each market has its own place in the index. */
export const lastDays = (account: string, coin: string, count: number, toMs?: string): string =>
  `SELECT DISTINCT v.day_ms FROM markets vm CROSS JOIN LATERAL
          (SELECT day_ms FROM account_volumes
            WHERE ${where([`account_id = ${account}`, 'symbol = vm.symbol', is('day_ms', '<', toMs)])}
            ORDER BY day_ms DESC LIMIT ${count}) AS v
    WHERE ${coin} IN (vm.base, vm.quote) ORDER BY v.day_ms DESC LIMIT ${count}`;

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
