// What the parts of the journal need with time. roles/upkeep.ts calls it.
import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';

/** Half an hour of the fastest engine; a small venue has a week's part ahead besides. */
const ROWS_AHEAD = 2_000_000;

/** Makes parts for rows to come. Returns how many were made. */
export async function openJournalParts({ db }: Pick<Context, 'db'>): Promise<number> {
  const { rows } = await sql<{
    made: number;
  }>`SELECT ensure_journal_parts(${ROWS_AHEAD}) AS made`.execute(db);
  return rows[0]?.made ?? 0;
}
