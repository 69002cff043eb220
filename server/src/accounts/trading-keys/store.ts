import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../../platform/db/pool.ts';
import type { Permission, TradingAccount, TradingKey } from './key.ts';

/** Opens the person's main account on first need; afterwards it finds it. */
export async function openAccount(
  tx: Db,
  userId: number,
): Promise<{ readonly id: bigint; readonly isNew: boolean }> {
  return (
    tx
      .insertInto('tradingAccounts')
      .values({ userId })
      // This locks and returns an existing row. The owner must never change, so it is not in the
      // update.
      .onConflict((conflict) =>
        conflict
          .column('userId')
          .where('parentAccountId', 'is', null)
          .doUpdateSet(({ ref }) => ({ feeTier: ref('tradingAccounts.feeTier') })),
      )
      .returning(['id', sql<boolean>`xmax = 0`.as('isNew')])
      .executeTakeFirstOrThrow()
  );
}

/** The main account of a person; undefined when none was opened. */
export async function findMainAccount(db: Db, userId: number): Promise<TradingAccount | undefined> {
  return db
    .selectFrom('tradingAccounts')
    .select(['id', 'userId', 'parentAccountId', 'feeTier', 'isSuspended'])
    .select(['withdrawFreezeUntil', 'createdAt'])
    .where('userId', '=', userId)
    .where('parentAccountId', 'is', null)
    .executeTakeFirst();
}

/** What a key may do, from where, and until when. */
export interface KeyTerms {
  readonly label: string;
  readonly permissions: readonly Permission[];
  readonly ipAllowlist: readonly string[];
  /** Empty: every market. */
  readonly markets: readonly string[];
  readonly requireBoundSignature: boolean;
  readonly expiresAt: Date | null;
}

/** What its signatures are checked with. */
export type StoredProof =
  | { readonly type: 'hmac'; readonly secretSealed: Buffer }
  | { readonly type: 'ed25519'; readonly publicKey: Buffer };

export async function insertTradingKey(
  tx: Db,
  key: KeyTerms & { readonly keyId: string; readonly accountId: bigint },
  proof: StoredProof,
): Promise<void> {
  await tx
    .insertInto('tradingKeys')
    .values({ ...key, ...proof, ...toLists(key) })
    .execute();
}

const toLists = ({ permissions, ipAllowlist, markets }: KeyTerms) => ({
  permissions: [...permissions],
  ipAllowlist: [...ipAllowlist],
  markets: [...markets],
});

export interface DeletedKey {
  readonly email: string;
  readonly userId: number;
  readonly accountId: bigint;
  readonly label: string;
  readonly permissions: readonly string[];
  readonly ipAllowlist: readonly string[];
}

/** Its owner and permissions; undefined when there is none, or none of this person. */
export async function deleteKey(
  tx: Db,
  keyId: string,
  ofUserId?: number,
): Promise<DeletedKey | undefined> {
  return tx
    .deleteFrom('tradingKeys')
    .using('tradingAccounts')
    .using('users')
    .whereRef('tradingAccounts.id', '=', 'tradingKeys.accountId')
    .whereRef('users.id', '=', 'tradingAccounts.userId')
    .where('tradingKeys.keyId', '=', keyId)
    .$if(ofUserId !== undefined, (own) => own.where('users.id', '=', ofUserId ?? 0))
    .returning([
      'users.email',
      'users.id as userId',
      'tradingKeys.accountId',
      'tradingKeys.label',
      'tradingKeys.permissions',
      'tradingKeys.ipAllowlist',
    ])
    .executeTakeFirst();
}

/** Every key of a person, as `deleteKey` reports it. */
export async function deleteKeysOf(
  tx: Db,
  userId: number,
): Promise<(DeletedKey & { readonly keyId: string })[]> {
  return tx
    .deleteFrom('tradingKeys')
    .using('tradingAccounts')
    .using('users')
    .whereRef('tradingAccounts.id', '=', 'tradingKeys.accountId')
    .whereRef('users.id', '=', 'tradingAccounts.userId')
    .where('users.id', '=', userId)
    .returning([
      'users.email',
      'users.id as userId',
      'tradingKeys.keyId',
      'tradingKeys.accountId',
      'tradingKeys.label',
      'tradingKeys.permissions',
      'tradingKeys.ipAllowlist',
    ])
    .execute();
}

export interface ListedKey {
  readonly keyId: string;
  readonly label: string;
  readonly accountId: bigint;
  readonly permissions: readonly string[];
  readonly ipAllowlist: readonly string[];
  readonly isEnabled: boolean;
  /** The email address of the account's owner. */
  readonly owner: string;
  /** Enabled, not expired, and its owner is active. */
  readonly isUsable: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** The keys of a person's main account and of its sub-accounts, the oldest first, without their secrets. */
export const listKeysOf = async (db: Db, userId: number, limit: number): Promise<ListedKey[]> =>
  listKeys(db, { accountIds: await listAccountIdsOf(db, [userId]), limit });

/** Of these accounts, or of all; oldest first. */
export async function listKeys(
  db: Db,
  { accountIds, limit }: { readonly accountIds?: readonly bigint[]; readonly limit: number },
): Promise<ListedKey[]> {
  const ids = accountIds?.map(String) ?? null;
  const { rows } = await sql<ListedKey>`
    SELECT k.key_id, k.label, k.account_id, u.email AS owner, k.permissions,
           k.ip_allowlist::text[] AS ip_allowlist, k.is_enabled, k.created_at, k.expires_at, k.last_used_at,
           k.is_enabled AND u.is_active AND coalesce(k.expires_at > now(), true) AS is_usable
      FROM trading_keys k
      JOIN trading_accounts a ON a.id = k.account_id
      JOIN users u ON u.id = a.user_id
     WHERE ${ids}::bigint[] IS NULL OR k.account_id = ANY (${ids}::bigint[])
     ORDER BY k.created_at, k.key_id LIMIT ${limit}`.execute(db);
  return rows;
}

export async function findTradingKeyOwner(
  db: Db,
  keyId: string,
): Promise<{ email: string; accountId: bigint } | undefined> {
  return db
    .selectFrom('tradingKeys')
    .innerJoin('tradingAccounts', 'tradingAccounts.id', 'tradingKeys.accountId')
    .innerJoin('users', 'users.id', 'tradingAccounts.userId')
    .select(['users.email', 'tradingKeys.accountId'])
    .where('tradingKeys.keyId', '=', keyId)
    .executeTakeFirst();
}

/** The main accounts of these people, and their sub-accounts. */
export async function listAccountIdsOf(db: Db, userIds: readonly number[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM trading_accounts WHERE user_id = ANY (${userIds}::int[]) ORDER BY id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** A key as it was read. */
export interface ReadKey extends TradingKey {
  /** Another one after any change of the key, its account or its owner. */
  readonly version: string;
}

interface KeyRow extends Omit<ReadKey, 'account'>, Omit<TradingAccount, 'id'> {
  readonly accountId: bigint;
}

/**
 * Which transaction wrote each row that a key consists of. The columns that `findTradingKeys` reads must be of these
 * rows.
 */
export const KEY_VERSION = `concat_ws(' ', k.xmin, a.xmin, u.xmin)`;
export const KEY_ROWS = `trading_keys k
             JOIN trading_accounts a ON a.id = k.account_id
             JOIN users u ON u.id = a.user_id`;

export async function findTradingKeys(
  pool: pg.Pool,
  keyIds: readonly string[],
): Promise<(ReadKey | undefined)[]> {
  const { rows } = await pool.query<KeyRow>({
    name: 'find-trading-keys',
    text: `SELECT k.key_id AS "keyId", k.type, k.secret_sealed AS "secretSealed",
                  k.public_key AS "publicKey", k.permissions,
                  k.ip_allowlist::text[] AS "ipAllowlist", k.markets,
                  k.require_bound_signature AS "requireBoundSignature",
                  k.is_enabled AS "isEnabled", k.expires_at AS "expiresAt",
                  u.is_active AS "isOwnerActive",
                  a.id AS "accountId", a.user_id AS "userId",
                  a.parent_account_id AS "parentAccountId", a.fee_tier AS "feeTier",
                  a.is_suspended AS "isSuspended",
                  a.withdraw_freeze_until AS "withdrawFreezeUntil", a.created_at AS "createdAt",
                  ${KEY_VERSION} AS version
             FROM ${KEY_ROWS}
            WHERE k.key_id = ANY ($1::text[])`,
    values: [[...new Set(keyIds)]],
  });
  const found = new Map(rows.map((row) => [row.keyId, toKey(row)]));
  return keyIds.map((keyId) => found.get(keyId));
}

function toKey(row: KeyRow): ReadKey {
  const { accountId, userId, parentAccountId, feeTier, isSuspended, ...rest } = row;
  const { withdrawFreezeUntil, createdAt, ...key } = rest;
  return {
    ...key,
    account: {
      id: accountId,
      userId,
      parentAccountId,
      feeTier,
      isSuspended,
      withdrawFreezeUntil,
      createdAt,
    },
  };
}

/** A person names their main account. */
export async function findAccountId(
  db: Db,
  by: { userId: number } | { accountId: bigint },
): Promise<bigint | undefined> {
  const query = db.selectFrom('tradingAccounts').select('id');
  const row = await (
    'userId' in by
      ? query.where('userId', '=', by.userId).where('parentAccountId', 'is', null)
      : query.where('id', '=', by.accountId)
  ).executeTakeFirst();
  return row?.id;
}

export interface AccountOwner {
  readonly parentAccountId: bigint | null;
  /** What the owner calls a sub-account; empty for a main account. */
  readonly label: string;
  readonly closedAt: Date | null;
  readonly email: string;
  readonly fullName: string;
  readonly isActive: boolean;
  readonly feeTier: number;
  readonly isSuspended: boolean;
  readonly isSuspendedByOperator: boolean;
  readonly hasActiveOwners: boolean;
  readonly openedAt: Date;
}

/** An account that exists, and whose it is. */
export async function getAccountWithOwner(db: Db, id: bigint): Promise<AccountOwner> {
  return db
    .selectFrom('tradingAccounts')
    .innerJoin('users', 'users.id', 'tradingAccounts.userId')
    .select(['tradingAccounts.feeTier', 'tradingAccounts.isSuspended'])
    .select([
      'tradingAccounts.parentAccountId',
      'tradingAccounts.label',
      'tradingAccounts.closedAt',
    ])
    .select('tradingAccounts.createdAt as openedAt')
    .select(['users.email', 'users.fullName', 'users.isActive'])
    .select([
      sql<boolean>`is_suspended_by_operator(trading_accounts.id)`.as('isSuspendedByOperator'),
      sql<boolean>`has_active_owners(trading_accounts.id)`.as('hasActiveOwners'),
    ])
    .where('tradingAccounts.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The oldest secret and the newest: where the master key was changed in between, one of them shows it. */
export async function listSampleSecrets(
  client: pg.ClientBase,
): Promise<{ id: string; accountId: bigint; sealed: Buffer }[]> {
  const { rows } = await client.query<{ id: string; account: string; sealed: Buffer }>(
    `(SELECT key_id AS id, account_id::text AS account, secret_sealed AS sealed
        FROM trading_keys WHERE secret_sealed IS NOT NULL ORDER BY created_at LIMIT 1)
     UNION ALL
     (SELECT key_id, account_id::text, secret_sealed
        FROM trading_keys WHERE secret_sealed IS NOT NULL ORDER BY created_at DESC LIMIT 1)`,
  );
  return rows.map(({ id, account, sealed }) => ({ id, accountId: BigInt(account), sealed }));
}

/** Freezes withdrawals of a person's accounts, at least until then; an earlier end is moved, a later one stays. */
export async function freezeWithdrawals(tx: Db, userId: number, hours: number): Promise<void> {
  await sql`
    UPDATE trading_accounts
       SET withdraw_freeze_until = greatest(withdraw_freeze_until, now() + ${hours} * interval '1 hour')
     WHERE user_id = ${userId}`.execute(tx);
}

/** The same for everybody who owns one of these accounts. */
export async function freezeOwners(
  tx: Db,
  accountIds: readonly bigint[],
  hours: number,
): Promise<void> {
  await sql`
    UPDATE trading_accounts
       SET withdraw_freeze_until = greatest(withdraw_freeze_until, now() + ${hours} * interval '1 hour')
     WHERE user_id IN (SELECT user_id FROM trading_accounts WHERE id = ANY(${[...accountIds]}::bigint[]))`.execute(
    tx,
  );
}
