// An address that an owner trusts with coins, and how its row is proved. Pure.
import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../../platform/secrets/secrets.ts';

/** Nothing is paid to a new entry for so long: somebody who stole a session must be seen first. */
export const USABLE_AFTER_MS = 24 * 3600 * 1000;

export interface NewEntry {
  /** The main account of the family, whose accounts share the book. */
  readonly familyId: bigint;
  readonly coin: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string;
  readonly label: string;
  readonly usableAt: Date;
  readonly createdAt: Date;
}

export interface BookEntry extends NewEntry {
  readonly id: bigint;
  readonly proof: Buffer;
}

/** A keyed hash of everything that decides whether coins may go there. */
export const proveEntry = (
  secrets: Secrets,
  { familyId, coin, network, address, memo, usableAt }: Omit<NewEntry, 'label' | 'createdAt'>,
): Buffer => {
  const text = JSON.stringify([String(familyId), coin, network, address, memo, usableAt.getTime()]);
  return secrets.lookup('withdraw address', text);
};

/** Whether the row is as we wrote it. */
export function isGenuineEntry(secrets: Secrets, entry: BookEntry): boolean {
  const expected = proveEntry(secrets, entry);
  return entry.proof.length === expected.length && timingSafeEqual(entry.proof, expected);
}
