// A trading key, and the account that it acts for.

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

export interface TradingKey {
  readonly keyId: string;
  readonly secretSealed: Buffer;
  readonly permissions: readonly Permission[];
  readonly ipAllowlist: readonly string[];
  /** Empty: every market. */
  readonly markets: readonly string[];
  readonly requireBoundSignature: boolean;
  readonly isEnabled: boolean;
  /** False when the owner of the account, or of its parent account, was deactivated. */
  readonly isOwnerActive: boolean;
  readonly expiresAt: Date | null;
  readonly account: TradingAccount;
}

/** The main account of the family that an account belongs to. */
export const familyOf = ({
  id,
  parentAccountId,
}: Pick<TradingAccount, 'id' | 'parentAccountId'>): bigint => parentAccountId ?? id;
