// The emails about a change of address, in each language. The new mailbox may be a stranger's, so it learns neither the
// name nor the old address of the person who asked.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { layOut } from '../../platform/mail/email.ts';
import { queueEmail } from '../../platform/mail/queue.ts';
import type { Language } from '../../platform/std/language.ts';
import { readSender } from '../notices/actions.ts';
import type { User } from '../user.ts';

export interface AddressEmail {
  /** To the new mailbox; to the old one, which confirms or cancels; or to the old one, which only cancels. */
  readonly kind: 'new' | 'old' | 'cancel';
  readonly newEmail: string;
  /** Who asked. */
  readonly by: string;
  readonly key: string;
  readonly notAfterMs: number;
}

export async function writeAddressEmail(
  tx: Tx,
  ctx: Context,
  user: User,
  { kind, newEmail, by, key, notAfterMs }: AddressEmail,
): Promise<void> {
  const sender = await readSender(tx, ctx, user);
  const text = TEXTS[sender.language][kind](sender.organization, newEmail, by);
  const url = `${sender.origin}/accounts/confirm_new_email/${key}/`;
  const content = { ...sender, ...text, subject: text.heading, action: { label: text.label, url } };
  await queueEmail(
    tx,
    ctx,
    'address',
    layOut(kind === 'new' ? newEmail : user.email, content, notAfterMs),
  );
}

interface Text {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly label: string;
  readonly note: string;
}

type Write = (organization: string, newEmail: string, by: string) => Text;

const TEXTS: Readonly<Record<Language, Readonly<Record<AddressEmail['kind'], Write>>>> = {
  en: {
    new: (organization) => ({
      heading: `Confirm your new address at ${organization}`,
      paragraphs: [
        `Somebody, probably you, wants this to be the email address of their account at ${organization}.`,
        'Open the link and confirm it.',
      ],
      label: 'Confirm the address',
      note: 'If that was not you, do nothing: without the link nothing changes.',
    }),
    old: (organization, newEmail) => ({
      heading: `Your address at ${organization} is to change`,
      paragraphs: [
        `Somebody, probably you, asked for another email address for your account: ${newEmail}`,
        'Open the link within 24 hours and confirm the change, or cancel it. The new mailbox has to confirm it too.',
      ],
      label: 'Confirm or cancel',
      note: 'If that was not you, cancel the change, change your password, and end all sessions.',
    }),
    cancel: (organization, newEmail, by) => ({
      heading: `Your address at ${organization} is to change`,
      paragraphs: [
        `${by} asked, as an administrator, for another email address for your account: ${newEmail}`,
        'The change takes effect after 72 hours, once the new mailbox has confirmed it. Until then you can cancel it.',
      ],
      label: 'Cancel the change',
      note: 'If you agree with the change, you need not do anything.',
    }),
  },
  fa: {
    new: (organization) => ({
      heading: `نشانی تازهٔ خود را در ${organization} تأیید کنید`,
      paragraphs: [
        `کسی، به احتمال زیاد خودتان، می‌خواهد این نشانی ایمیل حساب او در ${organization} باشد.`,
        'پیوند را باز کنید و آن را تأیید کنید.',
      ],
      label: 'تأیید نشانی',
      note: 'اگر شما نبوده‌اید، کاری نکنید: بدون این پیوند چیزی تغییر نمی‌کند.',
    }),
    old: (organization, newEmail) => ({
      heading: `نشانی شما در ${organization} عوض می‌شود`,
      paragraphs: [
        `کسی، به احتمال زیاد خودتان، برای حساب شما نشانی ایمیل دیگری خواسته است: ${newEmail}`,
        'پیوند را تا ۲۴ ساعت باز کنید و تغییر را تأیید یا لغو کنید. صندوق تازه نیز باید آن را تأیید کند.',
      ],
      label: 'تأیید یا لغو',
      note: 'اگر شما نبوده‌اید، تغییر را لغو کنید، گذرواژهٔ خود را عوض کنید و همهٔ نشست‌ها را پایان دهید.',
    }),
    cancel: (organization, newEmail, by) => ({
      heading: `نشانی شما در ${organization} عوض می‌شود`,
      paragraphs: [
        `${by} به‌عنوان مدیر برای حساب شما نشانی ایمیل دیگری خواسته است: ${newEmail}`,
        'این تغییر پس از ۷۲ ساعت و پس از تأیید صندوق تازه انجام می‌شود. تا آن زمان می‌توانید آن را لغو کنید.',
      ],
      label: 'لغو تغییر',
      note: 'اگر با این تغییر موافقید، کاری لازم نیست.',
    }),
  },
};
