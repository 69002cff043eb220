import { sql, type Insertable } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Users } from '../../platform/db/schema.generated.ts';
import type { RoleCode } from '../roles.ts';
import { toUser, USER_COLUMNS, type User } from '../user.ts';

export type { User };

export async function insertUser(db: Db, user: Insertable<Users>): Promise<User> {
  const row = await db
    .insertInto('users')
    .values(user)
    .returning(USER_COLUMNS)
    .executeTakeFirstOrThrow();
  return toUser(row);
}

/** Ids are 32 bits wide in the database; a larger number names nobody. */
export const isUserId = (id: number): boolean => Number.isInteger(id) && id > 0 && id < 2 ** 31;

export async function findUser(db: Db, id: number): Promise<User | undefined> {
  if (!isUserId(id)) return undefined;
  const row = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toUser(row);
}

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const row = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return row && toUser(row);
}

/** Everybody, active or not, by id. An organization's size bounds it. */
export async function listUsers(db: Db): Promise<User[]> {
  const rows = await db.selectFrom('users').select(USER_COLUMNS).orderBy('id').execute();
  return rows.map(toUser);
}

/** Those of `ids` that exist, by id. */
export async function listUsersById(db: Db, ids: readonly number[]): Promise<User[]> {
  const known = ids.filter(isUserId);
  if (known.length === 0) return [];
  const rows = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('id', '=', sql<number>`ANY (${known}::int[])`)
    .orderBy('id')
    .execute();
  return rows.map(toUser);
}

/**
 * Lets only one transaction at a time change who is here and in which role, so that "not the last
 * owner" stays true of what is committed. Such changes are rare.
 */
export async function lockMembership(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.membership'))`.execute(tx);
}

/** Loads a user and keeps the row from changing until the transaction ends. */
export async function lockUser(tx: Db, id: number): Promise<User | undefined> {
  if (!isUserId(id)) return undefined;
  const row = await tx
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toUser(row);
}

export async function updateUser(
  tx: Db,
  id: number,
  changes: {
    fullName?: string;
    role?: RoleCode;
    isActive?: boolean;
    timezone?: string;
    settings?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { settings, ...plain } = changes;
  await tx
    .updateTable('users')
    .set({
      ...plain,
      ...(settings && { settings: sql`${JSON.stringify(settings)}::jsonb` }),
    })
    .where('id', '=', id)
    .execute();
}

/** The active bots of a person, by id. */
export async function listActiveBotsOf(db: Db, ownerId: number): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('botOwnerId', '=', ownerId)
    .where('isActive', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(toUser);
}

export async function countActive(db: Db): Promise<{ users: number; owners: number }> {
  const { users, owners } = await db
    .selectFrom('users')
    .select((e) => [
      e.fn.countAll<bigint>().as('users'),
      // A bot may have the role, but nobody logs in as a bot to use it.
      e.fn
        .countAll<bigint>()
        .filterWhere('role', '=', 100)
        .filterWhere('botType', 'is', null)
        .as('owners'),
    ])
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow();
  return { users: Number(users), owners: Number(owners) };
}
