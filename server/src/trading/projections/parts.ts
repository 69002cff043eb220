// What tables with a part for each day need with time: `history_tables` lists them. roles/upkeep.ts calls it.
import { sql } from 'kysely';
import type { Context } from '../../platform/context.ts';

/** So many days may the worker be away without rows going to the part of all others. */
const DAYS_AHEAD = 7;

/** Makes the parts of the days to come. Returns how many were made. */
export async function openHistoryParts({ db }: Pick<Context, 'db'>): Promise<number> {
  const { rows } = await sql<{
    made: number;
  }>`SELECT ensure_history_parts(${DAYS_AHEAD}) AS made`.execute(db);
  return rows[0]?.made ?? 0;
}
