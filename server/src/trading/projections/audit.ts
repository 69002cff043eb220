// Checks the rules of the projections. Each run does a bounded piece of work: sums over all
// balances, which are few, and the accounts and orders of one stretch, from where the last run
// ended. A violation is an alarm, see audit/alarm.ts.
import type pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import type { Violation } from '../audit/violation.ts';
import { lastLineOf } from './ledger/lines.ts';
import { dayOfOrder, everyOrder, idsOfClientId } from '../order-tables.ts';
import { separateLiveOrders } from './store.ts';
import { REBUILT_TABLES } from './tables.ts';

interface Rule {
  readonly name: string;
  /**
   * Returns rows of `subject` and `symbol` or `coin`. `$1` and `$2` bound the ids of the stretch, where there is one, and
   * `$3` and `$4` the times of its orders, so that only the parts of their days are opened.
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

const WITHIN = 'order_id > $1 AND order_id <= $2 AND created_ms >= $3 AND created_ms < $4';
/** The orders of the stretch. */
const STRETCH_ORDERS = everyOrder(
  'order_id, account_id, client_order_id, symbol, filled_total, filled_volume, fee, order_list_id, order_list_kind, created_ms, updated_ms, last_trade_ms',
  WITHIN,
);
const NEXT_LEG =
  'order_id = o.order_id + 1 AND created_ms = o.created_ms AND created_ms >= $3 AND created_ms < $4';
const ONE_ORDER = 'a client id names one order';
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
             WHERE ${WITHIN}
               AND (held <> 0 OR status IN ${LIVE_WORDS} OR remaining_volume < 0 OR filled_volume < 0)
            UNION ALL SELECT order_id::text, symbol FROM trading_live_orders
             WHERE ${WITHIN}
               AND (status NOT IN ${LIVE_WORDS} OR remaining_volume < 0 OR filled_volume < 0)`,
  },
  {
    // Where it finds one, the run puts it right and is made again: see below.
    name: 'an order is either live or final',
    over: 'orders',
    query: `SELECT l.order_id::text AS subject, l.symbol
              FROM (SELECT * FROM trading_live_orders WHERE ${WITHIN}) AS l
              JOIN (SELECT * FROM trading_orders WHERE ${WITHIN}) AS o USING (order_id)`,
  },
  {
    name: ONE_ORDER,
    over: 'orders',
    query: `SELECT o.order_id::text AS subject, o.symbol FROM ${STRETCH_ORDERS} AS o
             WHERE o.client_order_id <> ''
               AND NOT EXISTS (SELECT FROM ${idsOfClientId('o')} AS used WHERE used.order_id = o.order_id)`,
  },
  {
    name: 'of the two exits of a list at most one has traded',
    over: 'orders',
    // The legs of a list have consecutive ids and one time, and the exits are the last two.
    query: `SELECT o.order_id::text AS subject, o.symbol
              FROM ${STRETCH_ORDERS} AS o
              CROSS JOIN LATERAL ${everyOrder('order_list_id, filled_volume', NEXT_LEG)} AS next
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
    accounts: await boundsOfAccounts(client, cursor.accounts),
    orders: await boundsOfOrders(client, cursor.orders),
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
  violations.push(...(await findUsedTwice(client, bounds.orders)));
  await client.query('COMMIT');
  // The last stretch reaches to infinity; the next run then begins at the start.
  const nextOf = (through: number) => (Number.isSafeInteger(through) ? through : 0);
  const next = { accounts: nextOf(bounds.accounts[1]), orders: nextOf(bounds.orders[1]) };
  return { violations, next };
}

const LAST_ID = 2 ** 62;

async function boundsOfAccounts(
  client: pg.ClientBase,
  after: number,
): Promise<[after: number, through: number]> {
  const { rows } = await client.query<{ last: string }>(
    `SELECT DISTINCT account_id::text AS last, account_id FROM balances WHERE account_id > $1
      ORDER BY account_id OFFSET $2 LIMIT 1`,
    [after, STRETCH.accounts - 1],
  );
  const last = rows[0]?.last;
  return [after, last === undefined ? LAST_ID : Number(last)];
}

type OrdersOfRun = [after: number, through: number, fromMs: string, toMs: string];

/** Ids are given one by one, so some thousand of them are as many orders at most; and they tell the times. */
async function boundsOfOrders(client: pg.ClientBase, after: number): Promise<OrdersOfRun> {
  const { rows } = await client.query<{ is_last: boolean; first: string; past: string }>(
    `SELECT $2 >= last_order_id AS is_last, coalesce(${dayOfOrder('$1 + 1')}, 0)::text AS first,
            (coalesce(${dayOfOrder(`CASE WHEN $2 >= last_order_id THEN ${LAST_ID} ELSE $2 END`)}, 0) + ${DAY_MS})::text AS past
       FROM (SELECT $1::bigint, $2::bigint, last_order_id FROM projection_checkpoints WHERE shard = $3) AS p`,
    [after, after + STRETCH.orders, SHARD],
  );
  const { is_last: isLast = true, first = '0', past = '0' } = rows[0] ?? {};
  return [after, isLast ? LAST_ID : after + STRETCH.orders, first, past];
}

/**
 * Orders with a client id that another order has too. Two ids may have the same number, so the others are looked at. Those of
 * archived days are not: the comparison of a rebuild reads files.
 */
async function findUsedTwice(client: pg.ClientBase, bounds: OrdersOfRun): Promise<Violation[]> {
  const { rows } = await client.query<
    Record<'subject' | 'symbol' | 'named' | 'other' | 'day', string>
  >(
    `SELECT o.order_id::text AS subject, o.symbol, o.account_id || ' ' || o.client_order_id AS named,
            used.order_id::text AS other, ${dayOfOrder('used.order_id')}::text AS day
       FROM ${STRETCH_ORDERS} AS o CROSS JOIN LATERAL ${idsOfClientId('o')} AS used
      WHERE o.client_order_id <> '' AND used.order_id <> o.order_id LIMIT ${TOLD_MAX}`,
    bounds,
  );
  const violations: Violation[] = [];
  for (const { subject, symbol, named, other, day } of rows) {
    const { rows: found } = await client.query<{ named: string }>(
      `SELECT account_id || ' ' || client_order_id AS named
         FROM ${everyOrder('*', `order_id = $1 AND created_ms >= $2 AND created_ms < $2::bigint + ${DAY_MS}`)} AS o`,
      [other, day],
    );
    if (found[0]?.named === named) violations.push({ rule: ONE_ORDER, subject, symbol });
  }
  return violations;
}
