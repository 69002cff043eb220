import type pg from 'pg';
import type { Db } from '../../platform/db/pool.ts';
import { toUser, type User, type UserRow } from '../user.ts';
import type { StoredChatKey } from './key.ts';

/** Asked by every request, hence as a statement that PostgreSQL plans once per connection. */
export async function findUserByKeyLookup(
  pool: pg.Pool,
  lookup: Buffer,
): Promise<User | undefined> {
  const { rows } = await pool.query<UserRow>({
    name: 'user-by-chat-key',
    text: `SELECT id, email, full_name AS "fullName", role, is_active AS "isActive",
                  bot_type AS "botType", bot_owner_id AS "botOwnerId", timezone,
                  avatar_version AS "avatarVersion", avatar_source AS "avatarSource",
                  date_joined AS "dateJoined", settings
             FROM users WHERE chat_key_lookup = $1`,
    values: [lookup],
  });
  const row = rows[0];
  return row && toUser(row);
}

export async function getStoredKey(db: Db, userId: number): Promise<StoredChatKey> {
  return db
    .selectFrom('users')
    .select(['chatKeyLookup', 'chatKeySealed'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

export async function updateKey(tx: Db, userId: number, stored: StoredChatKey): Promise<void> {
  await tx.updateTable('users').set(stored).where('id', '=', userId).execute();
}
