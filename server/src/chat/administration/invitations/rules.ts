// Who may invite whom, which people a text names, and which addresses are permitted. Pure.
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import { isEmail } from '../../../accounts/email.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { isDisposable } from './disposable.ts';

/** A smaller number is a higher role. Nobody may invite to a higher role than their own. */
export const mayInviteAs = (inviter: RoleCode, invited: RoleCode): boolean => invited >= inviter;

/** The role of the new account: as invited, but never higher than the inviter's role now. */
export const roleAtUse = (inviterNow: RoleCode, invited: RoleCode): RoleCode =>
  mayInviteAs(inviterNow, invited) ? invited : inviterNow;

/** The API's text for a role that is higher than the inviter may give. */
export function roleRefusal(invited: RoleCode): string {
  if (invited === ROLE.owner) return 'Must be an organization owner';
  if (invited === ROLE.administrator) return 'Must be an organization administrator';
  return 'Insufficient permission';
}

export interface Invitee {
  readonly email: string;
  /** The name from the invitation text; empty if it had only the address. */
  readonly fullName: string;
}

const NAMED = /^(?<name>[^<>]*)<(?<email>[^<>]*)>$/;

/** Parses addresses between commas or newlines, each once, with or without a name: `Mia <mia@example.com>`. */
export function parseInvitees(text: string): Invitee[] {
  const found = new Map<string, Invitee>();
  for (const piece of text.split(/[,\r\n]/)) {
    const trimmed = piece.trim();
    if (trimmed === '') continue;
    const { name = '', email = trimmed } = NAMED.exec(trimmed)?.groups ?? {};
    const invitee = { email: email.trim(), fullName: unquote(name.trim()) };
    const key = invitee.email.toLowerCase();
    const known = found.get(key);
    if (known === undefined) found.set(key, invitee);
    else if (known.fullName === '') found.set(key, { ...known, fullName: invitee.fullName });
  }
  return [...found.values()];
}

const unquote = (name: string): string => /^"(.*)"$/.exec(name)?.[1]?.trim() ?? name;

export interface AddressPolicy {
  /** Null: any domain. */
  readonly domains: readonly AllowedDomain[] | null;
  readonly refusesDisposable: boolean;
}

export interface AllowedDomain {
  readonly name: string;
  readonly allowsSubdomains: boolean;
}

const EMAIL_CHARACTERS_MAX = 254;

/** Why the address is not permitted; undefined when it is. */
export function findAddressProblem(email: string, policy: AddressPolicy): string | undefined {
  if (!isEmail(email) || email.length > EMAIL_CHARACTERS_MAX) return 'Invalid address.';
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (policy.domains !== null) {
    // One mailbox could count as many people.
    if (email.includes('+')) return 'Email addresses containing + are not allowed.';
    return policy.domains.some((allowed) => isWithin(domain, allowed))
      ? undefined
      : 'Outside your domain.';
  }
  if (policy.refusesDisposable && isDisposable(domain))
    return 'Please use your real email address.';
  return undefined;
}

function isWithin(domain: string, { name, allowsSubdomains }: AllowedDomain): boolean {
  const allowed = name.toLowerCase();
  return domain === allowed || (allowsSubdomains && domain.endsWith(`.${allowed}`));
}

const REMINDER_BEFORE_MS = 2 * DAY_MS;
const REMINDED_FROM_MS = 4 * DAY_MS;

/** When to send the reminder; undefined if the invitation is too short for one. */
export function reminderAt(invitedMs: number, expiresMs: number | null): number | undefined {
  if (expiresMs === null || expiresMs - invitedMs < REMINDED_FROM_MS) return undefined;
  return expiresMs - REMINDER_BEFORE_MS;
}

const NEW_ACCOUNT_MS = 3 * DAY_MS;

/** Where anybody may join, new accounts are cheap, and people would create them to send emails to strangers. */
export const isTooNewToInvite = (joined: Date, nowMs: number): boolean =>
  nowMs - joined.getTime() < NEW_ACCOUNT_MS;
