// What a provider says about a person, and our own checks of it beside those of the library.
import type { Provider } from './settings.ts';

export interface Claims {
  readonly subject: string;
  /** The provider's name for its session, for a logout that it announces. */
  readonly sid: string | undefined;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  readonly amr: readonly string[];
  /** All of them, for the rules. */
  readonly all: Readonly<Record<string, unknown>>;
}

const SUBJECT_CHARACTERS_MAX = 255;
const EMAIL_CHARACTERS_MAX = 254;
const OLDEST_SECONDS = 10 * 60;
export const CLOCK_TOLERANCE_SECONDS = 30;

/** The claims are not acceptable; the message is for the log. */
export class BadClaims extends Error {
  override name = 'BadClaims';
}

/** A token made too long ago, or in the future, is refused: the library looks at its end only. */
export function checkIssuedAt(iat: unknown, nowMs: number): void {
  const now = Math.floor(nowMs / 1000);
  if (typeof iat !== 'number' || !Number.isFinite(iat)) throw new BadClaims('iat is no time.');
  if (iat < now - OLDEST_SECONDS) throw new BadClaims(`iat is ${now - iat} s ago.`);
  if (iat > now + CLOCK_TOLERANCE_SECONDS) throw new BadClaims(`iat is ${iat - now} s ahead.`);
}

/** Who had to sign in at the provider again did so after we asked. */
export function checkAuthTime(authTime: unknown, askedAtMs: number): void {
  if (typeof authTime !== 'number' || !Number.isFinite(authTime)) {
    throw new BadClaims('auth_time was asked for and is missing.');
  }
  if (authTime < Math.floor(askedAtMs / 1000) - CLOCK_TOLERANCE_SECONDS) {
    throw new BadClaims('auth_time is before the request: the person did not sign in again.');
  }
}

export function parseClaims(all: Readonly<Record<string, unknown>>): Claims {
  const subject = textOf(all['sub'], SUBJECT_CHARACTERS_MAX);
  if (subject === undefined) throw new BadClaims('sub is missing or too long.');
  const amr = all['amr'];
  return {
    subject,
    sid: textOf(all['sid'], SUBJECT_CHARACTERS_MAX),
    email: textOf(all['email'], EMAIL_CHARACTERS_MAX),
    // Only the truth itself: "true" as text comes from providers that never checked.
    isEmailVerified: all['email_verified'] === true,
    name: textOf(all['name'], 200),
    amr: Array.isArray(amr) ? amr.filter((one) => typeof one === 'string') : [],
    all,
  };
}

const textOf = (value: unknown, charactersMax: number): string | undefined =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= charactersMax &&
  !value.includes('\0')
    ? value
    : undefined;

/** Whether the provider vouches for this address: it checked it, and the operator lists its domain. */
export function vouchesForAddress(
  { domains }: Pick<Provider, 'domains'>,
  { email, isEmailVerified }: Pick<Claims, 'email' | 'isEmailVerified'>,
): boolean {
  if (email === undefined || !isEmailVerified) return false;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return domains.includes(domain);
}
