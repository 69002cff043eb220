// How far the archive is, for the doctor and the metrics.
import { TRADES_NAME } from '../../trade-tables.ts';
import type { Queryable } from '../bulk.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { keptDays, listOldParts } from './parts.ts';

export interface HistoryOverview {
  readonly archived: number;
  readonly attempts: number;
  readonly fileBytes: bigint;
  /** By how many days the oldest part in the table is older than it should be. */
  readonly overdue: number;
}

export async function readHistoryOverview(
  db: Queryable,
  keepDays: number,
): Promise<HistoryOverview> {
  const { rows } = await db.query<{ archived: number; attempts: number; bytes: string }>(
    `SELECT count(*) FILTER (WHERE state = 'archived')::integer AS archived,
            count(*) FILTER (WHERE state <> 'archived')::integer AS attempts,
            coalesce(sum(file_bytes) FILTER (WHERE state = 'archived'), 0)::text AS bytes FROM history_archives`,
  );
  const { archived = 0, attempts = 0, bytes = '0' } = rows[0] ?? {};
  const fileBytes = BigInt(bytes);
  if (keepDays === 0) return { archived, attempts, fileBytes, overdue: 0 };
  const dueMs = BigInt(Date.now() - keptDays(keepDays) * DAY_MS);
  const [oldest] = await listOldParts(db, dueMs);
  const overdue = oldest === undefined ? 0 : Number((dueMs - oldest.toMs) / BigInt(DAY_MS));
  return { archived, attempts, fileBytes, overdue };
}

export interface HistoryExtent {
  /** Days of trades that are in files alone. */
  readonly archived: number;
  /** The oldest day of trades that is in the table, counted from 1970-01-01; undefined if there is none. */
  readonly oldestDay: number | undefined;
}

/** By the daily candles, which are written with the trades: each market by its own place in the index. The oldest days go first. */
export async function readHistoryExtent(db: Queryable): Promise<HistoryExtent> {
  const { rows } = await db.query<{ archived: number; oldest: string | null }>(
    `SELECT a.archived, (SELECT min(c.start_ms)
              FROM markets m CROSS JOIN LATERAL (
                SELECT start_ms FROM candles
                 WHERE symbol = m.symbol AND minutes = 1440 AND start_ms > a.newest_ms
                 ORDER BY start_ms LIMIT 1) AS c)::text AS oldest
       FROM (SELECT count(*)::integer AS archived, coalesce(max(day_ms), -1) AS newest_ms
               FROM history_archives WHERE name = $1 AND state = 'archived') AS a`,
    [TRADES_NAME],
  );
  const { archived = 0, oldest = null } = rows[0] ?? {};
  return { archived, oldestDay: oldest === null ? undefined : Number(oldest) / DAY_MS };
}
