// Creates and deletes trading keys.

import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { randomHex } from '../../platform/std/ids.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { findUser } from '../users/access.ts';
import { ROLE } from '../roles.ts';
import type { User } from '../user.ts';
import { KEY_PREFIXES, type Permission, type TradingAccount } from './key.ts';
import { noSuchAccountOf } from './errors.ts';
import { accountOpened } from './events.ts';
import { holdFamilyMembers } from './family-store.ts';
import {
  deleteKey,
  deleteKeysOf,
  findAccountId,
  findMainAccount,
  insertTradingKey,
  openAccount,
  type StoredProof,
} from './store.ts';
import { isUnboundTrade, UNBOUND_TRADE_DAYS } from './terms.ts';

export interface NewTradingKey {
  userId: number;
  /** An open account of the person's family; their main account when absent. */
  accountId?: bigint;
  permissions: readonly Permission[];
  label?: string;
  ipAllowlist?: readonly string[];
  markets?: readonly string[];
  requireBoundSignature?: boolean;
  expiresAt?: Date;
}

/**
 * Creates a key and, with a person's first one, the trading account. The secret is shown only here.
 */
export async function createTradingKey(
  ctx: Context,
  fresh: NewTradingKey,
): Promise<{ keyId: string; secret: string; accountId: bigint }> {
  const terms = {
    label: fresh.label ?? '',
    permissions: fresh.permissions,
    ipAllowlist: fresh.ipAllowlist ?? [],
    markets: fresh.markets ?? [],
    requireBoundSignature: fresh.requireBoundSignature ?? false,
  };
  const latest = isUnboundTrade(terms)
    ? new Date(ctx.clock.now() + UNBOUND_TRADE_DAYS * DAY_MS)
    : null;
  const { keyId, secret, accountId } = await ctx.inTransaction(async (tx) => {
    const account = await holdAccountFor(tx, fresh.userId, fresh.accountId);
    const made = makeHmacKey(ctx, account);
    const key = { ...terms, keyId: made.keyId, accountId: account };
    const expiresAt = fresh.expiresAt ?? latest;
    await insertTradingKey(tx, { ...key, expiresAt }, made.proof);
    noteAct(tx, {
      act: 'trading_key create',
      subject: (await findUser(tx, fresh.userId))?.email ?? '',
      after: {
        keyId: made.keyId,
        permissions: terms.permissions,
        ipAllowlist: terms.ipAllowlist,
        label: terms.label,
      },
      details: { userId: fresh.userId, accountId: account },
    });
    return { ...made, accountId: account };
  });
  return { keyId, secret, accountId };
}

/** A new name and secret. The secret is stored only sealed. */
export function makeHmacKey(
  { secrets }: Pick<Context, 'secrets'>,
  accountId: bigint,
): { keyId: string; secret: string; proof: StoredProof } {
  const keyId = `${KEY_PREFIXES.hmac}${randomHex(8)}`;
  const secret = `svc_secret_${randomHex(24)}`;
  const secretSealed = secrets.seal(secretOwner(accountId, keyId), secret);
  return { keyId, secret, proof: { type: 'hmac', secretSealed } };
}

/** The account that gets a key: one of the person's family, or their main account, which is opened on first need. */
export const holdAccountFor = (
  tx: Tx,
  userId: number,
  accountId: bigint | undefined,
): Promise<bigint> =>
  accountId === undefined ? openMainAccount(tx, userId) : holdAccountOf(tx, userId, accountId);

async function openMainAccount(tx: Tx, userId: number): Promise<bigint> {
  const { id, isNew } = await openAccount(tx, userId);
  if (isNew) announceAccount(tx, userId, id);
  return id;
}

/** Tells the nodes whose account it is. */
export const announceAccount = (tx: Tx, userId: number, accountId: bigint): void =>
  tx.emit(accountOpened(userId, accountId), { users: [] });

/** The main account of a person who signed in. Their first use of the venue opens it; guests get none that way. */
export async function accessMainAccount(
  ctx: Context,
  { id, role }: Pick<User, 'id' | 'role'>,
): Promise<TradingAccount | undefined> {
  const account = await findMainAccount(ctx.db, id);
  if (account !== undefined || role === ROLE.guest) return account;
  await ctx.inTransaction((tx) => openMainAccount(tx, id));
  return findMainAccount(ctx.db, id);
}

/** Held, so that nobody closes it while it gets a key. */
async function holdAccountOf(tx: Tx, userId: number, accountId: bigint): Promise<bigint> {
  const main = await findAccountId(tx, { userId });
  const [account] = main === undefined ? [] : await holdFamilyMembers(tx, main, [accountId]);
  if (account === undefined || account.closedAt !== null) throw noSuchAccountOf(accountId);
  return account.id;
}

/**
 * Deletes the key for good, with its secret; the next request with it is refused. Whether there was one, and of this
 * person if one is named.
 */
export async function deleteTradingKey(
  ctx: Context,
  keyId: string,
  ofUserId?: number,
): Promise<boolean> {
  return ctx.inTransaction(async (tx) => {
    const before = await deleteKey(tx, keyId, ofUserId);
    if (before === undefined) {
      noteNothing(tx);
      return false;
    }
    const { email, ...details } = before;
    noteAct(tx, { act: 'trading_key delete', subject: email, before: { keyId, ...details } });
    return true;
  });
}

/** Deletes all keys of a person's main account and sub-accounts. The next request with one of them is refused. */
export async function deleteTradingKeysIn(tx: Tx, userId: number): Promise<void> {
  for (const { email, keyId, ...details } of await deleteKeysOf(tx, userId)) {
    noteAct(tx, { act: 'trading_key delete', subject: email, before: { keyId, ...details } });
  }
}

/**
 * The context that a trading secret is encrypted for: a row copied to another account or key does
 * not decrypt.
 */
export const secretOwner = (accountId: bigint, keyId: string): string =>
  `trading key ${accountId} ${keyId}`;
