// Finds the subscribers who get typing notifications.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** Subscribers who have turned typing notifications off. They are few, and an index lists them. */
export async function listUninterested(db: Db, channelId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u JOIN subscriptions s ON s.user_id = u.id
     WHERE u.settings -> 'receives_typing_notifications' = 'false'
       AND s.channel_id = ${channelId} AND s.is_active
     ORDER BY u.id`.execute(db);
  return rows.map(({ id }) => id);
}
