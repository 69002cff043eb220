// An address that works for a minute without credentials, for programs that hand addresses to others.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import { unixSeconds } from '../../../platform/std/time.ts';

export const TOKEN_SECONDS = 60;

export interface TokenContent {
  readonly attachmentId: number;
  /** Whose right it is; asked again when the token is used. */
  readonly userId: number;
}

/** By every master key that is believed, the current one first. */
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

/** Undefined for a token that we did not make, or whose time is over. */
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
