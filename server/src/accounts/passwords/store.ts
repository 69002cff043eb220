import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { toUser, USER_COLUMNS, type User } from '../user.ts';

export async function findCredentials(
  db: Db,
  email: string,
): Promise<{ user: User; passwordHash: string | null } | undefined> {
  const row = await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'passwordHash'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { passwordHash, ...user } = row;
  return { user: toUser(user), passwordHash };
}

export async function updatePasswordHash(
  tx: Db,
  userId: number,
  passwordHash: string,
): Promise<void> {
  await tx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
}

/** What the organization calls itself, if it chose. */
export async function readOrganizationName(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`
    SELECT settings->>'name' AS name FROM organization`.execute(db);
  return rows[0]?.name ?? undefined;
}
