// What is signed, and whether a signature is right. Pure: no clock, no database.
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { isVerifiedBy } from './ed25519.ts';
import type { JsonMember } from './json.ts';
import type { KeyType } from './key.ts';

/** How many lower-case hexadecimal digits a signature has. */
export const SIGNATURE_DIGITS: Readonly<Record<KeyType, number>> = { hmac: 64, ed25519: 128 };

/** One signature has one spelling; the replay guard relies on it. */
const SPELLING = /^[0-9a-f]+$/;

/** The bytes of a signature header; undefined unless it is written as signatures of this type are. */
export function parseSignature(header: string, type: KeyType): Buffer | undefined {
  if (header.length !== SIGNATURE_DIGITS[type] || !SPELLING.test(header)) return undefined;
  return Buffer.from(header, 'hex');
}

/** What a signature is checked with. */
export interface Proof {
  readonly type: KeyType;
  /** The secret of an HMAC key, or the public key of an Ed25519 key. */
  readonly key: KeyObject;
}

/**
 * The texts that a JSON body may be signed as. Encoders differ in how they write a space and in
 * which characters they escape; every text here decodes to the same list of parameters, and to no
 * other.
 */
export function jsonTexts(members: readonly JsonMember[]): string[] {
  const join = (encode: (text: string) => string) =>
    members.map(({ name, signed }) => `${encode(name)}=${encode(signed)}`).join('&');
  const bare = join(encodeURIComponent);
  // Most bodies contain no character that encoders disagree about; one text is then enough.
  if (!/[!'()*~]|%20/.test(bare)) return [bare];
  const strict = escapeMarks(bare);
  const plus = strict.replaceAll('%20', '+');
  const plusTilde = plus.replaceAll('~', '%7E');
  return [
    ...new Set([
      // encodeURIComponent leaves ! ' ( ) * ~ bare, RFC 3986 only the tilde.
      bare,
      strict,
      // The form dialect as browsers and Java write it, as PHP does, as Python and Go do.
      plusTilde.replaceAll('%2A', '*'),
      plusTilde,
      plus,
      bare.replaceAll('%20', '+'),
    ]),
  ];
}

function escapeMarks(text: string): string {
  return text.replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Binds a text to its request: version 2 of the scheme, which covers method and path as well. */
export function boundText(method: string, path: string, text: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${method}\n${path}\n`), Buffer.from(text)]);
}

export function sign(secret: KeyObject | string, text: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

/** Whether `signature` signs one of `texts`; a secret is compared in constant time. */
export function isSignedBy(
  { type, key }: Proof,
  texts: readonly (string | Buffer)[],
  signature: Buffer,
): boolean {
  const isSigned = (text: string | Buffer) =>
    type === 'hmac'
      ? timingSafeEqual(sign(key, text), signature)
      : isVerifiedBy(key, text, signature);
  let isRight = false;
  for (const text of texts) isRight = isSigned(text) || isRight;
  return isRight;
}
