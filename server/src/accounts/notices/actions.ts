// Emails that tell people what happened to their account. A notice is queued in the transaction of what it reports.
import { originOf, type Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { languageOf, layOut, type EmailText } from '../../platform/mail/email.ts';
import { queueEmail } from '../../platform/mail/queue.ts';
import { isMailConfigured } from '../../platform/mail/transport.ts';
import { readOrganizationLanguage, readOrganizationName } from '../organization.ts';
import type { User } from '../user.ts';
import { noticeOf, type NoticeFacts, type NoticeKind } from './texts.ts';

type Reader = Pick<User, 'id' | 'email' | 'settings' | 'botType'>;

/** `to` is another address than the present one, such as the one that the account had before. */
export async function tellPerson(
  tx: Tx,
  ctx: Context,
  user: Reader,
  kind: NoticeKind,
  facts: NoticeFacts = {},
  to: string = user.email,
): Promise<void> {
  // Without a mail server the notice would wait for ever.
  if (user.botType !== null || !isMailConfigured(ctx.config)) return;
  const sender = await readSender(tx, ctx, user);
  const { heading, paragraphs, note } = noticeOf(sender.language, kind, facts);
  const content = { ...sender, subject: heading, heading };
  await queueEmail(tx, ctx, 'security', layOut(to, { ...content, paragraphs, note }, null));
}

/** In whose name an email to this person is sent, and in which language. */
export async function readSender(
  db: Db,
  ctx: Context,
  { settings }: Pick<User, 'settings'>,
): Promise<Pick<EmailText, 'language' | 'organization' | 'origin'>> {
  const chosen = settings['default_language'] ?? (await readOrganizationLanguage(db));
  return {
    language: languageOf(chosen),
    organization: (await readOrganizationName(db)) ?? ctx.config.ORGANIZATION_NAME,
    origin: originOf(ctx),
  };
}
