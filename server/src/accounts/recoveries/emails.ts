// The emails about a recovery, in each language. Those before it takes effect carry a link that cancels it.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { layOut } from '../../platform/mail/email.ts';
import { queueEmail } from '../../platform/mail/queue.ts';
import type { Language } from '../../platform/std/language.ts';
import { readSender } from '../notices/actions.ts';
import { noticeOf, type NoticeKind } from '../notices/texts.ts';
import type { User } from '../user.ts';

export interface RecoveryEmail {
  readonly kind: Extract<NoticeKind, `recovery_${'asked' | 'approved' | 'usable' | 'canceled'}`>;
  readonly key?: string;
  /** When the waiting ends. */
  readonly until?: Date | undefined;
}

export async function writeRecoveryEmail(
  tx: Tx,
  ctx: Context,
  user: User,
  { kind, key, until }: RecoveryEmail,
): Promise<void> {
  const sender = await readSender(tx, ctx, user);
  const { heading, paragraphs, note } = noticeOf(sender.language, kind, {
    ...(until && { until: `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC` }),
  });
  const isUsable = kind === 'recovery_usable';
  const path = `/accounts/recovery/${isUsable ? '' : 'cancel/'}${key}/`;
  const label = LABELS[sender.language][isUsable ? 'use' : 'cancel'];
  const content = {
    ...sender,
    subject: heading,
    heading,
    paragraphs,
    note,
    ...(key !== undefined && { action: { label, url: `${sender.origin}${path}` } }),
  };
  await queueEmail(tx, ctx, 'recovery', layOut(user.email, content, null));
}

const LABELS: Readonly<Record<Language, Readonly<Record<'use' | 'cancel', string>>>> = {
  en: { use: 'Choose a new password', cancel: 'Cancel the recovery' },
  fa: { use: 'برگزیدن گذرواژهٔ تازه', cancel: 'لغو بازیابی' },
};
