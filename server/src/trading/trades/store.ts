import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
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
}

/** Trades of a market in the order of their ids, which is also the order of their times. */
export async function listTape(db: Db, query: TapeQuery): Promise<TradeOnTape[]> {
  const { symbol, limit, sort, fromId, throughId, from, to } = query;
  let rows = db
    .selectFrom('tradingTrades')
    .select(['tradeId', 'total', 'takerSide', 'timeMs'])
    .select(['price', 'volume', 'priceDecimals', 'volumeDecimals'])
    .where('symbol', '=', symbol)
    .orderBy('timeMs', sort)
    .orderBy('tradeId', sort)
    .limit(limit);
  if (from !== undefined) rows = rows.where('timeMs', '>=', BigInt(from));
  if (to !== undefined) rows = rows.where('timeMs', '<', BigInt(to));
  if (throughId !== undefined) rows = rows.where('tradeId', '<=', throughId);
  if (fromId !== undefined) {
    // Times grow with ids over all markets, so the index by time finds the id as well.
    rows = rows
      .where('tradeId', '>=', fromId)
      .where(
        'timeMs',
        '>=',
        sql<bigint>`(SELECT time_ms FROM trading_trades WHERE trade_id >= ${fromId} ORDER BY trade_id LIMIT 1)`,
      );
  }
  return (await rows.execute()).map((row) => ({
    tradeId: row.tradeId,
    price: row.price * 10n ** BigInt(18 - row.priceDecimals),
    volume: row.volume * 10n ** BigInt(18 - row.volumeDecimals),
    total: BigInt(row.total),
    // The core knows no third side.
    takerSide: row.takerSide as 'buy' | 'sell',
    timeMs: row.timeMs,
  }));
}
