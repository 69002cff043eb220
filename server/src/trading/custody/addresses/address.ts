// To whom an address belongs, and how it is proved. Pure.
import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Chain } from '../chains/chain.ts';

export interface AddressRow {
  readonly id: bigint;
  readonly network: string;
  readonly purpose: string;
  /** Null for an address of the venue that memos tell apart. */
  readonly accountId: bigint | null;
  readonly index: number;
  readonly address: string;
  readonly memo: string;
  readonly proof: Buffer;
  readonly createdAt: Date;
}

type Claim = Pick<AddressRow, 'network' | 'purpose' | 'accountId' | 'index' | 'address' | 'memo'>;

/** A keyed hash of everything that says whose address it is. */
export const proveAddress = (secrets: Secrets, claim: Claim): Buffer => {
  const { network, purpose, accountId, index, address, memo } = claim;
  const text = JSON.stringify([network, purpose, String(accountId), index, address, memo]);
  return secrets.lookup('custody address', text);
};

/** Whether the row is as we wrote it: the key gives this address at this number, and the hash fits. */
export function isGenuine(secrets: Secrets, chain: Chain, row: AddressRow): boolean {
  if (row.memo === '' && chain.addressAt(row.index) !== row.address) return false;
  return isProved(secrets, row);
}

/** Whether the hash fits: nobody without the key wrote the row. */
export function isProved(secrets: Secrets, row: AddressRow): boolean {
  const expected = proveAddress(secrets, row);
  return row.proof.length === expected.length && timingSafeEqual(row.proof, expected);
}
