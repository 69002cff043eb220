// Temporary addresses: they work for a minute without credentials, for clients that pass addresses to other programs.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import { unixSeconds } from '../../../platform/std/time.ts';

export const TOKEN_SECONDS = 60;

export interface TokenContent {
  readonly attachmentId: number;
  /** The person whose rights it uses. They are checked again when the token is used. */
  readonly userId: number;
}

/** Signatures by every accepted master key, the current one first. */
const signaturesOf = (secrets: Secrets, text: string): string[] =>
  secrets
    .keys('temporary file address')
    .map((key) => createHmac('sha256', key).update(text).digest('base64url'));

/** Random-looking, bound to one file, one person and one minute. */
export function makeToken(
  secrets: Secrets,
  { attachmentId, userId }: TokenContent,
  nowMs: number,
): string {
  const until = unixSeconds(nowMs) + TOKEN_SECONDS;
  const text = [until, attachmentId, userId].map((value) => value.toString(36)).join('-');
  return `${text}-${signaturesOf(secrets, text)[0]}`;
}

/** Undefined for a token that we did not make, or that has expired. */
export function parseToken(
  secrets: Secrets,
  token: string,
  nowMs: number,
): TokenContent | undefined {
  const match = /^(([0-9a-z]{1,9})-([0-9a-z]{1,7})-([0-9a-z]{1,7}))-([\w-]{43})$/.exec(token);
  if (match === null) return undefined;
  const [, text = '', until = '', attachmentId = '', userId = '', signature = ''] = match;
  const isOurs = signaturesOf(secrets, text).some((expected) =>
    timingSafeEqual(Buffer.from(expected), Buffer.from(signature)),
  );
  if (!isOurs) return undefined;
  if (Number.parseInt(until, 36) * 1000 < nowMs) return undefined;
  return { attachmentId: Number.parseInt(attachmentId, 36), userId: Number.parseInt(userId, 36) };
}
