// One-time links, from an email or handed over by an operator. Opening a link does not use it up,
// because virus scanners open links too; confirming on its page does.
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { createLinkKey, isLinkKey } from '../../platform/secrets/link-key.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import {
  closeLink,
  closeRegistration,
  closeLinksOf,
  countRegistrations,
  deleteLinksOlder,
  findOpenLink,
  findRegistration,
  insertMailedLink,
  insertRegistration,
} from './store.ts';

/** What a link is for; a link for one purpose opens nothing else. */
export type LinkPurpose =
  | 'device'
  | 'password'
  | 'address_new'
  | 'address_old'
  | 'register'
  | 'recovery'
  | 'recovery_cancel';

const KEPT_DAYS = 7;

type Keyed = Pick<Secrets, 'lookup'>;

const lookupOf = ({ lookup }: Keyed, purpose: LinkPurpose, key: string): Buffer =>
  lookup(`mailed link ${purpose}`, key);

export interface LinkRequest {
  readonly purpose: Exclude<LinkPurpose, 'register'>;
  readonly userId: number;
  readonly hours: number;
  /** The owner's address, for a link that expires once they have another. */
  readonly email?: string;
}

/** The key of a new link. Earlier links stay valid. */
export async function makeLink(
  tx: Db,
  secrets: Keyed,
  { email, ...link }: LinkRequest,
): Promise<string> {
  const key = createLinkKey();
  const lookup = lookupOf(secrets, link.purpose, key);
  await insertMailedLink(tx, { ...link, lookup, email: email ?? null });
  return key;
}

/** Ends all links of a person for one purpose. */
export const endLinks = (tx: Db, userId: number, purpose: LinkPurpose): Promise<void> =>
  closeLinksOf(tx, userId, purpose);

/** The owner of the link, if it can still be used. */
export const findLinkOwner = async (
  db: Db,
  secrets: Keyed,
  purpose: LinkPurpose,
  key: string,
): Promise<number | undefined> =>
  isLinkKey(key) ? findOpenLink(db, lookupOf(secrets, purpose, key)) : undefined;

/** The same, and uses it up. Call it in the transaction of what it allows. */
export const consumeLink = async (
  tx: Db,
  secrets: Keyed,
  purpose: LinkPurpose,
  key: string,
): Promise<number | undefined> =>
  isLinkKey(key) ? closeLink(tx, lookupOf(secrets, purpose, key)) : undefined;

/** How long a link to register is valid. The links of this time are those that are counted. */
export const REGISTER_HOURS = 24;

/** The key of a link with which somebody registers; undefined if there are `max` of the last 24 hours already. */
export async function makeRegistration(
  tx: Db,
  secrets: Keyed,
  { email, max }: { readonly email: string; readonly max: number },
): Promise<string | undefined> {
  if ((await countRegistrations(tx)) >= max) return undefined;
  const key = createLinkKey();
  const lookup = lookupOf(secrets, 'register', key);
  await insertRegistration(tx, { lookup, email, hours: REGISTER_HOURS });
  return key;
}

/** The address that the link confirms, if it can still be used. */
export const findRegistered = async (
  db: Db,
  secrets: Keyed,
  key: string,
): Promise<string | undefined> =>
  isLinkKey(key) ? findRegistration(db, lookupOf(secrets, 'register', key)) : undefined;

/** The same, and uses it up. */
export const consumeRegistration = async (
  tx: Db,
  secrets: Keyed,
  key: string,
): Promise<string | undefined> =>
  isLinkKey(key) ? closeRegistration(tx, lookupOf(secrets, 'register', key)) : undefined;

export const forgetLinks = ({ db }: Context): Promise<number> => deleteLinksOlder(db, KEPT_DAYS);
