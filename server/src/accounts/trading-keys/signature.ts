// What is signed, and whether a signature is right. Pure: no clock, no database.
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { JsonMember } from './json.ts';

/** One signature has one spelling; the replay guard relies on it. */
const SPELLING = /^[0-9a-f]{64}$/;

/** The 32 bytes of a signature header; undefined unless it is 64 lower-case hexadecimal digits. */
export function parseSignature(header: string): Buffer | undefined {
  return SPELLING.test(header) ? Buffer.from(header, 'hex') : undefined;
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

/** Whether `signature` signs one of `texts`, in constant time. */
export function isSignedBy(
  secret: KeyObject,
  texts: readonly (string | Buffer)[],
  signature: Buffer,
): boolean {
  let isRight = false;
  for (const text of texts) isRight = timingSafeEqual(sign(secret, text), signature) || isRight;
  return isRight;
}
