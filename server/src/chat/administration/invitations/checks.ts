// Checks before anybody is invited. Their order decides which refusal a caller gets.
import { findUserByEmail } from '../../../accounts/users/access.ts';
import { hasAtLeast, type RoleCode } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { listDomains } from '../../organization/domains/access.ts';
import { badRequest } from '../../http/errors.ts';
import type { Organization } from '../../organization/org/access.ts';
import { isAdministrator, type Rights } from '../../rights/permissions/rights.ts';
import { checkChannels, checkGroups } from './access.ts';
import {
  accountTooNew,
  dailyLimitReached,
  mustBeAdministrator,
  noAddress,
  noneInvited,
  someInvalid,
  tooManyAddresses,
  type AddressProblem,
} from './errors.ts';
import type { Offer } from './offer.ts';
import {
  findAddressProblem,
  isTooNewToInvite,
  mayInviteAs,
  parseInvitees,
  roleRefusal,
  type AddressPolicy,
  type Invitee,
} from './rules.ts';
import { countSentSince, lockInvitations } from './store.ts';

/** All emails of a request are queued in one transaction. */
const INVITEES_MAX = 500;

export function checkInvitedRole(rights: Rights, role: RoleCode): void {
  if (!mayInviteAs(rights.role, role)) throw badRequest(roleRefusal(role));
}

export function checkInvitees(text: string): Invitee[] {
  const invitees = parseInvitees(text);
  if (invitees.length === 0) throw noAddress();
  if (invitees.length > INVITEES_MAX) throw tooManyAddresses(INVITEES_MAX);
  return invitees;
}

/** Checks channels, groups and the welcome text. Only administrators may write one; others send null. */
export async function checkOffer(tx: Tx, rights: Rights, offer: Offer): Promise<void> {
  await checkChannels(tx, rights, offer.channelIds);
  await checkGroups(tx, rights, offer.groupIds);
  if (offer.welcomeText !== null && !isAdministrator(rights)) throw mustBeAdministrator();
}

/** Counts under a lock, so that many requests at once cannot exceed the limit. */
export async function checkDailyLimit(
  tx: Tx,
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  more: number,
): Promise<void> {
  const max = config.INVITATIONS_DAILY_MAX;
  if (max === 0) return;
  await lockInvitations(tx);
  const sent = await countSentSince(tx, new Date(clock.now() - DAY_MS));
  if (sent + more > max) throw dailyLimitReached();
}

export function checkAge(
  { clock }: Pick<Context, 'clock'>,
  actor: User,
  { settings }: Organization,
): void {
  if (settings['invite_required'] === true || hasAtLeast(actor.role, 'administrator')) return;
  if (isTooNewToInvite(actor.dateJoined, clock.now())) throw accountTooNew();
}

/** Which addresses the organization permits. If it restricts domains and lists none, nobody is permitted. */
export async function readPolicy(
  db: Db,
  { settings }: Pick<Organization, 'settings'>,
): Promise<AddressPolicy> {
  const isRestricted = settings['emails_restricted_to_domains'] === true;
  const domains = isRestricted ? await listDomains(db) : null;
  return {
    domains:
      domains &&
      domains.map(({ domain, allow_subdomains }) => ({
        name: domain,
        allowsSubdomains: allow_subdomains,
      })),
    refusesDisposable: settings['disallow_disposable_email_addresses'] === true,
  };
}

export interface SortedOut {
  readonly fresh: readonly Invitee[];
  /** People who already have an account. */
  readonly registered: readonly AddressProblem[];
}

/** Refuses the whole request if an address is invalid or nobody remains to be invited. */
export async function sortOut(
  db: Db,
  invitees: readonly Invitee[],
  policy: AddressPolicy,
): Promise<SortedOut> {
  const invalid: AddressProblem[] = [];
  const registered: AddressProblem[] = [];
  const fresh: Invitee[] = [];
  for (const invitee of invitees) {
    const { email } = invitee;
    const problem = findAddressProblem(email, policy);
    const taken = problem === undefined ? await findTaken(db, email) : undefined;
    if (problem !== undefined) invalid.push([email, problem, false]);
    else if (taken !== undefined) registered.push(taken);
    else fresh.push(invitee);
  }
  if (invalid.length > 0) throw someInvalid([...invalid, ...registered]);
  if (fresh.length === 0) throw noneInvited(registered);
  return { fresh, registered };
}

async function findTaken(db: Db, email: string): Promise<AddressProblem | undefined> {
  const user = await findUserByEmail(db, email);
  if (user === undefined) return undefined;
  if (user.isSystem) return [email, 'Reserved for system bots.', false];
  if (!user.isActive) return [email, 'Account has been deactivated.', true];
  return [email, 'Already has an account.', false];
}
