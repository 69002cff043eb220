// Days of history that are in files, for operators.
import { sql } from 'kysely';
import { ORDERS_NAME } from '../../order-tables.ts';
import { TRADES_NAME } from '../../trade-tables.ts';
import type { Context } from '../../../platform/context.ts';
import { readRowsOf, type RowsOf } from './read.ts';
import { listArchives, type Days } from './store.ts';

export { readArchivedOrders, type OrdersWanted } from './orders.ts';
export { ArchiveDamaged, dayText } from './read.ts';
export { listArchives, listEveryArchive, type Archive } from './store.ts';
export { verifyArchive } from './verify.ts';

/** Archived trades of an account or a market, the oldest first, each as a JSON object. Every block is checked. */
export async function* queryArchive(ctx: Context, of: RowsOf, days: Days): AsyncGenerator<string> {
  const isAsked =
    of.accountId === undefined
      ? sql`t.symbol = ${of.symbol}`
      : sql`${of.accountId} IN (t.buyer_account_id, t.seller_account_id)`;
  for await (const some of blocksOf(ctx, TRADES_NAME, of, days)) {
    const { rows } = await sql<{ line: string }>`
      SELECT row_to_json(t)::text AS line FROM json_populate_recordset(NULL::trading_trades, ${some}::json) AS t
       WHERE ${isAsked} AND t.time_ms >= ${days.fromMs} AND t.time_ms < ${days.toMs}
       ORDER BY t.time_ms, t.trade_id`.execute(ctx.db);
    for (const { line } of rows) yield line;
  }
}

/** The same of archived orders that an account placed. */
export async function* queryArchivedOrders(
  ctx: Context,
  accountId: bigint,
  days: Days,
): AsyncGenerator<string> {
  for await (const some of blocksOf(ctx, ORDERS_NAME, { accountId }, days)) {
    const { rows } = await sql<{ line: string }>`
      SELECT row_to_json(o)::text AS line FROM json_populate_recordset(NULL::trading_orders, ${some}::json) AS o
       WHERE o.account_id = ${accountId} AND o.created_ms >= ${days.fromMs} AND o.created_ms < ${days.toMs}
       ORDER BY o.created_ms, o.order_id`.execute(ctx.db);
    for (const { line } of rows) yield line;
  }
}

async function* blocksOf(
  ctx: Context,
  name: string,
  of: RowsOf,
  days: Days,
): AsyncGenerator<string> {
  for (const archive of await listArchives(ctx.db, name, days)) {
    // An operator may read as many blocks as there are.
    yield* readRowsOf(ctx, archive, of, { ...days, sort: 'asc' }, { left: Infinity });
  }
}
