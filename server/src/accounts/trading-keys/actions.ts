// Creates and deletes trading keys.

import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { randomHex } from '../../platform/std/ids.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { findUser } from '../users/access.ts';
import type { Permission } from './key.ts';
import { noSuchAccountOf } from './errors.ts';
import { holdFamilyMembers } from './family-store.ts';
import { deleteKey, deleteKeysOf, findAccountId, insertTradingKey, openAccount } from './store.ts';

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

/** A key that may trade from anywhere expires unless it is renewed. */
const UNBOUND_TRADE_DAYS = 90;

/**
 * Creates a key and, with a person's first one, the trading account. The secret is shown only here.
 */
export async function createTradingKey(
  ctx: Context,
  fresh: NewTradingKey,
): Promise<{ keyId: string; secret: string; accountId: bigint }> {
  const keyId = `svc_key_${randomHex(8)}`;
  const secret = `svc_secret_${randomHex(24)}`;
  const isUnboundTrade =
    fresh.permissions.includes('trade') && (fresh.ipAllowlist ?? []).length === 0;
  const accountId = await ctx.inTransaction(async (tx) => {
    const account =
      fresh.accountId === undefined
        ? await openAccount(tx, fresh.userId)
        : await holdAccountOf(tx, fresh.userId, fresh.accountId);
    await insertTradingKey(tx, {
      keyId,
      accountId: account,
      label: fresh.label ?? '',
      secretSealed: ctx.secrets.seal(secretOwner(account, keyId), secret),
      permissions: fresh.permissions,
      ipAllowlist: fresh.ipAllowlist ?? [],
      markets: fresh.markets ?? [],
      requireBoundSignature: fresh.requireBoundSignature ?? false,
      expiresAt:
        fresh.expiresAt ??
        (isUnboundTrade ? new Date(ctx.clock.now() + UNBOUND_TRADE_DAYS * DAY_MS) : null),
    });
    noteAct(tx, {
      act: 'trading_key create',
      subject: (await findUser(tx, fresh.userId))?.email ?? '',
      after: {
        keyId,
        permissions: fresh.permissions,
        ipAllowlist: fresh.ipAllowlist ?? [],
        label: fresh.label ?? '',
      },
      details: { userId: fresh.userId, accountId: account },
    });
    return account;
  });
  return { keyId, secret, accountId };
}

/** Held, so that nobody closes it while it gets a key. */
async function holdAccountOf(tx: Tx, userId: number, accountId: bigint): Promise<bigint> {
  const main = await findAccountId(tx, { userId });
  const [account] = main === undefined ? [] : await holdFamilyMembers(tx, main, [accountId]);
  if (account === undefined || account.closedAt !== null) throw noSuchAccountOf(accountId);
  return account.id;
}

/** Deletes the key for good, with its secret; the next request with it is refused. */
export async function deleteTradingKey(ctx: Context, keyId: string): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const before = await deleteKey(tx, keyId);
    if (before === undefined) return noteNothing(tx);
    const { email, ...details } = before;
    noteAct(tx, { act: 'trading_key delete', subject: email, before: { keyId, ...details } });
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
