// Days of history that are in files, for operators.
import { TRADES_NAME } from '../../trade-tables.ts';
import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { readRowsOf, type RowsOf } from './read.ts';
import { listArchives, type Days } from './store.ts';

export { ArchiveDamaged, dayText } from './read.ts';
export { listArchives, type Archive } from './store.ts';
export { verifyArchive } from './verify.ts';

/** Archived trades of an account or a market, the oldest first, each as a JSON object. Every block is checked. */
export async function* queryArchive(ctx: Context, of: RowsOf, days: Days): AsyncGenerator<string> {
  for (const archive of await listArchives(ctx.db, TRADES_NAME, days)) {
    const within = { ...days, sort: 'asc' } as const;
    // An operator may read as many blocks as there are.
    for await (const some of readRowsOf(ctx, archive, of, within, { left: Infinity })) {
      const { rows } = await sql<{ line: string }>`
        SELECT row_to_json(t)::text AS line FROM json_populate_recordset(NULL::trading_trades, ${some}::json) AS t
         WHERE ${of.accountId === undefined ? sql`t.symbol = ${of.symbol}` : sql`${of.accountId} IN (t.buyer_account_id, t.seller_account_id)`}
           AND t.time_ms >= ${days.fromMs} AND t.time_ms < ${days.toMs}
         ORDER BY t.time_ms, t.trade_id`.execute(ctx.db);
      for (const { line } of rows) yield line;
    }
  }
}
