// Stores an invitation and queues its email. The key is created here and goes into the email; the database keeps only
// its hash.
import { listUsersById } from '../../../accounts/users/access.ts';
import { checkFullName } from '../../../accounts/users/rules.ts';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext, Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { languageOf } from '../../../platform/mail/email.ts';
import { queueEmail } from '../../../platform/mail/queue.ts';
import type { Organization } from '../../organization/org/access.ts';
import { createKey, lookUp } from './key.ts';
import { REMINDER } from './reminder-job-kind.ts';
import { invitationEmail, type EmailSender } from './emails.ts';
import { termsOf, type EmailedOffer } from './offer.ts';
import { reminderAt, type Invitee } from './rules.ts';
import { insertInvitation, insertKey, type Invitation, type Terms } from './store.ts';

export const senderOf = (
  origin: string,
  { settings }: Pick<Organization, 'settings'>,
): EmailSender => ({
  language: languageOf(settings['default_language']),
  organization: String(settings['name']),
  origin,
});

export function storeInvitation(
  tx: Tx,
  ctx: Context,
  actor: User,
  { email, fullName }: Invitee,
  offer: EmailedOffer,
): Promise<Invitation> {
  return insertInvitation(tx, {
    ...termsOf(ctx, actor, offer),
    email,
    fullName: asName(fullName),
    notifiesInviter: offer.notifiesInviter,
  });
}

/** The name is only a suggestion, so an invalid one is left out. */
function asName(text: string): string {
  try {
    return checkFullName(text);
  } catch (error) {
    if (error instanceof Refusal) return '';
    throw error;
  }
}

/** Creates a key of the invitation for one email. */
export async function addKey(
  tx: Tx,
  { secrets }: Pick<Context, 'secrets'>,
  invitationId: number,
): Promise<string> {
  const key = createKey();
  await insertKey(tx, lookUp(secrets, 'letter', key), invitationId);
  return key;
}

/** Queues the email, and the reminder before the invitation ends. */
export async function sendInvitation(
  tx: Tx,
  ctx: ApiContext,
  inviter: string,
  sender: EmailSender,
  { id, email, invitedAt, expiresAt }: Invitation,
): Promise<void> {
  const key = await addKey(tx, ctx, id);
  await queueEmail(
    tx,
    ctx,
    'invitation',
    invitationEmail(sender, { to: email, inviter, key, expiresAt }),
  );
  const remindMs = reminderAt(invitedAt.getTime(), expiresAt && expiresAt.getTime());
  if (remindMs === undefined) return;
  await tx.enqueue(
    REMINDER,
    { invitationId: id, origin: sender.origin },
    { key: `invitation reminder ${id}`, runAt: new Date(remindMs) },
  );
}

/** Undefined when the inviter is deactivated. */
export async function readInviter(
  db: Db,
  { inviterId }: Pick<Terms, 'inviterId'>,
): Promise<User | undefined> {
  const [inviter] = await listUsersById(db, [inviterId]);
  return inviter?.isActive === true ? inviter : undefined;
}
