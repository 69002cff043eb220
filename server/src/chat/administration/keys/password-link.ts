// A link to choose a new password without the old one. It is emailed on request, or made by an operator. It works once,
// for the person and the address that it was made for.
import { noteAct, noteNothing } from '../../../accounts/audit/actions.ts';
import { noteDevice } from '../../../accounts/known-places/actions.ts';
import { findJoinable } from '../../../accounts/ldap/identity.ts';
import { hasDirectory } from '../../../accounts/ldap/settings.ts';
import { consumeLink, findLinkOwner, makeLink } from '../../../accounts/mailed-links/actions.ts';
import { storePassword } from '../../../accounts/passwords/actions.ts';
import { hashPassword } from '../../../accounts/passwords/hash.ts';
import { checkPassword } from '../../../accounts/passwords/rules.ts';
import type { User } from '../../../accounts/user.ts';
import { accessUserForUpdate, findUser } from '../../../accounts/users/access.ts';
import { originOf, type Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { languageOf, layOut, type Email } from '../../../platform/mail/email.ts';
import { queueEmail } from '../../../platform/mail/queue.ts';
import type { Language } from '../../../platform/std/language.ts';
import { readOrganization } from '../../organization/org/access.ts';
import { renewChatKeyIn } from './actions.ts';
import { defineAskedLink, LINK_HOURS, linkEndsMs } from './asked-link.ts';
import { PASSWORD_EMAILS, type PasswordAnswer } from './password-emails.ts';

const link = defineAskedLink('password', async (tx, ctx, { email, origin }) => {
  const found = await findResettable(tx, ctx, email);
  if (found === undefined) return;
  const { user, answer } = found;
  const { settings } = await readOrganization(tx, ctx.config);
  const key = answer === 'link' ? await makeKey(tx, ctx, user) : '';
  const mail = passwordEmail(user, answer, {
    language: languageOf(user.settings['default_language'] ?? settings['default_language']),
    organization: String(settings['name']),
    origin,
    key,
    notAfterMs: linkEndsMs(ctx),
  });
  await queueEmail(tx, ctx, 'password', mail);
});
export const askPasswordLink = link.ask;
export const sendPasswordLink = link.job;

/** Whose password this address may reset, and which email is the answer. */
async function findResettable(
  tx: Db,
  ctx: Pick<Context, 'config'>,
  email: string,
): Promise<{ user: User; answer: PasswordAnswer } | undefined> {
  const found = await findJoinable(tx, email);
  if (found === undefined) return undefined;
  const { user, entry, isAddressGiven } = found;
  if (!user.isActive || user.botType !== null) return undefined;
  if (entry !== null && hasDirectory(ctx.config)) return { user, answer: 'directory' };
  // The person never confirmed this address: with a link, an administrator could take over the account.
  if (isAddressGiven) return { user, answer: 'operator' };
  return { user, answer: 'link' };
}

const makeKey = (tx: Db, { secrets }: Pick<Context, 'secrets'>, { id, email }: User) =>
  makeLink(tx, secrets, { purpose: 'password', userId: id, hours: LINK_HOURS, email });

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
      details: { userId: user.id, hours: LINK_HOURS },
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
  /** The token of the browser's device cookie, if it has one. */
  readonly device: string | undefined;
}

/**
 * Sets the password with the same effects as a change in a browser: all sessions end, and the chat key is replaced.
 * Makes the browser known and returns its token; undefined if the link cannot be used any more. A weak password is
 * refused, and the link stays usable.
 */
export async function acceptPasswordLink(
  ctx: Context,
  owner: User,
  { key, password, device }: PasswordChoice,
): Promise<string | undefined> {
  await checkPassword(ctx, password, owner, 'New password is too weak!');
  const passwordHash = await hashPassword(password);
  return ctx.inTransaction(async (tx) => {
    // Locks the person before the link, as every change of a password does.
    const user = await accessUserForUpdate(tx, owner.id);
    const userId = await consumeLink(tx, ctx.secrets, 'password', key);
    if (userId !== user.id || !user.isActive) {
      noteNothing(tx);
      return undefined;
    }
    await storePassword(tx, user, passwordHash);
    await renewChatKeyIn(ctx, tx, user);
    return noteDevice(tx, ctx.secrets, user, { device });
  });
}

interface EmailInput {
  readonly language: Language;
  readonly organization: string;
  readonly origin: string;
  readonly key: string;
  readonly notAfterMs: number;
}

function passwordEmail(
  { email }: User,
  answer: PasswordAnswer,
  { key, notAfterMs, ...sender }: EmailInput,
): Email {
  const text = PASSWORD_EMAILS[sender.language];
  const heading = text.heading(sender.organization);
  return layOut(
    email,
    {
      ...sender,
      subject: heading,
      heading,
      paragraphs: text.paragraphs[answer],
      ...(answer === 'link' && {
        action: { label: text.action, url: `${sender.origin}${pathOf(key)}` },
      }),
      note: text.note,
    },
    notAfterMs,
  );
}
