// A trading key, and the account that it acts for.

export const PERMISSIONS = ['read', 'trade', 'transfer', 'withdraw'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** How requests are signed. The stored type alone decides; nothing in a request does. */
export const KEY_TYPES = ['hmac', 'ed25519'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** A key's name tells its type, so that an unknown one can cost as much as one that exists. */
export const KEY_PREFIXES: Readonly<Record<KeyType, string>> = {
  hmac: 'svc_key_',
  ed25519: 'svc_edk_',
};

export const typeOfName = (keyId: string): KeyType =>
  keyId.startsWith(KEY_PREFIXES.ed25519) ? 'ed25519' : 'hmac';

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
  readonly type: KeyType;
  /** Of an HMAC key; the table guarantees that a key has what its type needs. */
  readonly secretSealed: Buffer | null;
  /** Of an Ed25519 key. */
  readonly publicKey: Buffer | null;
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
