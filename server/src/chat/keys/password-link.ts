// A link with which somebody chooses a new password without knowing the old one: mailed to whoever asks for it, or made
// by an operator. It works once, for the person and the address that it was made for.
import { randomUUID } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { noteAct, noteNothing } from '../../accounts/audit/actions.ts';
import { isEmail } from '../../accounts/email.ts';
import { noteDevice } from '../../accounts/known-places/actions.ts';
import { findJoinable } from '../../accounts/ldap/identity.ts';
import { hasDirectory } from '../../accounts/ldap/settings.ts';
import { consumeLink, findLinkOwner, makeLink } from '../../accounts/mailed-links/actions.ts';
import { storePassword } from '../../accounts/passwords/actions.ts';
import { hashPassword } from '../../accounts/passwords/hash.ts';
import { checkPassword } from '../../accounts/passwords/rules.ts';
import { countEmail } from '../../accounts/sign-in/actions.ts';
import type { User } from '../../accounts/user.ts';
import { accessUserForUpdate, findUser } from '../../accounts/users/access.ts';
import { originOf, type ApiContext, type Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { limitKeyOf } from '../../platform/http/address.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { defineJob } from '../../platform/jobs/define.ts';
import type { JobKind } from '../../platform/jobs/kind.ts';
import { languageOf, layOut, type Letter } from '../../platform/mail/letter.ts';
import { postLetter } from '../../platform/mail/post.ts';
import { readOrganization } from '../org/access.ts';
import { renewChatKeyIn } from './actions.ts';
import { PASSWORD_LETTERS, type PasswordAnswer } from './password-letters.ts';

export const PASSWORD_LINK_HOURS = 24;
const HOUR_MS = 3_600_000;

const Asked = Type.Object({
  id: Type.String(),
  /** The address, sealed: it may be of somebody who has nothing to do with us. */
  sealed: Type.String(),
  /** The worker has no address of its own. */
  origin: Type.String(),
});

const PASSWORD_LINK = {
  name: 'send-password-link',
  input: Asked,
  attemptsMax: 10,
} satisfies JobKind<Static<typeof Asked>>;

const ownerOf = (id: string): string => `password link ${id}`;

/**
 * Has a link sent to the address, if an account has it. Whoever asks learns nothing: the same is done for every
 * address, and what is beyond the limits is left out in silence.
 */
export async function askPasswordLink(
  ctx: ApiContext,
  { email, caller }: { readonly email: string; readonly caller: string },
): Promise<void> {
  const to = email.trim();
  if (!isEmail(to)) return;
  await countEmail(ctx, { email: to, network: limitKeyOf(caller) }, async (tx) => {
    const id = randomUUID();
    const sealed = ctx.secrets.seal(ownerOf(id), to).toString('base64');
    await tx.enqueue(PASSWORD_LINK, { id, sealed, origin: ctx.publicUrl() }, { key: ownerOf(id) });
  });
}

export const sendPasswordLink = defineJob({
  ...PASSWORD_LINK,
  async run(ctx, { id, sealed, origin }) {
    const email = ctx.secrets.open(ownerOf(id), Buffer.from(sealed, 'base64'));
    await ctx.inTransaction(async (tx) => {
      const found = await findResettable(tx, ctx, email);
      if (found === undefined) return;
      const { user, answer } = found;
      const { settings } = await readOrganization(tx, ctx.config);
      const key = answer === 'link' ? await makeKey(tx, ctx, user) : '';
      const letter = letterOf(user, answer, {
        language: languageOf(user.settings['default_language'] ?? settings['default_language']),
        organization: String(settings['name']),
        origin,
        key,
        notAfterMs: ctx.clock.now() + PASSWORD_LINK_HOURS * HOUR_MS,
      });
      await postLetter(tx, ctx, 'password', letter);
    });
  },
});

/** Whose password could be reset by this address, and what the mailbox gets. */
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
  // Nobody has shown that the mailbox is the person's: an administrator could take an account by giving it an address.
  if (isAddressGiven) return { user, answer: 'operator' };
  return { user, answer: 'link' };
}

const makeKey = (tx: Db, { secrets }: Pick<Context, 'secrets'>, { id, email }: User) =>
  makeLink(tx, secrets, { purpose: 'password', userId: id, hours: PASSWORD_LINK_HOURS, email });

const pathOf = (key: string): string => `/accounts/password/reset/${key}/`;

/** A link that an operator hands over. The caller says in the audit log who asked for it. */
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
      details: { userId: user.id, hours: PASSWORD_LINK_HOURS },
    });
    return `${originOf(ctx)}${pathOf(key)}`;
  });
}

const noLink = (message: string) => new Refusal({ code: 'BAD_REQUEST', message, status: 400 });

/** Whose password the link sets; undefined if it is over. */
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
 * Sets the password as its owner's change of it in a browser would: all sessions end and so does the chat key. The
 * browser is known from now on, by the token that is returned; undefined if the link is over. A weak password is
 * refused, and the link stays good.
 */
export async function acceptPasswordLink(
  ctx: Context,
  owner: User,
  { key, password, device }: PasswordChoice,
): Promise<string | undefined> {
  await checkPassword(ctx, password, owner, 'New password is too weak!');
  const passwordHash = await hashPassword(password);
  return ctx.inTransaction(async (tx) => {
    // People before their links, as in every change of a password.
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

interface LetterGiven {
  readonly language: 'en' | 'fa';
  readonly organization: string;
  readonly origin: string;
  readonly key: string;
  readonly notAfterMs: number;
}

function letterOf(
  { email }: User,
  answer: PasswordAnswer,
  { key, notAfterMs, ...sender }: LetterGiven,
): Letter {
  const text = PASSWORD_LETTERS[sender.language];
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
