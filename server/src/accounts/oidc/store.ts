// Whose account an identity opens, and which logouts were obeyed.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { toUser, USER_COLUMNS, type User } from '../user.ts';

export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

export async function findUserOfIdentity(
  db: Db,
  { issuer, subject }: IdentityKey,
): Promise<User | undefined> {
  const row = await db
    .selectFrom('oidcIdentities')
    .innerJoin('users', 'users.id', 'oidcIdentities.userId')
    .select(USER_COLUMNS.map((column) => `users.${column}` as const))
    .where('oidcIdentities.issuer', '=', issuer)
    .where('oidcIdentities.subject', '=', subject)
    .executeTakeFirst();
  return row === undefined ? undefined : toUser(row);
}

/** False if the identity opens an account already, this one or another. */
export async function insertIdentity(
  tx: Db,
  { issuer, subject }: IdentityKey,
  userId: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('oidcIdentities')
    .values({ issuer, subject, userId })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function touchIdentity(db: Db, { issuer, subject }: IdentityKey): Promise<void> {
  await db
    .updateTable('oidcIdentities')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
}

export interface Identity {
  readonly issuer: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export const listIdentities = (db: Db, userId: number): Promise<Identity[]> =>
  db
    .selectFrom('oidcIdentities')
    .select(['issuer', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();

/** How many there were. */
export async function deleteIdentities(tx: Db, userId: number, issuer: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('oidcIdentities')
    .where('userId', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** False if this logout was obeyed before. */
export async function insertLogout(tx: Db, issuer: string, jti: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('oidcLogouts')
    .values({ issuer, jti })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Tokens older than this are refused for their age. */
export async function deleteOldLogouts(db: Db): Promise<number> {
  const { rows } = await sql`
    DELETE FROM oidc_logouts WHERE at < now() - interval '1 day' RETURNING 1`.execute(db);
  return rows.length;
}
