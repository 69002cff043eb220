// The secret in a link: 256 bits, in small letters and digits, so that it survives being typed, wrapped and
// put into capital letters by mail programs. It is stored as a keyed hash.
import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../platform/secrets/secrets.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const KEY_BYTES = 32;

export function createKey(): string {
  let bits = 0n;
  for (const byte of randomBytes(KEY_BYTES)) bits = (bits << 8n) | BigInt(byte);
  let key = '';
  for (let index = 0; index < 52; index += 1) {
    key += ALPHABET[Number(bits & 31n)] ?? '';
    bits >>= 5n;
  }
  return key;
}

/** What may be a key at all; everything else is not looked for. */
export const isKey = (text: string): boolean => /^[a-z2-7]{52}$/.test(text);

/** A key of a letter is no key of a link, and the other way round. */
export const lookUp = (
  { lookup }: Pick<Secrets, 'lookup'>,
  kind: 'letter' | 'link',
  key: string,
): Buffer => lookup(`invitation ${kind}`, key);

/** For whom a sealed key opens: the row that holds its hash. */
export const sealOwner = (keyLookup: Buffer): string =>
  `invitation link ${keyLookup.toString('hex')}`;
