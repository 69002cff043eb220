import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { CandlesSince, Span, TradedInterval } from './candle.ts';
import { bucketOf, keptFor, shift, type KeptMinutes, type Resolution } from './resolution.ts';

interface Row {
  startMs: bigint;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
  total: string;
  tradeCount: string;
}

/** The intervals of the span that have trades, oldest first; only of stored candles that begin before `beforeMs`. */
export async function listTraded(
  db: Db,
  symbol: string,
  resolution: Resolution,
  { firstMs, lastMs }: Span,
  beforeMs = Number.POSITIVE_INFINITY,
): Promise<TradedInterval[]> {
  const endMs = Math.min(beforeMs, shift(resolution, lastMs, 1));
  const bucket = bucketOf(resolution);
  const start =
    bucket === 'month'
      ? sql`(extract(epoch FROM date_trunc('month', to_timestamp(start_ms / 1000) AT TIME ZONE 'UTC')) * 1000)::bigint`
      : sql`start_ms - (start_ms - ${bucket.anchorMs}::bigint) % ${bucket.lengthMs}::bigint`;
  const { rows } = await sql<Row>`
    SELECT bucket AS start_ms, (array_agg(open ORDER BY start_ms))[1] AS open, max(high) AS high,
           min(low) AS low, (array_agg(close ORDER BY start_ms DESC))[1] AS close, sum(volume) AS volume,
           sum(total) AS total, sum(trade_count)::text AS trade_count
      FROM (SELECT *, ${start} AS bucket FROM candles
             WHERE symbol = ${symbol} AND minutes = ${keptFor(resolution)}
               AND start_ms >= ${firstMs} AND start_ms < ${endMs}) AS kept
     GROUP BY bucket ORDER BY bucket`.execute(db);
  return rows.map(toInterval);
}

const toInterval = (row: Row): TradedInterval => ({
  startMs: Number(row.startMs),
  open: BigInt(row.open),
  high: BigInt(row.high),
  low: BigInt(row.low),
  close: BigInt(row.close),
  volume: BigInt(row.volume),
  total: BigInt(row.total),
  tradeCount: BigInt(row.tradeCount),
});

/** The close of the last trade before an interval's start. */
export async function findCloseBefore(
  db: Db,
  symbol: string,
  resolution: Resolution,
  beforeMs: number,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('candles')
    .select('close')
    .where('symbol', '=', symbol)
    .where('minutes', '=', keptFor(resolution))
    .where('startMs', '<', BigInt(beforeMs))
    .orderBy('startMs', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && BigInt(row.close);
}

/** The stored candles of a market, from a moment on which begins one. */
export async function listKept(
  db: Db,
  symbol: string,
  minutes: KeptMinutes,
  fromMs: number,
): Promise<CandlesSince> {
  const { rows } = await sql<Row>`
    SELECT start_ms, open, high, low, close, volume, total, trade_count::text AS trade_count
      FROM candles WHERE symbol = ${symbol} AND minutes = ${minutes} AND start_ms >= ${fromMs}
     ORDER BY start_ms`.execute(db);
  const before = await sql<{ close: string }>`
    SELECT close FROM candles WHERE symbol = ${symbol} AND minutes = ${minutes} AND start_ms < ${fromMs}
     ORDER BY start_ms DESC LIMIT 1`.execute(db);
  const close = before.rows[0]?.close;
  return {
    previousClose: close === undefined ? undefined : BigInt(close),
    candles: rows.map(toInterval),
  };
}
