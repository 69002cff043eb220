// The emails about a requested new password, in each language.
import type { Language } from '../../../platform/std/language.ts';

/** A link, or the reason for none: the directory has the password, or an administrator gave the account its address. */
export type PasswordAnswer = 'link' | 'directory' | 'operator';

interface Texts {
  heading(organization: string): string;
  readonly paragraphs: Readonly<Record<PasswordAnswer, readonly string[]>>;
  readonly action: string;
  readonly note: string;
}

const ASKED = 'Somebody, perhaps you, asked for a new password for your account.';
const ASKED_FA = 'کسی، شاید خودتان، برای حساب شما گذرواژه‌ای تازه خواسته است.';

export const PASSWORD_EMAILS: Readonly<Record<Language, Texts>> = {
  en: {
    heading: (organization) => `A new password at ${organization}`,
    paragraphs: {
      link: [
        ASKED,
        'Open this link to choose it. It works once, within one hour, until you ask for a newer one. You are then signed out everywhere.',
      ],
      directory: [
        ASKED,
        'You sign in here with the password of your organization’s directory. Change it there, or ask the people who look after the directory.',
      ],
      operator: [
        ASKED,
        'An administrator gave your account this address, so no link is sent to it. Ask the operators of this server for one.',
      ],
    },
    action: 'Choose a new password',
    note: 'If you did not ask for it, you need not do anything: your password stays as it is. Do not pass this email on.',
  },
  fa: {
    heading: (organization) => `گذرواژهٔ تازه در ${organization}`,
    paragraphs: {
      link: [
        ASKED_FA,
        'برای برگزیدن آن این پیوند را باز کنید. این پیوند تا یک ساعت و تنها یک بار کار می‌کند، مگر آنکه پیوند تازه‌تری بخواهید. آنگاه از همه جا خارج می‌شوید.',
      ],
      directory: [
        ASKED_FA,
        'شما اینجا با گذرواژهٔ فهرست کاربران سازمان خود وارد می‌شوید. آن را همان‌جا تغییر دهید یا از مسئولان آن کمک بخواهید.',
      ],
      operator: [
        ASKED_FA,
        'این نشانی را یک مدیر به حساب شما داده است، پس پیوندی به آن فرستاده نمی‌شود. از گردانندگان این سرور پیوند بخواهید.',
      ],
    },
    action: 'برگزیدن گذرواژهٔ تازه',
    note: 'اگر شما آن را نخواسته‌اید، کاری لازم نیست: گذرواژهٔ شما همان می‌ماند. این ایمیل را به کسی ندهید.',
  },
};
