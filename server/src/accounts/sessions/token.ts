// The session token of a browser: 256 random bits, of which we store a keyed hash, and a second
// token derived from the first. An attacker who makes a browser send the cookie does not know the
// second.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../platform/secrets/secrets.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export const isToken = (text: string): boolean => TOKEN.test(text);

export const lookupOf = (secrets: Secrets, token: string): Buffer =>
  secrets.lookup('session', token);

/** The token that every request of this session which changes something has to send. */
export const csrfTokenOf = (secrets: Secrets, token: string): string =>
  secrets.lookup('session csrf', token).toString('base64url');

/** In constant time, which reveals nothing about how much of a guess was right. */
export function isSameToken(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
