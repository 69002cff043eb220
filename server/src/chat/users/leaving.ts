// Deactivating somebody, and what may go with that: a word to them, their profile, what they wrote.
import type { User } from '../../accounts/user.ts';
import { accessUserForUpdate } from '../../accounts/users/access.ts';
import { renameUser } from '../../accounts/users/actions.ts';
import type { ApiContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { languageOf, layOut, type Language } from '../../platform/mail/letter.ts';
import { postLetter } from '../../platform/mail/post.ts';
import { removeAvatarOf } from '../avatars/actions.ts';
import { eraseMessages } from '../messages/erase.ts';
import { readOrganization } from '../org/access.ts';
import { clearProfileOf } from '../profiles/actions.ts';
import { clearStatusOf } from '../statuses/actions.ts';
import { deactivatePersonIn } from './actions.ts';

export interface LeavingActions {
  readonly delete_profile?: boolean;
  readonly delete_public_channel_messages?: boolean;
  readonly delete_private_channel_messages?: boolean;
  readonly delete_direct_messages?: boolean;
}

export interface Leaving {
  /** Given, if only as an empty text: the person gets a letter, with these words of the administrator. */
  readonly comment: string | undefined;
  readonly actions: LeavingActions;
}

/** All in one transaction; the messages go by and by, and surely. */
export function dismissPerson(
  ctx: ApiContext,
  actor: User,
  userId: number,
  { comment, actions }: Leaving,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await deactivatePersonIn(tx, ctx, actor, userId);
    const user = await accessUserForUpdate(tx, userId);
    if (comment !== undefined) await tellThem(tx, ctx, user, actor, comment);
    if (actions.delete_profile === true) await eraseProfile(tx, user);
    const wanted = {
      userId,
      inPublicChannels: actions.delete_public_channel_messages === true,
      inPrivateChannels: actions.delete_private_channel_messages === true,
      inDirect: actions.delete_direct_messages === true,
    };
    if (wanted.inPublicChannels || wanted.inPrivateChannels || wanted.inDirect) {
      await tx.enqueue(eraseMessages, wanted);
    }
  });
}

/** The account stays, so that what refers to it still does; nothing of the person is left on it. */
async function eraseProfile(tx: Tx, user: User): Promise<void> {
  await renameUser(tx, user, `Deleted user ${user.id}`);
  await removeAvatarOf(tx, user);
  await clearProfileOf(tx, user.id);
  await clearStatusOf(tx, user.id);
}

async function tellThem(
  tx: Tx,
  ctx: ApiContext,
  user: User,
  actor: User,
  comment: string,
): Promise<void> {
  const { settings } = await readOrganization(tx, ctx.config);
  const language = languageOf(settings['default_language']);
  const organization = String(settings['name']);
  const { heading, said, note } = TEXTS[language];
  const title = heading(organization);
  const letter = layOut(
    user.email,
    {
      language,
      organization,
      origin: ctx.publicUrl(),
      subject: title,
      heading: title,
      paragraphs: comment.trim() === '' ? [] : [said(actor.fullName), comment],
      note,
    },
    null,
  );
  await postLetter(tx, ctx, 'deactivation', letter);
}

interface LetterWords {
  heading(organization: string): string;
  said(administrator: string): string;
  readonly note: string;
}

const TEXTS: Readonly<Record<Language, LetterWords>> = {
  en: {
    heading: (organization) => `Your account at ${organization} has been deactivated`,
    said: (administrator) => `${administrator} wrote to you:`,
    note: 'You can no longer sign in. If you think that this is a mistake, ask an administrator of the organization.',
  },
  fa: {
    heading: (organization) => `حساب شما در ${organization} غیرفعال شد`,
    said: (administrator) => `${administrator} برای شما نوشت:`,
    note: 'دیگر نمی‌توانید وارد شوید. اگر گمان می‌کنید اشتباهی رخ داده است، از یکی از مدیران سازمان بپرسید.',
  },
};
