// Emails that tell people what happened to their account. A notice is queued in the transaction of what it reports.
import { originOf, type Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { languageOf, layOut } from '../../platform/mail/email.ts';
import { queueEmail } from '../../platform/mail/queue.ts';
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
  if (user.botType !== null) return;
  const chosen = user.settings['default_language'] ?? (await readOrganizationLanguage(tx));
  const language = languageOf(chosen);
  const organization = (await readOrganizationName(tx)) ?? ctx.config.ORGANIZATION_NAME;
  const { heading, paragraphs, note } = noticeOf(language, kind, facts);
  const content = { language, organization, origin: originOf(ctx), subject: heading, heading };
  await queueEmail(tx, ctx, 'security', layOut(to, { ...content, paragraphs, note }, null));
}
