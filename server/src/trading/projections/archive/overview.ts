// How far the archive of each table is, for the doctor and the metrics.
import { ORDERS_NAME } from '../../order-tables.ts';
import type { Queryable } from '../bulk.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { keptDays, listOldParts } from './parts.ts';
import { SOURCES, type Source } from './sources.ts';

export interface HistoryOverview {
  readonly name: string;
  readonly archived: number;
  readonly attempts: number;
  readonly fileBytes: bigint;
  /** By how many days the oldest part that could leave the table is older than it should be. */
  readonly overdue: number;
  /** Old parts that stay because orders of their days have not ended. */
  readonly held: number;
}

export async function readHistoryOverview(
  db: Queryable,
  keepDays: number,
): Promise<HistoryOverview[]> {
  const all: HistoryOverview[] = [];
  for (const source of SOURCES) all.push(await readOverviewOf(db, source, keepDays));
  return all;
}

async function readOverviewOf(
  db: Queryable,
  source: Source,
  keepDays: number,
): Promise<HistoryOverview> {
  const { name } = source;
  const { rows } = await db.query<{ archived: number; attempts: number; bytes: string }>(
    `SELECT count(*) FILTER (WHERE state = 'archived')::integer AS archived,
            count(*) FILTER (WHERE state <> 'archived')::integer AS attempts,
            coalesce(sum(file_bytes) FILTER (WHERE state = 'archived'), 0)::text AS bytes
       FROM history_archives WHERE name = $1`,
    [name],
  );
  const { archived = 0, attempts = 0, bytes = '0' } = rows[0] ?? {};
  const known = { name, archived, attempts, fileBytes: BigInt(bytes) };
  if (keepDays === 0) return { ...known, overdue: 0, held: 0 };
  const dueMs = BigInt(Date.now() - keptDays(keepDays) * DAY_MS);
  const parts = await listOldParts(db, source, dueMs);
  const oldest = parts.find(({ isHeld }) => !isHeld);
  const overdue = oldest === undefined ? 0 : Number((dueMs - oldest.toMs) / BigInt(DAY_MS));
  return { ...known, overdue, held: parts.filter(({ isHeld }) => isHeld).length };
}

export interface HistoryExtent {
  /** Days that are in files alone. */
  readonly archived: number;
  /** The oldest day of which the table has rows, counted from 1970-01-01; undefined if there is none. */
  readonly oldestDay: number | undefined;
}

/** By the daily candles, which are written with the trades: each market by its own place in the index. The oldest days go first. */
const OLDEST_TRADED = `
  SELECT a.archived, (SELECT min(c.start_ms)
           FROM markets m CROSS JOIN LATERAL (
             SELECT start_ms FROM candles
              WHERE symbol = m.symbol AND minutes = 1440 AND start_ms > a.newest_ms
              ORDER BY start_ms LIMIT 1) AS c)::text AS oldest
    FROM (SELECT count(*)::integer AS archived, coalesce(max(day_ms), -1) AS newest_ms
            FROM history_archives WHERE name = $1 AND state = 'archived') AS a`;

/** By the list that is written with the orders. A day that a live order holds stays, however old it is. */
const OLDEST_PLACED = `
  SELECT (SELECT count(*)::integer FROM history_archives WHERE name = $1 AND state = 'archived') AS archived,
         (SELECT min(d.day_ms) FROM order_days d
           WHERE NOT EXISTS (SELECT FROM history_archives a
                              WHERE a.name = $1 AND a.day_ms = d.day_ms AND a.state = 'archived'))::text AS oldest`;

export async function readHistoryExtent(
  db: Queryable,
  { name }: Pick<Source, 'name'>,
): Promise<HistoryExtent> {
  const text = name === ORDERS_NAME ? OLDEST_PLACED : OLDEST_TRADED;
  const { rows } = await db.query<{ archived: number; oldest: string | null }>(text, [name]);
  const { archived = 0, oldest = null } = rows[0] ?? {};
  return { archived, oldestDay: oldest === null ? undefined : Number(oldest) / DAY_MS };
}
