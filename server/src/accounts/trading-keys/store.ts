import type { Db } from '../../platform/db/pool.ts';

export const PERMISSIONS = ['read', 'trade', 'transfer', 'withdraw'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export interface TradingAccount {
  readonly id: bigint;
  readonly userId: number;
  readonly parentAccountId: bigint | null;
  readonly feeTier: number;
  readonly isSuspended: boolean;
  readonly withdrawFreezeUntil: Date | null;
  readonly createdAt: Date;
}

/** Opens the person's account on first need; afterwards it is simply found. */
export async function openAccount(tx: Db, userId: number): Promise<bigint> {
  const opened = await tx
    .insertInto('tradingAccounts')
    .values({ userId })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ userId }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return opened.id;
}

export async function insertTradingKey(
  tx: Db,
  key: {
    keyId: string;
    accountId: bigint;
    label: string;
    secretSealed: Buffer;
    permissions: readonly Permission[];
    ipAllowlist: readonly string[];
    markets: readonly string[];
    requireBoundSignature: boolean;
    expiresAt: Date | null;
  },
): Promise<void> {
  await tx
    .insertInto('tradingKeys')
    .values({
      ...key,
      type: 'hmac',
      permissions: [...key.permissions],
      ipAllowlist: [...key.ipAllowlist],
      markets: [...key.markets],
    })
    .execute();
}
