// Asks the database whether what is remembered still holds, for many callers at once.
import type pg from 'pg';
import { gather } from '../std/gather.ts';
import type { Basis } from './memory.ts';

/** Bounds one statement; the rest waits for the next. */
const CHECKS_AT_ONCE = 500;

type Check = (basis: Basis) => Promise<boolean>;
const checks = new WeakMap<pg.Pool, Check>();

/** When a message wakes thousands of clients, all of them poll again at the same moment: they are checked together. */
export function stillHolds(pool: pg.Pool, basis: Basis): Promise<boolean> {
  let check = checks.get(pool);
  if (check === undefined) {
    check = gather(CHECKS_AT_ONCE, (bases: readonly Basis[]) => checkAll(pool, bases));
    checks.set(pool, check);
  }
  return check(basis);
}

/** The same question as `holds` asks inside a statement, for each of these. */
async function checkAll(pool: pg.Pool, bases: readonly Basis[]): Promise<boolean[]> {
  const numbers: number[] = [];
  const abouts: number[] = [];
  const seen: string[] = [];
  for (const [n, { about, snapshots }] of bases.entries()) {
    numbers.push(...about.map(() => n));
    abouts.push(...about);
    seen.push(...snapshots);
  }
  const { rows } = await pool.query<{ n: number }>({
    name: 'facts-that-changed',
    text: `SELECT DISTINCT p.n
             FROM unnest($1::int[], $2::int[], $3::text[]::pg_snapshot[]) AS p (n, about, seen)
             LEFT JOIN LATERAL (
               SELECT true AS is_there FROM fact_changes AS change
                WHERE change.about = p.about AND change.xid >= pg_snapshot_xmin(p.seen)
                  AND NOT pg_visible_in_snapshot(change.xid, p.seen) LIMIT 1) AS news ON true
            WHERE news.is_there OR pg_snapshot_xmin(p.seen) < (SELECT lowest.xid FROM fact_floor AS lowest)`,
    values: [numbers, abouts, seen],
  });
  const changed = new Set(rows.map(({ n }) => n));
  return bases.map((_basis, n) => !changed.has(n));
}
