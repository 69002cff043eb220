// The texts of invitation emails, in the organization's language.
import { layOut, type Email, type EmailText } from '../../../platform/mail/email.ts';
import type { Language } from '../../../platform/std/language.ts';

/** The organization in whose name the email is sent. */
export interface EmailSender {
  readonly language: Language;
  readonly organization: string;
  readonly origin: string;
}

export const confirmUrl = (origin: string, key: string): string =>
  `${origin}/accounts/do_confirm/${key}`;

interface Texts {
  invitation(inviter: string, organization: string): Body;
  reminder(inviter: string, organization: string): Body;
  confirmation(organization: string): Body;
  alreadyHere(organization: string): Body;
  validUntil(date: string): string;
}

type Body = Pick<EmailText, 'subject' | 'heading' | 'paragraphs' | 'note'> & {
  readonly label: string;
};

const english: Texts = {
  invitation: (inviter, organization) => ({
    subject: `${inviter} invited you to join ${organization}`,
    heading: `Join ${organization}`,
    paragraphs: [`${inviter} invited you to ${organization}: team chat and trading in one place.`],
    label: 'Accept the invitation',
    note: 'The link is for you alone: anybody who has it can make an account with your address. If you do not want to join, do nothing.',
  }),
  reminder: (inviter, organization) => ({
    subject: `Reminder: join ${organization}`,
    heading: `Your invitation to ${organization} is about to expire`,
    paragraphs: [`${inviter} invited you to ${organization} some days ago.`],
    label: 'Accept the invitation',
    note: 'The link is for you alone. If you do not want to join, do nothing: you will not be reminded again.',
  }),
  confirmation: (organization) => ({
    subject: `Confirm your address for ${organization}`,
    heading: 'Confirm your address',
    paragraphs: [`Somebody, probably you, wants to join ${organization} with this address.`],
    label: 'Confirm and go on',
    note: 'If that was not you, do nothing: without the link no account is made.',
  }),
  alreadyHere: (organization) => ({
    subject: `You already have an account at ${organization}`,
    heading: 'You already have an account',
    paragraphs: [
      `Somebody, probably you, wanted to join ${organization} with this address. It already has an account there, so you can sign in.`,
    ],
    label: `Open ${organization}`,
    note: 'If that was not you, do nothing. Nobody was told that you have an account.',
  }),
  validUntil: (date) => `The link is valid until ${date}.`,
};

const persian: Texts = {
  invitation: (inviter, organization) => ({
    subject: `${inviter} شما را به ${organization} دعوت کرد`,
    heading: `به ${organization} بپیوندید`,
    paragraphs: [
      `${inviter} شما را به ${organization} دعوت کرده است: گفت‌وگوی گروهی و معامله در یک جا.`,
    ],
    label: 'پذیرفتن دعوت',
    note: 'این پیوند تنها برای شماست: هر که آن را داشته باشد می‌تواند با نشانی شما حساب بسازد. اگر نمی‌خواهید بپیوندید، کاری نکنید.',
  }),
  reminder: (inviter, organization) => ({
    subject: `یادآوری: به ${organization} بپیوندید`,
    heading: `زمان دعوت شما به ${organization} رو به پایان است`,
    paragraphs: [`${inviter} چند روز پیش شما را به ${organization} دعوت کرد.`],
    label: 'پذیرفتن دعوت',
    note: 'این پیوند تنها برای شماست. اگر نمی‌خواهید بپیوندید، کاری نکنید؛ دیگر یادآوری نمی‌شود.',
  }),
  confirmation: (organization) => ({
    subject: `نشانی خود را برای ${organization} تأیید کنید`,
    heading: 'نشانی خود را تأیید کنید',
    paragraphs: [`کسی، احتمالاً خود شما، می‌خواهد با این نشانی به ${organization} بپیوندد.`],
    label: 'تأیید و ادامه',
    note: 'اگر شما نبوده‌اید، کاری نکنید: بدون این پیوند حسابی ساخته نمی‌شود.',
  }),
  alreadyHere: (organization) => ({
    subject: `شما در ${organization} حساب دارید`,
    heading: 'شما از پیش حساب دارید',
    paragraphs: [
      `کسی، احتمالاً خود شما، خواست با این نشانی به ${organization} بپیوندد. این نشانی آنجا حساب دارد و می‌توانید وارد شوید.`,
    ],
    label: `باز کردن ${organization}`,
    note: 'اگر شما نبوده‌اید، کاری نکنید. به کسی گفته نشد که شما حساب دارید.',
  }),
  validUntil: (date) => `این پیوند تا ${date} معتبر است.`,
};

const TEXTS: Readonly<Record<Language, Texts>> = { en: english, fa: persian };

/** Names UTC, because the reader may be in any time zone. */
const dateIn = (language: Language, date: Date): string =>
  new Intl.DateTimeFormat(language === 'fa' ? 'fa-IR' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(date) + (language === 'fa' ? ' (به وقت جهانی)' : ' UTC');

function write(
  sender: EmailSender,
  to: string,
  { label, ...body }: Body,
  url: string,
  expiresAt: Date | null,
): Email {
  const { language } = sender;
  const until = expiresAt === null ? [] : [TEXTS[language].validUntil(dateIn(language, expiresAt))];
  return layOut(
    to,
    { ...sender, ...body, paragraphs: [...body.paragraphs, ...until], action: { label, url } },
    expiresAt && expiresAt.getTime(),
  );
}

interface Invited {
  readonly to: string;
  readonly inviter: string;
  readonly key: string;
  readonly expiresAt: Date | null;
}

const emailOfInviter =
  (kind: 'invitation' | 'reminder') =>
  (sender: EmailSender, { to, inviter, key, expiresAt }: Invited): Email =>
    write(
      sender,
      to,
      TEXTS[sender.language][kind](inviter, sender.organization),
      confirmUrl(sender.origin, key),
      expiresAt,
    );

export const invitationEmail = emailOfInviter('invitation');
export const reminderEmail = emailOfInviter('reminder');

const emailToConfirm =
  (urlOf: (origin: string, key: string) => string) =>
  (sender: EmailSender, { to, key, expiresAt }: Omit<Invited, 'inviter'>): Email =>
    write(
      sender,
      to,
      TEXTS[sender.language].confirmation(sender.organization),
      urlOf(sender.origin, key),
      expiresAt,
    );

export const confirmationEmail = emailToConfirm(confirmUrl);
/** For somebody who registers without an invitation. */
export const registerEmail = emailToConfirm((origin, key) => `${origin}/accounts/register/${key}/`);

/** For somebody who asked for an account but already has one. Only their mailbox learns it. */
export const alreadyHereEmail = (sender: EmailSender, to: string, expiresAt: Date): Email => {
  const body = TEXTS[sender.language].alreadyHere(sender.organization);
  const { label, ...rest } = body;
  return layOut(
    to,
    { ...sender, ...rest, action: { label, url: sender.origin } },
    expiresAt.getTime(),
  );
};
