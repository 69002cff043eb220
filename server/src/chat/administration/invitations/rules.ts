// Who may invite whom, whom a text names, and which addresses are let in. Pure.
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import { isEmail } from '../../../accounts/email.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { isDisposable } from './disposable.ts';

/** A role is a number, and a smaller one may do more: nobody invites to more than they are. */
export const mayInviteAs = (inviter: RoleCode, invited: RoleCode): boolean => invited >= inviter;

/** What somebody becomes: as invited, but never more than the inviter is by now. */
export const roleAtUse = (inviterNow: RoleCode, invited: RoleCode): RoleCode =>
  mayInviteAs(inviterNow, invited) ? invited : inviterNow;

/** Why `invited` is more than the inviter may give, in the words of the API. */
export function roleRefusal(invited: RoleCode): string {
  if (invited === ROLE.owner) return 'Must be an organization owner';
  if (invited === ROLE.administrator) return 'Must be an organization administrator';
  return 'Insufficient permission';
}

export interface Invitee {
  readonly email: string;
  /** What the inviter calls the person; empty when only the address was given. */
  readonly fullName: string;
}

const NAMED = /^(?<name>[^<>]*)<(?<email>[^<>]*)>$/;

/** Addresses between commas or newlines, each once, with or without a name: `Mia <mia@example.com>`. */
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
  /** Only addresses of these domains; null: any. */
  readonly domains: readonly AllowedDomain[] | null;
  readonly refusesDisposable: boolean;
}

export interface AllowedDomain {
  readonly name: string;
  readonly allowsSubdomains: boolean;
}

const EMAIL_CHARACTERS_MAX = 254;

/** Why the address is not let in; undefined when it is. */
export function findAddressProblem(email: string, policy: AddressPolicy): string | undefined {
  if (!isEmail(email) || email.length > EMAIL_CHARACTERS_MAX) return 'Invalid address.';
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (policy.domains !== null) {
    // One mailbox would count as many people.
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

/** When to remind of an invitation that nobody took up; undefined when it is too short for that. */
export function reminderAt(invitedMs: number, expiresMs: number | null): number | undefined {
  if (expiresMs === null || expiresMs - invitedMs < REMINDED_FROM_MS) return undefined;
  return expiresMs - REMINDER_BEFORE_MS;
}

const NEW_ACCOUNT_MS = 3 * DAY_MS;

/** Where anybody may join, an account made for sending emails to strangers is a cheap thing to have. */
export const isTooNewToInvite = (joined: Date, nowMs: number): boolean =>
  nowMs - joined.getTime() < NEW_ACCOUNT_MS;
