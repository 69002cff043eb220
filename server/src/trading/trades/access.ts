import type { TradingContext } from '../context.ts';
import { awaitProjection } from '../projections/access.ts';
import { PUBLIC_PATIENCE } from '../values.ts';
import { planPage } from './page.ts';
import { listTape, type TapeQuery } from './tape.ts';
import type { TradeOnTape } from './trade.ts';

export { listTape } from './tape.ts';

export interface TradesPage {
  readonly trades: readonly TradeOnTape[];
  /** The engine event up to which it is complete. */
  readonly completeTo: number;
}

/**
 * Trades of a market: the newest from memory, older ones from the tables. If the tables have not come to where memory
 * begins, they alone are shown.
 */
export async function readTrades(
  ctx: Pick<TradingContext, 'replica' | 'db' | 'files' | 'log' | 'database' | 'bus'>,
  query: TapeQuery,
): Promise<TradesPage> {
  const memory = await ctx.replica.present();
  // Memory goes on while the tables are read, so its part is taken first.
  const { engineSeq } = memory;
  const { newer, older } = planPage(memory.market(query.symbol), query);
  if (older === undefined) return { trades: newer, completeTo: engineSeq };
  const through = older.engineSeq;
  const reached = await awaitProjection(ctx, { through, ...PUBLIC_PATIENCE });
  if (reached < through) return { trades: await listTape(ctx, query), completeTo: reached };
  const found = await listTape(ctx, older.query);
  const trades = query.sort === 'asc' ? [...found, ...newer] : [...newer, ...found];
  return { trades: trades.slice(0, query.limit), completeTo: engineSeq };
}
