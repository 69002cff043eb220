// The queries with which people manage their own trading keys.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { KeyType } from './key.ts';
import type { KeyTerms } from './store.ts';

/** A key as its owner sees it. */
export interface OwnKey extends KeyTerms {
  readonly keyId: string;
  readonly accountId: bigint;
  readonly type: KeyType;
  readonly publicKey: Buffer | null;
  readonly isEnabled: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly replacedBy: string | null;
}

const COLUMNS = sql`
  k.key_id, k.account_id, k.label, k.type, k.public_key, k.permissions, k.ip_allowlist::text[] AS ip_allowlist,
  k.markets, k.require_bound_signature, k.is_enabled, k.expires_at, k.created_at, k.last_used_at, k.replaced_by`;

/** The keys of all accounts of a person, the oldest first. Limits bound the list. */
export async function listOwnKeyRows(db: Db, userId: number): Promise<OwnKey[]> {
  const { rows } = await sql<OwnKey>`
    SELECT ${COLUMNS} FROM trading_keys k JOIN trading_accounts a ON a.id = k.account_id
     WHERE a.user_id = ${userId} ORDER BY k.created_at, k.key_id`.execute(db);
  return rows;
}

/** Holds a key of this person until the end of the transaction; undefined when it is another's or nobody's. */
export async function holdOwnKey(
  tx: Db,
  userId: number,
  keyId: string,
): Promise<OwnKey | undefined> {
  const { rows } = await sql<OwnKey>`
    SELECT ${COLUMNS} FROM trading_keys k JOIN trading_accounts a ON a.id = k.account_id
     WHERE a.user_id = ${userId} AND k.key_id = ${keyId} FOR NO KEY UPDATE OF k`.execute(tx);
  return rows[0];
}

/** How many keys an account has, expired ones included. */
export async function countKeys(tx: Db, accountId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM trading_keys WHERE account_id = ${accountId}`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** Whether a key that this one replaces can still be used at this time. */
export async function hasLivePredecessor(tx: Db, keyId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM trading_keys
     WHERE replaced_by = ${keyId} AND (expires_at IS NULL OR expires_at > ${at}) LIMIT 1`.execute(
    tx,
  );
  return rows.length > 0;
}

export async function updateKey(
  tx: Db,
  keyId: string,
  { permissions, ipAllowlist, markets, ...terms }: KeyTerms & { readonly isEnabled: boolean },
): Promise<void> {
  await tx
    .updateTable('tradingKeys')
    .set({
      ...terms,
      permissions: [...permissions],
      ipAllowlist: [...ipAllowlist],
      markets: [...markets],
    })
    .where('keyId', '=', keyId)
    .execute();
}

/** The key ends at this time, and another takes its place. */
export async function replaceKey(
  tx: Db,
  keyId: string,
  { replacedBy, expiresAt }: { readonly replacedBy: string; readonly expiresAt: Date },
): Promise<void> {
  await tx
    .updateTable('tradingKeys')
    .set({ replacedBy, expiresAt })
    .where('keyId', '=', keyId)
    .execute();
}
