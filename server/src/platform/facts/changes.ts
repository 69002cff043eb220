// Whom changes were about, for a memory that is checked against many of them at once.
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { parseDatabaseSnapshot, type DatabaseSnapshot } from '../db/snapshot.ts';

export interface FactChanges {
  /** The snapshot that this was read in. */
  readonly now: DatabaseSnapshot;
  /** Changes of transactions before this one may be forgotten. */
  readonly floor: bigint;
  readonly changes: readonly { readonly id: number; readonly xid: bigint }[];
}

/** The changes of people that `db` sees, by transactions from `from` on, at most `max` of them; none if `from` is undefined. */
export async function readChanges(
  db: Db,
  from: bigint | undefined,
  max: number,
): Promise<FactChanges> {
  const { rows } = await sql<{
    now: string;
    floor: string;
    ids: number[] | null;
    xids: string[] | null;
  }>`
    SELECT pg_current_snapshot()::text AS now, (SELECT xid::text FROM fact_floor) AS floor,
           changed.ids, changed.xids
      FROM (SELECT array_agg(about) AS ids, array_agg(xid::text) AS xids
              FROM (SELECT about, xid FROM fact_changes
                     WHERE ${from !== undefined} AND about > 0 AND xid >= ${String(from ?? 0n)}::xid8
                     LIMIT ${max}) AS newest) AS changed`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('PostgreSQL returned no row of single values.');
  const { ids, xids } = row;
  return {
    now: parseDatabaseSnapshot(row.now),
    floor: BigInt(row.floor),
    changes: (ids ?? []).map((id, n) => ({ id, xid: BigInt(xids?.[n] ?? 0) })),
  };
}
