// Checks the rules of the projections. Each run does a bounded piece of work: sums over all
// balances, which are few, and the accounts and orders of one stretch, from where the last run
// ended. A violation is an alarm, see audit/alarm.ts.
import type pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import type { Violation } from '../audit/violation.ts';
import { lastLineOf } from './ledger.ts';
import { clientOrderOf, everyOrder, ordersNamed } from '../order-tables.ts';
import { separateLiveOrders } from './store.ts';
import { REBUILT_TABLES } from './tables.ts';

interface Rule {
  readonly name: string;
  /**
   * Returns rows of `subject` and `symbol` or `coin`. `$1` and `$2` bound the stretch, where there
   * is one.
   */
  readonly query: string;
  readonly over?: 'accounts' | 'orders';
}

/** How many accounts and orders a run checks. */
const STRETCH = { accounts: 2000, orders: 5000 } as const;
const SHARD = 0;
/** Such a worker may write again at once; it is stopped soon. */
const REPEATS_MAX = 3;
/** Violations of one rule that a run reports: the first few are enough. */
const TOLD_MAX = 20;

const LAST_LINE = lastLineOf({ account: 'b.account_id', coin: 'b.coin' });

/** The orders of the stretch. */
const STRETCH_ORDERS = everyOrder(
  'order_id, account_id, client_order_id, symbol, filled_total, filled_volume, fee, order_list_id, order_list_kind, created_ms, updated_ms, last_trade_ms',
  'order_id > $1 AND order_id <= $2',
);
const LIVE_WORDS = "('pending', 'open', 'partially_filled')";

const RULES: readonly Rule[] = [
  {
    name: 'the sum of a coin over all accounts is zero',
    query: `SELECT coin AS subject, coin FROM (
              SELECT coin, available + held + pending_withdraw AS amount FROM balances
              UNION ALL SELECT coin, amount FROM venue_balances) AS a
             GROUP BY coin HAVING sum(amount) <> 0`,
  },
  {
    name: 'only custody is below zero',
    query: `SELECT owner || ' ' || coin AS subject, coin FROM venue_balances
             WHERE amount < 0 AND owner NOT LIKE 'custody:%'
            -- Over all networks: a coin may come in on one and leave on another, which makes that one positive.
            UNION ALL SELECT 'custody ' || coin, coin FROM venue_balances
             WHERE owner LIKE 'custody:%' GROUP BY coin HAVING sum(amount) > 0
            UNION ALL SELECT account_id || ' ' || coin, coin FROM balances
             WHERE least(available, held, pending_withdraw) < 0`,
  },
  {
    name: 'an account holds what its live orders hold',
    over: 'accounts',
    query: `WITH held AS (
              SELECT o.account_id, CASE o.side WHEN 'buy' THEN m.quote ELSE m.base END AS coin,
                     sum(o.held) AS held, min(o.symbol) AS symbol
                FROM trading_live_orders o JOIN markets m USING (symbol)
               WHERE o.account_id > $1 AND o.account_id <= $2
               GROUP BY 1, 2)
            SELECT coalesce(b.account_id, h.account_id) || ' ' || coalesce(b.coin, h.coin) AS subject,
                   h.symbol, coalesce(b.coin, h.coin) AS coin
              FROM (SELECT * FROM balances WHERE account_id > $1 AND account_id <= $2) AS b
              FULL JOIN held AS h ON h.account_id = b.account_id AND h.coin = b.coin
             WHERE coalesce(b.held, 0) <> coalesce(h.held, 0)`,
  },
  {
    name: 'the ledger ends at the balance',
    over: 'accounts',
    query: `SELECT b.account_id || ' ' || b.coin AS subject, b.coin
              FROM balances b LEFT JOIN LATERAL ${LAST_LINE} AS l ON true
             WHERE b.account_id > $1 AND b.account_id <= $2
               AND b.available + b.held + b.pending_withdraw <> coalesce(l.balance_after, 0)`,
  },
  {
    name: 'an order was filled by its trades, and paid their fees',
    over: 'orders',
    // The times of the order say in which parts its trades are.
    query: `SELECT o.order_id::text AS subject, o.symbol
              FROM ${STRETCH_ORDERS} AS o CROSS JOIN LATERAL (
                SELECT coalesce(sum(total), 0) AS total, coalesce(sum(fee), 0) AS fee
                  FROM (SELECT total, buyer_fee AS fee FROM trading_trades
                         WHERE buyer_order_id = o.order_id AND time_ms BETWEEN o.created_ms AND o.updated_ms
                        UNION ALL
                        SELECT total, seller_fee FROM trading_trades
                         WHERE seller_order_id = o.order_id AND time_ms BETWEEN o.created_ms AND o.updated_ms
                        UNION ALL
                        SELECT total, fee FROM archived_fills WHERE order_id = o.order_id)
                    AS sides) AS t
             WHERE (o.filled_total <> t.total OR o.fee <> t.fee)
               -- Of an order whose last trade is in a file, nothing changes any more.
               AND NOT EXISTS (
                 SELECT FROM history_archives WHERE name = 'trading_trades' AND state = 'archived'
                    AND day_ms = o.last_trade_ms - o.last_trade_ms % ${DAY_MS})`,
  },
  {
    name: 'a final order holds nothing, and a live one is not finished',
    over: 'orders',
    query: `SELECT order_id::text AS subject, symbol FROM trading_orders
             WHERE order_id > $1 AND order_id <= $2
               AND (held <> 0 OR status IN ${LIVE_WORDS} OR remaining_volume < 0 OR filled_volume < 0)
            UNION ALL SELECT order_id::text, symbol FROM trading_live_orders
             WHERE order_id > $1 AND order_id <= $2
               AND (status NOT IN ${LIVE_WORDS} OR remaining_volume < 0 OR filled_volume < 0)`,
  },
  {
    // Where it finds one, the run puts it right and is made again: see below.
    name: 'an order is either live or final',
    over: 'orders',
    query: `SELECT l.order_id::text AS subject, l.symbol
              FROM trading_live_orders l JOIN trading_orders o USING (order_id)
             WHERE l.order_id > $1 AND l.order_id <= $2`,
  },
  {
    name: 'a client id names one order',
    over: 'orders',
    query: `SELECT o.order_id::text AS subject, o.symbol
              FROM ${STRETCH_ORDERS} AS o CROSS JOIN LATERAL ${clientOrderOf('o')} AS used
             WHERE o.client_order_id <> '' AND used.order_id <> o.order_id`,
  },
  {
    name: 'of the two exits of a list at most one has traded',
    over: 'orders',
    // The legs of a list have consecutive ids, and the exits are the last two.
    query: `SELECT o.order_id::text AS subject, o.symbol
              FROM ${STRETCH_ORDERS} AS o
              CROSS JOIN LATERAL ${ordersNamed('o.order_id + 1', 'order_list_id, filled_volume')} AS next
             WHERE o.order_list_id <> 0 AND next.order_list_id = o.order_list_id
               AND (o.order_list_kind = 'oco' OR o.order_id > o.order_list_id)
               AND o.filled_volume > 0 AND next.filled_volume > 0`,
  },
];

/**
 * Where the next run begins; after a restart it begins at the start, and so checks everything once.
 */
export interface AuditCursor {
  accounts: number;
  orders: number;
}

export const startOfAudit = (): AuditCursor => ({ accounts: 0, orders: 0 });

/**
 * One run. Advances the cursor. A worker of the release before 0100 writes live orders where only ended ones stand, which
 * looks like a fault; so before anybody hears of one, such rows are put in their place, and the run is made again.
 */
export async function auditProjections(ctx: Context, cursor: AuditCursor): Promise<Violation[]> {
  const client = await ctx.database.pool.connect();
  try {
    let run = await lookAtStretch(client, cursor);
    for (let n = 0; n < REPEATS_MAX && run.violations.length > 0; n += 1) {
      const separated = await separateLiveOrders(client, SHARD);
      // If there were none, the projector may have been faster.
      run = await lookAtStretch(client, cursor);
      if (separated === 0) break;
    }
    Object.assign(cursor, run.next);
    client.release();
    return run.violations;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** On one snapshot, so that all rules see the same state. */
async function lookAtStretch(
  client: pg.PoolClient,
  cursor: AuditCursor,
): Promise<{ readonly violations: Violation[]; readonly next: AuditCursor }> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // Before the snapshot is taken: tables swapped after it would look empty.
  const names = REBUILT_TABLES.map((table) => `ONLY ${table}`).join(', ');
  await client.query(`LOCK TABLE ${names} IN ACCESS SHARE MODE`);
  const bounds = {
    accounts: await boundsOf(client, cursor, 'accounts'),
    orders: await boundsOf(client, cursor, 'orders'),
  };
  const violations: Violation[] = [];
  for (const { name, query, over } of RULES) {
    const { rows } = await client.query<{
      subject: string;
      symbol?: string | null;
      coin?: string;
    }>(`${query} LIMIT ${TOLD_MAX}`, over === undefined ? [] : [...bounds[over]]);
    for (const { subject, symbol, coin } of rows) {
      const concerned = symbol ? { symbol } : coin === undefined ? {} : { coin };
      violations.push({ rule: name, subject, ...concerned });
    }
  }
  await client.query('COMMIT');
  // The last stretch reaches to infinity; the next run then begins at the start.
  const nextOf = (through: number) => (Number.isSafeInteger(through) ? through : 0);
  const next = { accounts: nextOf(bounds.accounts[1]), orders: nextOf(bounds.orders[1]) };
  return { violations, next };
}

const LAST_ID = 2 ** 62;

async function boundsOf(
  client: pg.ClientBase,
  cursor: AuditCursor,
  what: 'accounts' | 'orders',
): Promise<[after: number, through: number]> {
  const after = cursor[what];
  const [table, column] =
    what === 'accounts'
      ? ['balances', 'account_id']
      : [`${everyOrder('order_id')} AS o`, 'order_id'];
  const { rows } = await client.query<{ last: string }>(
    `SELECT DISTINCT ${column}::text AS last, ${column} FROM ${table} WHERE ${column} > $1
      ORDER BY ${column} OFFSET $2 LIMIT 1`,
    [after, STRETCH[what] - 1],
  );
  const last = rows[0]?.last;
  return [after, last === undefined ? LAST_ID : Number(last)];
}
