// The queries about families: main accounts and their sub-accounts.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export interface FamilyMember {
  readonly id: bigint;
  readonly parentAccountId: bigint | null;
  readonly label: string;
  readonly feeTier: number;
  readonly isSuspended: boolean;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

const COLUMNS = [
  'id',
  'parentAccountId',
  'label',
  'feeTier',
  'isSuspended',
  'createdAt',
  'closedAt',
] as const;

/**
 * Holds an account until the end of the transaction: a main account, so that its sub-accounts are
 * opened one after the other; a sub-account, so that no transfer begins while it is closed. The
 * owner first: everybody takes people before accounts.
 */
export async function lockAccount(tx: Db, accountId: bigint, userId: number): Promise<void> {
  await sql`SELECT FROM users WHERE id = ${userId} FOR SHARE`.execute(tx);
  await sql`SELECT FROM trading_accounts WHERE id = ${accountId} FOR NO KEY UPDATE`.execute(tx);
}

export async function insertSubAccount(
  tx: Db,
  { parentAccountId, userId, label }: { parentAccountId: bigint; userId: number; label: string },
): Promise<FamilyMember> {
  return (
    tx
      .insertInto('tradingAccounts')
      // Its command follows by a trigger; the table says so at once.
      .values({ userId, parentAccountId, label, feeTier: sql`family_tier(${parentAccountId})` })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
  );
}

/** An account as it is now, held: neither a freeze nor its closing comes before the end of the transaction. */
export async function holdAccount(
  tx: Db,
  accountId: bigint,
): Promise<
  | {
      readonly userId: number;
      readonly isSuspended: boolean;
      readonly withdrawFreezeUntil: Date | null;
      readonly closedAt: Date | null;
    }
  | undefined
> {
  return tx
    .selectFrom('tradingAccounts')
    .select(['userId', 'isSuspended', 'withdrawFreezeUntil', 'closedAt'])
    .where('id', '=', accountId)
    .forShare()
    .executeTakeFirst();
}

/** How many sub-accounts the family has: open ones, and all that it ever had. */
export async function countSubAccounts(
  db: Db,
  familyId: bigint,
): Promise<{ open: number; all: number }> {
  const { rows } = await sql<{ open: number; all: number }>`
    SELECT count(*) FILTER (WHERE closed_at IS NULL)::int AS open, count(*)::int AS all
      FROM trading_accounts WHERE parent_account_id = ${familyId}`.execute(db);
  return rows[0] ?? { open: 0, all: 0 };
}

/** The sub-accounts of a main account, the oldest first. */
export async function listSubAccounts(
  db: Db,
  familyId: bigint,
  { withClosed, limit }: { withClosed: boolean; limit: number },
): Promise<FamilyMember[]> {
  let query = db
    .selectFrom('tradingAccounts')
    .select(COLUMNS)
    .where('parentAccountId', '=', familyId);
  if (!withClosed) query = query.where('closedAt', 'is', null);
  return query.orderBy('id').limit(limit).execute();
}

/** Any account of the family, closed ones included; undefined when it is another's or nobody's. */
export async function findFamilyMember(
  db: Db,
  familyId: bigint,
  accountId: bigint,
): Promise<FamilyMember | undefined> {
  return db
    .selectFrom('tradingAccounts')
    .select(COLUMNS)
    .where('familyId', '=', familyId)
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** The open sub-account with this label, in any letter case. */
export async function findSubAccountByLabel(
  db: Db,
  familyId: bigint,
  label: string,
): Promise<FamilyMember | undefined> {
  return db
    .selectFrom('tradingAccounts')
    .select(COLUMNS)
    .where('parentAccountId', '=', familyId)
    .where('closedAt', 'is', null)
    .where(sql<string>`lower(label)`, '=', sql<string>`lower(${label})`)
    .executeTakeFirst();
}

/** The main account of the family that an account belongs to, and its owner. */
export async function findFamily(
  db: Db,
  accountId: bigint,
): Promise<{ id: bigint; userId: number } | undefined> {
  return db
    .selectFrom('tradingAccounts')
    .select(['familyId as id', 'userId'])
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** All accounts of a family, closed ones included, the main account first; limits bound the list. */
export async function listFamily(db: Db, familyId: bigint): Promise<FamilyMember[]> {
  return db
    .selectFrom('tradingAccounts')
    .select(COLUMNS)
    .where((is) => is.or([is('id', '=', familyId), is('parentAccountId', '=', familyId)]))
    .orderBy('id')
    .execute();
}

/** Keeps these accounts of one family from being closed until the end of the transaction. */
export async function holdFamilyMembers(
  tx: Db,
  familyId: bigint,
  ids: readonly bigint[],
): Promise<FamilyMember[]> {
  return tx
    .selectFrom('tradingAccounts')
    .select(COLUMNS)
    .where('familyId', '=', familyId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forShare()
    .execute();
}

export async function updateLabel(tx: Db, accountId: bigint, label: string): Promise<void> {
  await tx.updateTable('tradingAccounts').set({ label }).where('id', '=', accountId).execute();
}

/** Marks it closed, takes its keys away, and has the engine refuse whatever is still under way. */
export async function closeAccount(tx: Db, accountId: bigint, at: Date): Promise<void> {
  await tx
    .updateTable('tradingAccounts')
    .set({ closedAt: at })
    .where('id', '=', accountId)
    .execute();
  await tx.deleteFrom('tradingKeys').where('accountId', '=', accountId).execute();
  await sql`SELECT suspend_with_owner(${accountId}, 'closed')`.execute(tx);
}
