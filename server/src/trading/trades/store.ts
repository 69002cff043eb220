import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { PLANNED_EACH_TIME } from '../../platform/db/prepared.ts';
import { tradesOf, type Stretch } from '../trade-tables.ts';
import type { TradeOnTape } from './trade.ts';

export interface TapeWanted {
  readonly symbol: string;
  readonly limit: number;
  readonly sort: 'asc' | 'desc';
  /** From this trade on, and up to that one. */
  readonly fromId: bigint;
  readonly throughId?: bigint | undefined;
}

type TapeRow = Omit<TradeOnTape, 'total'> & {
  readonly total: string;
  readonly priceDecimals: number;
  readonly volumeDecimals: number;
};

export async function listTapeWithin(
  db: Db,
  { symbol, fromId, throughId, sort, limit }: TapeWanted,
  stretch: Stretch,
): Promise<TradeOnTape[]> {
  const direction = sql.raw(sort);
  const isThrough = throughId === undefined ? sql`` : sql`AND t.trade_id <= ${throughId}`;
  const { rows } = await sql<TapeRow>`
    ${PLANNED_EACH_TIME} SELECT t.trade_id, t.total, t.taker_side, t.time_ms, t.price, t.volume, t.price_decimals, t.volume_decimals
      FROM ${tradesOf(stretch)} AS t
     WHERE t.symbol = ${symbol} AND t.time_ms >= ${stretch.fromMs} AND t.time_ms < ${stretch.toMs} AND t.trade_id >= ${fromId} ${isThrough}
     ORDER BY t.time_ms ${direction}, t.trade_id ${direction} LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({
    tradeId: row.tradeId,
    price: row.price * 10n ** BigInt(18 - row.priceDecimals),
    volume: row.volume * 10n ** BigInt(18 - row.volumeDecimals),
    total: BigInt(row.total),
    takerSide: row.takerSide,
    timeMs: row.timeMs,
  }));
}
