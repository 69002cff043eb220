// The secret in a link sent by email: 256 bits, in lower-case letters and digits, so that it survives typing, line
// wrapping and upper-casing by mail programs. It is stored as a keyed hash.
import { randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const KEY_BYTES = 32;
const KEY_CHARACTERS = 52;

export function createLinkKey(): string {
  let bits = 0n;
  for (const byte of randomBytes(KEY_BYTES)) bits = (bits << 8n) | BigInt(byte);
  let key = '';
  for (let index = 0; index < KEY_CHARACTERS; index += 1) {
    key += ALPHABET[Number(bits & 31n)] ?? '';
    bits >>= 5n;
  }
  return key;
}

/** The form of a key; other texts are not looked up. */
export const isLinkKey = (text: string): boolean => /^[a-z2-7]{52}$/.test(text);
