// The parts of the table of trades that are old enough to leave it.
import { TRADES_NAME } from '../../trade-tables.ts';
import type { Queryable } from '../bulk.ts';
import type { Days } from './store.ts';

/** Younger days stay, whatever the setting says: memory of the markets reaches back a week. The database refuses them too. */
const KEEP_DAYS_MIN = 8;
export const keptDays = (setting: number): number => Math.max(setting, KEEP_DAYS_MIN);

export interface Part extends Days {
  readonly name: string;
}

/** Parts that end at or before a time, the oldest first. That of all other rows has no end, and stays. */
export async function listOldParts(db: Queryable, beforeMs: bigint): Promise<Part[]> {
  const { rows } = await db.query<{ name: string; first: string; past: string }>(
    `SELECT p.name, p.first, p.past FROM (
       SELECT c.relname AS name,
              coalesce(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''(\\d+)''\\)'), '0') AS first,
              substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''(\\d+)''\\)') AS past
         FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = $1::regclass) AS p
      WHERE p.past::bigint <= $2::bigint ORDER BY p.past::bigint`,
    [`public.${TRADES_NAME}`, beforeMs],
  );
  return rows.map(({ name, first, past }) => ({
    name,
    fromMs: BigInt(first),
    toMs: BigInt(past),
  }));
}
