// An operator's secret. It is always generated and never chosen, so guessing it is hopeless at any
// speed.
import { createHash } from 'node:crypto';
import { randomAlphanumeric } from '../../platform/std/ids.ts';

const PREFIX = 'svc_operator_';
/** 190 bits. */
const CHARACTERS = 32;
/** Longer texts cannot be our secrets, and are not hashed. */
export const SECRET_CHARACTERS_MAX = 200;

export const createOperatorSecret = (): string => `${PREFIX}${randomAlphanumeric(CHARACTERS)}`;

/** No vowels, hence no words; no letters that sound or look alike. */
export const CONSONANTS = 'bcdfghjkmnpqrstvwxz';
const FINGERPRINT_CHARACTERS = 8;

/**
 * What the person reads out to the approvers, so that they approve that person's secret and no
 * other. It reveals nothing about the secret: it is made from its hash.
 */
export function fingerprintOf(secretHash: string): string {
  const digest = createHash('sha256').update(secretHash).digest();
  return Array.from(
    digest.subarray(0, FINGERPRINT_CHARACTERS),
    (byte) => CONSONANTS[byte % CONSONANTS.length],
  ).join('');
}
