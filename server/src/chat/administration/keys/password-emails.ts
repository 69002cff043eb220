// The emails about a requested new password, in each language.
import type { Language } from '../../../platform/std/language.ts';

/**
 * A link, or the reason for none: the directory has the password, an administrator gave the account its address, or the
 * person has no password and signs in with a provider.
 */
export type PasswordAnswer = 'link' | 'directory' | 'operator' | 'provider';

/** The names as a sentence lists them. */
export const listNames = (language: Language, names: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(names);

interface Texts {
  heading(organization: string): string;
  readonly paragraphs: Readonly<Record<PasswordAnswer, (providers: string) => readonly string[]>>;
  readonly action: string;
  readonly note: string;
}

const ASKED = 'Somebody, perhaps you, asked for a new password for your account.';
const ASKED_FA = 'کسی، شاید خودتان، برای حساب شما گذرواژه‌ای تازه خواسته است.';

export const PASSWORD_EMAILS: Readonly<Record<Language, Texts>> = {
  en: {
    heading: (organization) => `A new password at ${organization}`,
    paragraphs: {
      link: () => [
        ASKED,
        'Open this link to choose it. It works once, within one hour, until you ask for a newer one. You are then signed out everywhere.',
      ],
      directory: () => [
        ASKED,
        'You sign in here with the password of your organization’s directory. Change it there, or ask the people who look after the directory.',
      ],
      operator: () => [
        ASKED,
        'An administrator gave your account this address, so no link is sent to it. Ask the operators of this server for one.',
      ],
      provider: (providers) => [
        ASKED,
        `Your account has no password: you sign in here with ${providers}. Open the sign-in page of this server and choose that way.`,
      ],
    },
    action: 'Choose a new password',
    note: 'If you did not ask for it, you need not do anything: nothing changes. Do not pass this email on.',
  },
  fa: {
    heading: (organization) => `گذرواژهٔ تازه در ${organization}`,
    paragraphs: {
      link: () => [
        ASKED_FA,
        'برای برگزیدن آن این پیوند را باز کنید. این پیوند تا یک ساعت و تنها یک بار کار می‌کند، مگر آنکه پیوند تازه‌تری بخواهید. آنگاه از همه جا خارج می‌شوید.',
      ],
      directory: () => [
        ASKED_FA,
        'شما اینجا با گذرواژهٔ فهرست کاربران سازمان خود وارد می‌شوید. آن را همان‌جا تغییر دهید یا از مسئولان آن کمک بخواهید.',
      ],
      operator: () => [
        ASKED_FA,
        'این نشانی را یک مدیر به حساب شما داده است، پس پیوندی به آن فرستاده نمی‌شود. از گردانندگان این سرور پیوند بخواهید.',
      ],
      provider: (providers) => [
        ASKED_FA,
        `حساب شما گذرواژه ندارد: اینجا با ${providers} وارد می‌شوید. صفحهٔ ورود این سرور را باز کنید و همان راه را برگزینید.`,
      ],
    },
    action: 'برگزیدن گذرواژهٔ تازه',
    note: 'اگر شما آن را نخواسته‌اید، کاری لازم نیست: چیزی تغییر نمی‌کند. این ایمیل را به کسی ندهید.',
  },
};
