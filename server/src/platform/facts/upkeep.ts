// What the notes of changed facts need with time. roles/upkeep.ts calls it.
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** Rows removed at once, so that the statement stays short. The job runs every minute. */
const FORGOTTEN_AT_ONCE = 100_000;

/** Forgets changes that are older than anything a process remembers. Returns how many went. */
export async function forgetFactChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    SELECT forget_fact_changes(${FORGOTTEN_AT_ONCE}) AS gone`.execute(db);
  return rows[0]?.gone ?? 0;
}
