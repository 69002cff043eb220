// Which entry of the directory an account belongs to.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { toUser, USER_COLUMNS, type User } from '../user.ts';

export async function findUserOfEntry(db: Db, entry: string): Promise<User | undefined> {
  const row = await db
    .selectFrom('directoryIdentities')
    .innerJoin('users', 'users.id', 'directoryIdentities.userId')
    .select(USER_COLUMNS.map((column) => `users.${column}` as const))
    .where('directoryIdentities.entry', '=', entry)
    .executeTakeFirst();
  return row === undefined ? undefined : toUser(row);
}

export interface Joinable {
  readonly user: User;
  /** The entry that the account belongs to, if it belongs to one. */
  readonly entry: string | null;
  /** Whether an administrator gave the account this address. */
  readonly isAddressGiven: boolean;
}

/** The account with an address, and what prevents linking it to an entry. */
export async function findJoinable(db: Db, email: string): Promise<Joinable | undefined> {
  const row = await db
    .selectFrom('users')
    .leftJoin('directoryIdentities', 'directoryIdentities.userId', 'users.id')
    .select(USER_COLUMNS.map((column) => `users.${column}` as const))
    .select(['directoryIdentities.entry', 'users.addressGivenAt'])
    .where(sql`lower(users.email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { entry, addressGivenAt, ...user } = row;
  return { user: toUser(user), entry, isAddressGiven: addressGivenAt !== null };
}

/** Whether it was free on both sides. */
export async function insertIdentity(tx: Db, userId: number, entry: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('directoryIdentities')
    .values({ userId, entry })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function findEntryOf(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('directoryIdentities')
    .select('entry')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.entry;
}

/** Unlinks the account, so that it may be linked to an entry by its address. */
export async function deleteIdentity(tx: Db, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('directoryIdentities')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
