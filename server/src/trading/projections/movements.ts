// Looks up movements of money in the projections.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

/** Whether the projections have a movement of this cause, written `kind:reference`. */
export async function isBooked(db: Db, cause: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM trading_movements
     WHERE kind = split_part(${cause}::text, ':', 1)
       AND reference = substr(${cause}::text, strpos(${cause}::text, ':') + 1)`.execute(db);
  return rows.length > 0;
}
