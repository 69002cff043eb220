import type { Db } from '../../platform/db/pool.ts';
import { toUser, USER_COLUMNS, type User } from '../user.ts';
import type { StoredChatKey } from './key.ts';

export async function findUserByKeyLookup(db: Db, lookup: Buffer): Promise<User | undefined> {
  const row = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('chatKeyLookup', '=', lookup)
    .executeTakeFirst();
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
