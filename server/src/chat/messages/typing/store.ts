import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** The subscribers who do not want to be told of typing. An index knows those people; they are few. */
export async function listUninterested(db: Db, channelId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u JOIN subscriptions s ON s.user_id = u.id
     WHERE u.settings -> 'receives_typing_notifications' = 'false'
       AND s.channel_id = ${channelId} AND s.is_active
     ORDER BY u.id`.execute(db);
  return rows.map(({ id }) => id);
}
