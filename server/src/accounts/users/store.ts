import { sql, type Insertable } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Users } from '../../platform/db/schema.generated.ts';
import { isRowId } from '../../platform/std/ids.ts';
import { ROLE, type RoleCode } from '../roles.ts';
import { toUser, USER_COLUMNS, type AvatarSource, type User } from '../user.ts';

export type { User };

/** Undefined when another user has the address. */
export async function insertUser(db: Db, user: Insertable<Users>): Promise<User | undefined> {
  const row = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning(USER_COLUMNS)
    .executeTakeFirst();
  return row && toUser(row);
}

export async function findUser(db: Db, id: number): Promise<User | undefined> {
  if (!isRowId(id)) return undefined;
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

/**
 * Lets only one transaction at a time decide about names. Take it last: its holder then waits for
 * no other lock.
 */
export async function lockNames(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.names'))`.execute(tx);
}

export interface NameHolder {
  readonly id: number;
  readonly fullName: string;
  readonly role: RoleCode;
}

/** More matches than this are not needed to refuse a name. */
const ALIKE_MAX = 1000;

/** Active people and bots other than `userId` with one of these keys, highest role first. */
export async function listByNameKeys(
  db: Db,
  keys: readonly string[],
  userId: number,
): Promise<NameHolder[]> {
  const { rows } = await sql<NameHolder>`
    SELECT id, full_name, role FROM users
     WHERE name_keys && ${keys}::text[] AND id <> ${userId} AND is_active
     ORDER BY role LIMIT ${ALIKE_MAX}`.execute(db);
  return rows;
}

/** Users whose name has no keys, written by an older release. Few or none, once upkeep has run. */
export async function listUnkeyed(
  db: Db,
  atMost: number | null,
): Promise<(NameHolder & { isActive: boolean })[]> {
  const { rows } = await sql<NameHolder & { isActive: boolean }>`
    SELECT id, full_name, role, is_active FROM users WHERE name_keys IS NULL
     ORDER BY id LIMIT ${atMost}::int`.execute(db);
  return rows;
}

/** Unless the name has changed by now. */
export async function updateNameKeys(
  db: Db,
  { id, fullName }: NameHolder,
  keys: readonly string[],
): Promise<void> {
  await sql`UPDATE users SET name_keys = ${keys}::text[]
             WHERE id = ${id} AND full_name = ${fullName}`.execute(db);
}

/** Whether anybody shows their address in one of these ways. */
export async function hasVisibility(db: Db, visibilities: readonly number[]): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM users WHERE email_visibility = ANY (${[...visibilities]}::int[])
       AND bot_type IS NULL LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Everybody, active or not, by id. An organization's size bounds it. */
export async function listUsers(db: Db): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('isSystem', '=', false)
    .orderBy('id')
    .execute();
  return rows.map(toUser);
}

/** How many people are read at once; handling them takes a few milliseconds. */
const PAGE = 500;

/**
 * What `listUsers` gives, a page at a time: other requests get their turn in between. All pages are of one moment only in a
 * REPEATABLE READ transaction.
 */
export async function* listUsersInPages(db: Db): AsyncGenerator<User[], void> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('users')
      .select(USER_COLUMNS)
      .where('isSystem', '=', false)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    if (rows.length > 0) yield rows.map(toUser);
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Everybody with an id from `from` to before `to`, by id. */
export async function listUsersBetween(db: Db, from: number, to: number): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('isSystem', '=', false)
    .where('id', '>=', from)
    .where('id', '<', to)
    .orderBy('id')
    .execute();
  return rows.map(toUser);
}

/** The blocks of `size` ids in which there are people, ascending; and the person's own id with those of their bots. */
export async function findBlocksFor(
  db: Db,
  userId: number,
  size: number,
): Promise<{ readonly blocks: readonly number[]; readonly ownIds: readonly number[] }> {
  const { rows } = await sql<{ blocks: number[]; bots: number[] }>`
    SELECT ARRAY(SELECT DISTINCT id / ${size}::int AS block FROM users ORDER BY block) AS blocks,
           ARRAY(SELECT id FROM users WHERE bot_owner_id = ${userId}) AS bots`.execute(db);
  const { blocks = [], bots = [] } = rows[0] ?? {};
  return { blocks, ownIds: [userId, ...bots] };
}

/** When the first person joined, who made the organization. */
export async function findFirstJoined(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('users')
    .select('dateJoined')
    .where('isSystem', '=', false)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.dateJoined;
}

/** The bots in whose name the organization speaks, by id. */
export async function listSystemBots(db: Db): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('isSystem', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(toUser);
}

/** Those of `ids` that exist, by id. */
export async function listUsersById(db: Db, ids: readonly number[]): Promise<User[]> {
  const known = ids.filter(isRowId);
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
 * Lets only one transaction at a time change users and roles, so that "not the last owner" holds
 * for what is committed. Such changes are rare.
 */
export async function lockMembership(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.membership'))`.execute(tx);
}

/**
 * Loads a user and locks the row until the transaction ends. Nobody may change a system bot, so it
 * does not exist here.
 */
export async function lockUser(tx: Db, id: number): Promise<User | undefined> {
  if (!isRowId(id)) return undefined;
  const row = await tx
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('id', '=', id)
    .where('isSystem', '=', false)
    .forUpdate()
    .executeTakeFirst();
  return row && toUser(row);
}

/**
 * A person and all of their bots, the person first, all locked until the transaction ends. Rows are
 * locked in the order of ids, as everywhere. A bot comes alone.
 */
export async function lockWithBots(tx: Db, id: number): Promise<User[]> {
  if (!isRowId(id)) return [];
  const rows = await tx
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where((e) => e.or([e('id', '=', id), e('botOwnerId', '=', id)]))
    .where('isSystem', '=', false)
    .orderBy('id')
    .forUpdate()
    .execute();
  const users = rows.map(toUser);
  return [...users.filter((user) => user.id === id), ...users.filter((user) => user.id !== id)];
}

/**
 * Locks the row against changes until the transaction ends, while others may read and share-lock it
 * too.
 */
export async function holdUser(
  tx: Db,
  id: number,
): Promise<Pick<User, 'isActive' | 'role'> | undefined> {
  const row = await tx
    .selectFrom('users')
    .select(['isActive', 'role'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row && { isActive: row.isActive, role: row.role as User['role'] };
}

export async function updateUser(
  tx: Db,
  id: number,
  changes: {
    fullName?: string;
    nameKeys?: string[];
    role?: RoleCode;
    factorDueAt?: null;
    isActive?: boolean;
    email?: string;
    addressGivenAt?: Date | null;
    timezone?: string;
    botOwnerId?: number;
    avatarVersion?: number;
    avatarSource?: AvatarSource;
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

/** Adds a user to groups, directly. */
export async function insertMemberships(
  tx: Db,
  userId: number,
  groupIds: readonly number[],
): Promise<void> {
  await sql`
    INSERT INTO user_group_members (group_id, user_id)
    SELECT unnest(${groupIds}::int[]), ${userId} ON CONFLICT DO NOTHING`.execute(tx);
}

export async function deleteMemberships(
  tx: Db,
  userId: number,
  groupIds: readonly number[],
): Promise<void> {
  await sql`
    DELETE FROM user_group_members
     WHERE user_id = ${userId} AND group_id = ANY (${groupIds}::int[])`.execute(tx);
}

/** The groups that somebody is in directly, by id. */
export async function listDirectGroups(db: Db, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('userGroupMembers')
    .select('groupId')
    .where('userId', '=', userId)
    .orderBy('groupId')
    .execute();
  return rows.map(({ groupId }) => groupId);
}

/** Members by whether they joined before `before`, with their stored group. */
export async function listMembersByAge(
  db: Db,
  before: Date,
  fullGroupId: number,
): Promise<{ id: number; isOld: boolean; isFull: boolean; isActive: boolean }[]> {
  const { rows } = await sql<{ id: number; isOld: boolean; isFull: boolean; isActive: boolean }>`
    SELECT u.id, u.is_active, u.date_joined <= ${before} AS is_old, m.user_id IS NOT NULL AS is_full
      FROM users u
      LEFT JOIN user_group_members m ON m.user_id = u.id AND m.group_id = ${fullGroupId}
     WHERE u.role = ${sql.lit(ROLE.member)} AND NOT u.is_system AND (u.date_joined <= ${before}) <> (m.user_id IS NOT NULL)
     ORDER BY u.id`.execute(db);
  return rows;
}

/** An entry of a directory may be joined to the account by its address again. */
export async function forgetGivenAddress(tx: Db, id: number): Promise<void> {
  await tx.updateTable('users').set({ addressGivenAt: null }).where('id', '=', id).execute();
}

/** Every bot, active or not, by id. */
export async function listBots(db: Db): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('botType', 'is not', null)
    .where('isSystem', '=', false)
    .orderBy('id')
    .execute();
  return rows.map(toUser);
}

/** The bots of a person, active or not, by id. */
export async function listBotIdsOf(db: Db, ownerId: number): Promise<number[]> {
  if (!isRowId(ownerId)) return [];
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('botOwnerId', '=', ownerId)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Every active user with at least the rights of `role`, by id. */
export async function listActiveByRole(db: Db, role: RoleCode): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('role', '<=', role)
    .where('isSystem', '=', false)
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
    .where('isSystem', '=', false)
    .executeTakeFirstOrThrow();
  return { users: Number(users), owners: Number(owners) };
}
