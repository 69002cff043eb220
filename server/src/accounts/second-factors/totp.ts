// Codes by time (RFC 6238): SHA-1, six digits, a new one every thirty seconds. Pure: the caller gives the time.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { toBase32 } from './base32.ts';

export const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Clocks differ: the code before and the code after are accepted too. */
const STEPS_AROUND = [-1n, 0n, 1n] as const;

export const createTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

export const stepAt = (seconds: number): bigint => BigInt(Math.floor(seconds / STEP_SECONDS));

/** The code of one step. */
export function codeAt(secret: Buffer, step: bigint): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(step);
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = (hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/**
 * The first step after `lastStep` and around `seconds` that has this code; undefined if none has. Every candidate is
 * compared, in constant time.
 */
export function findStep(
  secret: Buffer,
  code: string,
  { seconds, lastStep }: { readonly seconds: number; readonly lastStep: bigint },
): bigint | undefined {
  const given = Buffer.from(code.padEnd(DIGITS).slice(0, DIGITS));
  if (code.length !== DIGITS || given.length !== DIGITS) return undefined;
  const now = stepAt(seconds);
  const matching = STEPS_AROUND.map((offset) => now + offset).filter((step) => {
    const isSame = timingSafeEqual(Buffer.from(codeAt(secret, step)), given);
    return isSame && step > lastStep;
  });
  return matching[0];
}

const PERSIAN_ZERO = 0x06f0;
const ARABIC_ZERO = 0x0660;

/** A typed code: spaces do not matter, and Persian or Arabic digits count like others. */
export const normalizeCode = (typed: string): string =>
  typed
    .slice(0, 40)
    .replaceAll(/[\s-]/gu, '')
    .replaceAll(/[۰-۹]/gu, (digit) => String((digit.codePointAt(0) ?? 0) - PERSIAN_ZERO))
    .replaceAll(/[٠-٩]/gu, (digit) => String((digit.codePointAt(0) ?? 0) - ARABIC_ZERO));

/** What an authenticator reads from the picture. Names are quoted, so that no colon of theirs divides the label. */
export function totpUri(
  secret: Buffer,
  { organization, email }: { readonly organization: string; readonly email: string },
): string {
  const issuer = encodeURIComponent(organization.replaceAll(':', ' '));
  const label = `${issuer}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${issuer}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}
