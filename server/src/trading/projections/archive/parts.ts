// The parts of a table that are old enough to leave it.
import { ORDERS_NAME } from '../../order-tables.ts';
import type { Queryable } from '../bulk.ts';
import type { Source } from './sources.ts';
import type { Days } from './store.ts';

/** Younger days stay, whatever the setting says: memory of the markets reaches back a week. The database refuses them too. */
const KEEP_DAYS_MIN = 8;
export const keptDays = (setting: number): number => Math.max(setting, KEEP_DAYS_MIN);

export interface Part extends Days {
  readonly name: string;
  /** An order of its days has not ended, and will be written into it when it does. */
  readonly isHeld: boolean;
}

/** Parts that end at or before a time, the oldest first. That of all other rows has no end, and stays. */
export async function listOldParts(
  db: Queryable,
  { name }: Pick<Source, 'name'>,
  beforeMs: bigint,
): Promise<Part[]> {
  const { rows } = await db.query<{ name: string; first: string; past: string; held: boolean }>(
    `SELECT p.name, p.first, p.past, $3 AND has_live_orders(p.first::bigint, p.past::bigint) AS held FROM (
       SELECT c.relname AS name,
              coalesce(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''(\\d+)''\\)'), '0') AS first,
              substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''(\\d+)''\\)') AS past
         FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = $1::regclass) AS p
      WHERE p.past::bigint <= $2::bigint ORDER BY p.past::bigint`,
    [`public.${name}`, beforeMs, name === ORDERS_NAME],
  );
  return rows.map(({ first, past, held, ...part }) => ({
    name: part.name,
    fromMs: BigInt(first),
    toMs: BigInt(past),
    isHeld: held,
  }));
}
