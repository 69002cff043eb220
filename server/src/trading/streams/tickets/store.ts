import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

export async function insertTicket(
  db: Db,
  { lookup, sessionId, livesMs }: { lookup: Buffer; sessionId: bigint; livesMs: number },
): Promise<void> {
  await sql`
    INSERT INTO stream_tickets (lookup, session_id, expires_at)
    VALUES (${lookup}, ${sessionId}, clock_timestamp() + ${livesMs} * interval '1 millisecond')`.execute(
    db,
  );
}

/** Uses it up; false if the session has no such ticket. */
export async function deleteTicket(
  db: Db,
  { lookup, sessionId }: { lookup: Buffer; sessionId: bigint },
): Promise<boolean> {
  const { rows } = await sql`
    DELETE FROM stream_tickets
     WHERE lookup = ${lookup} AND session_id = ${sessionId} AND expires_at > clock_timestamp()
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Returns how many were never used. */
export async function deleteOldTickets(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM stream_tickets WHERE expires_at < clock_timestamp()`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
