import type { TradingContext } from '../context.ts';
import { awaitProjection } from '../projections/access.ts';
import { PUBLIC_PATIENCE } from '../values.ts';
import type { Span, TradedInterval } from './candle.ts';
import { joinParts, planCandles } from './page.ts';
import { keptFor, type Resolution } from './resolution.ts';
import { findCloseBefore, listTraded } from './store.ts';

export { findCloseBefore, listKept, listTraded } from './store.ts';

export interface CandlesPage {
  /** Intervals with trades, oldest first. */
  readonly traded: readonly TradedInterval[];
  /** The last price before them; undefined when there was none. */
  readonly previousClose: bigint | undefined;
  /** The engine event up to which it is complete. */
  readonly completeTo: number;
}

/**
 * The intervals of a span: the newest from memory, older ones from the tables. If the tables have not come to where
 * memory begins, they alone are shown.
 */
export async function readCandles(
  ctx: Pick<TradingContext, 'replica' | 'db' | 'database' | 'bus'>,
  symbol: string,
  resolution: Resolution,
  span: Span,
): Promise<CandlesPage> {
  const memory = await ctx.replica.present();
  // Memory goes on while the tables are read, so its part is taken first.
  const { engineSeq } = memory;
  const kept = memory.market(symbol).candles[keptFor(resolution)];
  const { newer, previousClose, older } = planCandles(kept, resolution, span);
  if (older === undefined) return { traded: newer, previousClose, completeTo: engineSeq };
  const through = older.engineSeq;
  const reached = await awaitProjection(ctx, { through, ...PUBLIC_PATIENCE });
  const isJoined = reached >= through;
  const [found, close] = await Promise.all([
    listTraded(ctx.db, symbol, resolution, span, isJoined ? older.beforeMs : undefined),
    findCloseBefore(ctx.db, symbol, resolution, span.firstMs),
  ]);
  return isJoined
    ? { traded: joinParts(found, newer), previousClose: close, completeTo: engineSeq }
    : { traded: found, previousClose: close, completeTo: reached };
}
