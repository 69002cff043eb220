import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/**
 * By the database's clock, which decides when it falls due; the clocks of processes may be wrong.
 */
export async function isToCome(db: Db, at: Date): Promise<boolean> {
  const { rows } = await sql<{ isToCome: boolean }>`
    SELECT ${at}::timestamptz > clock_timestamp() AS is_to_come`.execute(db);
  return rows[0]?.isToCome === true;
}
