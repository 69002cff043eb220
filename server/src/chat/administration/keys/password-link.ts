// A link to choose a new password without the old one. It is emailed on request, or made by an operator. It works once,
// for the person and the address that it was made for, until there is a newer one. It replaces the password and no
// second factor: an account that has one asks for it here too.
import { noteAct, noteNothing } from '../../../accounts/audit/actions.ts';
import { noteDevice } from '../../../accounts/known-places/actions.ts';
import { findJoinable } from '../../../accounts/ldap/identity.ts';
import { hasDirectory } from '../../../accounts/ldap/settings.ts';
import {
  consumeLink,
  endLinks,
  findLinkOwner,
  makeLink,
} from '../../../accounts/mailed-links/actions.ts';
import { listProvidersOf } from '../../../accounts/oidc/access.ts';
import { storePassword } from '../../../accounts/passwords/actions.ts';
import { hashPassword } from '../../../accounts/passwords/hash.ts';
import { checkPassword } from '../../../accounts/passwords/rules.ts';
import { checkFactor } from '../../../accounts/second-factors/check.ts';
import { hasFactor, methodsOf, type FactorKind } from '../../../accounts/second-factors/factor.ts';
import { findFactors } from '../../../accounts/second-factors/access.ts';
import type { User } from '../../../accounts/user.ts';
import { accessUserForUpdate, findUser } from '../../../accounts/users/access.ts';
import { findCredentials } from '../../../accounts/users/credentials.ts';
import { originOf, type Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { limitKeyOf } from '../../../platform/http/address.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { languageOf, layOut, type Email } from '../../../platform/mail/email.ts';
import { queueEmail } from '../../../platform/mail/queue.ts';
import type { Language } from '../../../platform/std/language.ts';
import { HOUR_MS } from '../../../platform/std/time.ts';
import { readOrganization } from '../../organization/org/access.ts';
import { revokeKeysIn, type Revoke } from './actions.ts';
import { defineAskedLink } from './asked-link.ts';
import { listNames, PASSWORD_EMAILS, type PasswordAnswer } from './password-emails.ts';

/** A mailbox that somebody else reads for a moment opens an account for no longer than this. */
const RESET_HOURS = 1;

const link = defineAskedLink('password', async (tx, ctx, { email, origin }) => {
  const found = await findResettable(tx, ctx, email);
  if (found === undefined) return;
  const { user, answer, providers } = found;
  const { settings } = await readOrganization(tx, ctx.config);
  const key = answer === 'link' ? await makeKey(tx, ctx, user) : '';
  const mail = passwordEmail(user, answer, {
    language: languageOf(user.settings['default_language'] ?? settings['default_language']),
    organization: String(settings['name']),
    origin,
    key,
    providers,
    notAfterMs: ctx.clock.now() + RESET_HOURS * HOUR_MS,
  });
  await queueEmail(tx, ctx, 'password', mail);
});
export const askPasswordLink = link.ask;
export const sendPasswordLink = link.job;

interface Resettable {
  readonly user: User;
  readonly answer: PasswordAnswer;
  /** What the person signs in with instead of a password. */
  readonly providers: readonly string[];
}

/** Whose password this address may reset, and which email is the answer. */
async function findResettable(
  tx: Db,
  ctx: Pick<Context, 'config'>,
  email: string,
): Promise<Resettable | undefined> {
  const found = await findJoinable(tx, email);
  if (found === undefined) return undefined;
  const { user, entry, isAddressGiven } = found;
  if (!user.isActive || user.botType !== null) return undefined;
  if (entry !== null && hasDirectory(ctx.config)) {
    return { user, answer: 'directory', providers: [] };
  }
  // The person never confirmed this address: with a link, an administrator could take over the account.
  if (isAddressGiven) return { user, answer: 'operator', providers: [] };
  const providers = await listInsteadOfPassword(tx, ctx, user);
  return { user, answer: providers.length > 0 ? 'provider' : 'link', providers };
}

/** The names of the providers that open the account of a person who has no password; none for other people. */
async function listInsteadOfPassword(
  tx: Db,
  { config }: Pick<Context, 'config'>,
  { id, email }: User,
): Promise<readonly string[]> {
  if (((await findCredentials(tx, email))?.passwordHash ?? null) !== null) return [];
  return (await listProvidersOf({ db: tx, config }, id)).map(({ name }) => name);
}

/** A newer link ends older ones. The lock keeps two that are made at once from both staying. */
async function makeKey(
  tx: Db,
  { secrets }: Pick<Context, 'secrets'>,
  { id }: User,
): Promise<string> {
  const { email } = await accessUserForUpdate(tx, id);
  await endLinks(tx, id, 'password');
  return makeLink(tx, secrets, { purpose: 'password', userId: id, hours: RESET_HOURS, email });
}

const pathOf = (key: string): string => `/accounts/password/reset/${key}/`;

/** A link that an operator hands over. The caller writes into the audit log who requested it. */
export function makePasswordLink(ctx: Context, userId: number): Promise<string> {
  return ctx.inTransaction(async (tx) => {
    const user = await accessUserForUpdate(tx, userId);
    if (!user.isActive) throw noLink(`${user.email} is deactivated, and cannot sign in.`);
    if (user.botType !== null) throw noLink(`${user.email} is a bot, and has no password.`);
    const found = await findResettable(tx, ctx, user.email);
    if (found?.answer === 'directory') {
      throw noLink(
        `${user.email} signs in with the password of the directory, so it is changed there. ` +
          '`rialto admin sign-in unbind` separates the account from its entry.',
      );
    }
    const key = await makeKey(tx, ctx, user);
    noteAct(tx, {
      act: 'password reset_link',
      subject: user.email,
      details: { userId: user.id, hours: RESET_HOURS },
    });
    return `${originOf(ctx)}${pathOf(key)}`;
  });
}

const noLink = (message: string) => new Refusal({ code: 'BAD_REQUEST', message, status: 400 });

/** Whose password the link sets; undefined if the link cannot be used any more. */
export async function findPasswordLinkOwner(ctx: Context, key: string): Promise<User | undefined> {
  const userId = await findLinkOwner(ctx.db, ctx.secrets, 'password', key);
  const user = userId === undefined ? undefined : await findUser(ctx.db, userId);
  return user?.isActive === true ? user : undefined;
}

export interface PasswordChoice {
  readonly key: string;
  readonly password: string;
  /** A code of the second factor, or a recovery code; empty if none was given. */
  readonly otp: string;
  readonly revoke: Revoke;
  /** The token of the browser's device cookie, if it has one. */
  readonly device: string | undefined;
  /** The caller's address. */
  readonly caller: string;
}

/** The account has a second factor, and none or a wrong one was shown. The link stays usable. */
export class FactorNeeded extends Refusal {
  readonly wasGiven: boolean;
  constructor(wasGiven: boolean) {
    const message = wasGiven ? 'This code is not right.' : 'This account has a second factor.';
    super({ code: 'SECOND_FACTOR_REQUIRED', message, status: 401 });
    this.wasGiven = wasGiven;
  }
}

/** Which factors the page of the link asks for; none for an account without one. */
export const listFactorsOf = async (ctx: Context, { id }: User): Promise<FactorKind[]> =>
  methodsOf(await findFactors(ctx.db, id));

/**
 * Sets the password with the same effects as a change in a browser: all sessions end, and keys as their owner chose.
 * Makes the browser known and returns its token; undefined if the link cannot be used any more. A weak password is
 * refused, and so is a missing factor; the link stays usable then.
 */
export async function acceptPasswordLink(
  ctx: Context,
  owner: User,
  { key, password, otp, revoke, device, caller }: PasswordChoice,
): Promise<string | undefined> {
  await checkPassword(ctx, password, owner, 'New password is too weak!');
  const isProven = await showFactor(ctx, owner, otp, { address: limitKeyOf(caller), device });
  if (!isProven && hasFactor(await findFactors(ctx.db, owner.id))) {
    throw new FactorNeeded(otp.trim() !== '');
  }
  const passwordHash = await hashPassword(password);
  return ctx.inTransaction(async (tx) => {
    // Locks the person before the link, as every change of a password does.
    const user = await accessUserForUpdate(tx, owner.id);
    // A factor may have been added since.
    if (!isProven && hasFactor(await findFactors(tx, user.id))) throw new FactorNeeded(false);
    const userId = await consumeLink(tx, ctx.secrets, 'password', key);
    if (userId !== user.id || !user.isActive) {
      noteNothing(tx);
      return undefined;
    }
    await storePassword(tx, ctx, user, { passwordHash, address: caller });
    await revokeKeysIn(ctx, tx, user, revoke);
    return noteDevice(tx, ctx.secrets, user, { device });
  });
}

/** Whether a factor was shown. It is spent by that, whatever comes after. */
async function showFactor(
  ctx: Context,
  user: User,
  otp: string,
  place: { readonly address: string; readonly device: string | undefined },
): Promise<boolean> {
  const code = otp.trim();
  if (code === '' || !hasFactor(await findFactors(ctx.db, user.id))) return false;
  const kind = /^\d{6}$/.test(code) ? 'totp' : 'recovery';
  return (await checkFactor(ctx, user, { kind, code }, place)) !== undefined;
}

interface EmailInput {
  readonly language: Language;
  readonly organization: string;
  readonly origin: string;
  readonly key: string;
  readonly providers: readonly string[];
  readonly notAfterMs: number;
}

function passwordEmail(
  { email }: User,
  answer: PasswordAnswer,
  { key, providers, notAfterMs, ...sender }: EmailInput,
): Email {
  const text = PASSWORD_EMAILS[sender.language];
  const heading = text.heading(sender.organization);
  return layOut(
    email,
    {
      ...sender,
      subject: heading,
      heading,
      paragraphs: text.paragraphs[answer](listNames(sender.language, providers)),
      ...(answer === 'link' && {
        action: { label: text.action, url: `${sender.origin}${pathOf(key)}` },
      }),
      note: text.note,
    },
    notAfterMs,
  );
}
