import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { HOUR_MS } from '../../platform/std/time.ts';
import type { DayStatistics } from './ticker.ts';

interface Row {
  symbol: string;
  open: string | null;
  high: string | null;
  low: string | null;
  last: string | null;
  previousClose: string | null;
  volume: string;
  total: string;
  tradeCount: string;
}

/**
 * The trades from a moment, which begins a minute, until now: minutes up to the next full hour,
 * then hours, so that a market costs some eighty rows and not 1,440.
 */
export async function listStatistics(
  db: Db,
  openMs: number,
): Promise<ReadonlyMap<string, DayStatistics>> {
  const hourMs = Math.ceil(openMs / HOUR_MS) * HOUR_MS;
  const { rows } = await sql<Row>`
    SELECT m.symbol, day.open, day.high, day.low, coalesce(day.last, before.close) AS last,
           before.close AS previous_close, coalesce(day.volume, 0) AS volume,
           coalesce(day.total, 0) AS total, coalesce(day.trade_count, 0)::text AS trade_count
      FROM markets m
      CROSS JOIN LATERAL (
        SELECT (array_agg(open ORDER BY start_ms))[1] AS open, max(high) AS high, min(low) AS low,
               (array_agg(close ORDER BY start_ms DESC))[1] AS last, sum(volume) AS volume,
               sum(total) AS total, sum(trade_count) AS trade_count
          FROM (SELECT * FROM candles c WHERE c.symbol = m.symbol AND c.minutes = 1
                   AND c.start_ms >= ${openMs} AND c.start_ms < ${hourMs}
                UNION ALL
                SELECT * FROM candles c WHERE c.symbol = m.symbol AND c.minutes = 60
                   AND c.start_ms >= ${hourMs}) AS kept) AS day
      LEFT JOIN LATERAL (
        SELECT close FROM candles c WHERE c.symbol = m.symbol AND c.minutes = 1 AND c.start_ms < ${openMs}
         ORDER BY c.start_ms DESC LIMIT 1) AS before ON true
     WHERE m.phase <> 'delisted'`.execute(db);
  const units = (text: string | null) => (text === null ? undefined : BigInt(text));
  return new Map(
    rows.map((row) => [
      row.symbol,
      {
        open: units(row.open),
        high: units(row.high),
        low: units(row.low),
        last: units(row.last),
        previousClose: units(row.previousClose),
        volume: BigInt(row.volume),
        total: BigInt(row.total),
        tradeCount: BigInt(row.tradeCount),
      },
    ]),
  );
}

/** The last price of each hour with a trade, by market, oldest first. */
export async function listHourlyCloses(
  db: Db,
  sinceMs: number,
): Promise<ReadonlyMap<string, readonly bigint[]>> {
  const { rows } = await sql<{ symbol: string; closes: string[] }>`
    SELECT m.symbol, hours.closes
      FROM markets m
      CROSS JOIN LATERAL (
        SELECT array_agg(c.close::text ORDER BY c.start_ms) AS closes FROM candles c
         WHERE c.symbol = m.symbol AND c.minutes = 60 AND c.start_ms >= ${sinceMs}) AS hours
     WHERE m.phase <> 'delisted' AND hours.closes IS NOT NULL`.execute(db);
  return new Map(rows.map(({ symbol, closes }) => [symbol, closes.map(BigInt)]));
}
