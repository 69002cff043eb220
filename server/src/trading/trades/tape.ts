// The trades of a market, page by page. Only the days that have some are looked at.
import { findStart, walkDays, type History } from '../projections/access.ts';
import type { Stretch } from '../trade-tables.ts';
import { listTapeWithin } from './store.ts';
import type { TradeOnTape } from './trade.ts';

export interface TapeQuery {
  readonly symbol: string;
  readonly limit: number;
  readonly sort: 'asc' | 'desc';
  readonly fromId?: bigint | undefined;
  /** Up to this trade. */
  readonly throughId?: bigint | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Stops before days that are in files, and is told the times of the first of them. */
  readonly stopAtArchive?: ((day: Stretch) => void) | undefined;
}

/**
 * Trades of a market in the order of their ids, which is also the order of their times. Only the days that have some are
 * looked at.
 */
export async function listTape(history: History, query: TapeQuery): Promise<TradeOnTape[]> {
  const { db } = history;
  const { symbol, limit, sort, fromId = 0n, throughId, stopAtArchive } = query;
  const toMs = query.to === undefined ? undefined : BigInt(query.to);
  let fromMs = query.from === undefined ? undefined : BigInt(query.from);
  if (query.fromId !== undefined) {
    fromMs = await findStart(history, { symbol }, fromId, { fromMs, toMs }, async (day) => {
      const [first] = await listTapeWithin(db, { symbol, fromId: 0n, sort: 'asc', limit: 1 }, day);
      return first?.tradeId;
    });
  }
  const walk = { sort, limit, fromMs, toMs, stopAtArchive };
  return walkDays(history, { symbol }, walk, (stretch, count) =>
    listTapeWithin(db, { symbol, fromId, throughId, sort, limit: count }, stretch),
  );
}
