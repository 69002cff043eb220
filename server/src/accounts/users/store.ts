import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Users } from '../../platform/db/schema.generated.ts';
import type { RoleCode } from '../roles.ts';

export type BotType = 1 | 2 | 3 | 4;

/** A person or a bot. Credentials are not part of it: they stay in the stores that check them. */
export interface User {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly role: RoleCode;
  readonly isActive: boolean;
  readonly botType: BotType | null;
  readonly botOwnerId: number | null;
  readonly timezone: string;
  readonly avatarVersion: number;
  readonly dateJoined: Date;
  /** What the person changed from the defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export const USER_COLUMNS = [
  'id',
  'email',
  'fullName',
  'role',
  'isActive',
  'botType',
  'botOwnerId',
  'timezone',
  'avatarVersion',
  'dateJoined',
  'settings',
] as const;

export type UserRow = Pick<Selectable<Users>, (typeof USER_COLUMNS)[number]>;

/** The table's checks guarantee the codes of `role` and `bot_type`. */
export function toUser(row: UserRow): User {
  return {
    ...row,
    role: row.role as RoleCode,
    botType: row.botType as BotType | null,
    settings: row.settings as Record<string, unknown>,
  };
}

export async function insertUser(db: Db, user: Insertable<Users>): Promise<User> {
  const row = await db
    .insertInto('users')
    .values(user)
    .returning(USER_COLUMNS)
    .executeTakeFirstOrThrow();
  return toUser(row);
}

export async function findUser(db: Db, id: number): Promise<User | undefined> {
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

/** Loads a user and keeps the row from changing until the transaction ends. */
export async function lockUser(tx: Db, id: number): Promise<User | undefined> {
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
  changes: { fullName?: string; role?: RoleCode; isActive?: boolean },
): Promise<void> {
  await tx.updateTable('users').set(changes).where('id', '=', id).execute();
}

export async function countActiveOwners(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where('role', '=', 100)
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
}
