import type pg from 'pg';
import type { Db } from '../../platform/db/pool.ts';
import { toUser, type User, type UserRow } from '../user.ts';
import type { StoredChatKey } from './key.ts';

/**
 * The owner of each key, in their order. Asked by every request, hence as a statement that PostgreSQL plans
 * once per connection.
 */
export async function findUsersByKeyLookups(
  pool: pg.Pool,
  lookups: readonly Buffer[],
): Promise<(User | undefined)[]> {
  const { rows } = await pool.query<UserRow & { lookup: Buffer }>({
    name: 'users-by-chat-key',
    text: `SELECT chat_key_lookup AS lookup, id, email, full_name AS "fullName", role,
                  is_active AS "isActive", bot_type AS "botType", bot_owner_id AS "botOwnerId",
                  timezone, avatar_version AS "avatarVersion", avatar_source AS "avatarSource",
                  date_joined AS "dateJoined", settings
             FROM users WHERE chat_key_lookup = ANY ($1::bytea[])`,
    values: [lookups],
  });
  const found = new Map(rows.map(({ lookup, ...row }) => [lookup.toString('hex'), toUser(row)]));
  return lookups.map((lookup) => found.get(lookup.toString('hex')));
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
