// Recovery codes: ten of fifty random bits. Each replaces a lost factor once. We keep their keyed hashes.
import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { toBase32 } from './base32.ts';

export const RECOVERY_CODES = 10;
const CHARACTERS = 10;
const BYTES = 7;

/** As people see them: two groups of five. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = toBase32(randomBytes(BYTES)).slice(0, CHARACTERS);
    return `${text.slice(0, 5)}-${text.slice(5)}`;
  });
}

/** A typed code, without what people add or mistake; undefined if it cannot be one. */
export function normalizeRecoveryCode(typed: string): string | undefined {
  const text = typed
    .slice(0, 40)
    .toUpperCase()
    .replaceAll(/[\s-]/gu, '')
    .replaceAll('0', 'O')
    .replaceAll('1', 'I');
  return /^[A-Z2-7]{10}$/.test(text) ? text : undefined;
}

/** Bound to its owner: the same code of another person is another. */
export const recoveryLookup = (
  { lookup }: Pick<Secrets, 'lookup'>,
  userId: number,
  code: string,
): Buffer => lookup('recovery code', `${userId} ${code}`);
