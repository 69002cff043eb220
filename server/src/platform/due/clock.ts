import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** By the clock of the database, by which it will fall due; processes may be wrong about the time. */
export async function isToCome(db: Db, at: Date): Promise<boolean> {
  const { rows } = await sql<{ isToCome: boolean }>`
    SELECT ${at}::timestamptz > clock_timestamp() AS is_to_come`.execute(db);
  return rows[0]?.isToCome === true;
}
