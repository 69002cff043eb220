// The texts of notices, in both languages. Every notice says what happened, from where, and what to do if it was somebody
// else.
import type { Language } from '../../platform/std/language.ts';

/** What a notice may mention, each on a line of its own. Never a code, a key or a secret. */
export interface NoticeFacts {
  /** The network address from where it was done. */
  readonly address?: string;
  /** The browser or program. */
  readonly device?: string;
  /** The name of a key, a passkey, a provider or a grant. */
  readonly name?: string;
  /** Who did it, if it was not the reader. */
  readonly by?: string;
  /** A new email address. */
  readonly email?: string;
  /** Until when something is frozen or waits, as text. */
  readonly until?: string;
}

export interface Notice {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly note: string;
}

type Texts = Readonly<Record<string, readonly [heading: string, what: string]>>;

const ENGLISH = {
  new_device: ['New sign-in', 'Your account was opened in a browser that we had not seen before.'],
  new_app: ['An app was signed in', 'An app got its own key for your account.'],
  cli_grant: ['Command line signed in', 'A command line may act for you as an operator.'],
  password_changed: ['Your password was changed', 'Your account has a new password.'],
  address_changed: [
    'Your email address was changed',
    'Your account has a new email address. This mailbox gets no more emails about it.',
  ],
  address_set: [
    'This is your email address now',
    'Your account has this email address from now on. Emails about it come here.',
  ],
  factor_added: ['Second factor added', 'Signing in now asks for one more proof.'],
  factor_removed: ['Second factor removed', 'A second factor was removed from your account.'],
  recovery_code_used: [
    'A recovery code was used',
    'Somebody signed in with a recovery code of your account. It cannot be used again.',
  ],
  passkey_suspected: [
    'A passkey may have been copied',
    'A passkey of yours was used in a way that suggests a copy. It opens nothing until you decide in your settings.',
  ],
  password_known: [
    'Somebody knows your password',
    'Somebody gave your right password, and then several wrong codes. Change your password.',
  ],
  trading_key_created: ['New trading key', 'A trading key was created for your account.'],
  trading_key_changed: ['Trading key changed', 'The terms of a trading key were changed.'],
  chat_key_created: ['New chat key', 'A key for the chat was created for your account.'],
  identity_linked: ['Sign-in provider added', 'Your account can be opened through a provider.'],
  identity_removed: ['Sign-in provider removed', 'A provider no longer opens your account.'],
  grant_changed: ['Operator rights changed', 'What you may do as an operator has changed.'],
  recovery_asked: [
    'Recovery of your account was asked for',
    'Operators were asked to open your account without its factors. Any sign-in of yours stops this.',
  ],
  recovery_approved: [
    'Recovery of your account was approved',
    'It takes effect after a waiting time. Any sign-in of yours stops it.',
  ],
  recovery_usable: [
    'Your account can be opened again',
    'Open the link within 24 hours and choose a new password. Your factors and keys end, and you add a new factor at once.',
  ],
  recovery_canceled: ['Recovery of your account was canceled', 'Nothing has changed.'],
} as const satisfies Texts;

export type NoticeKind = keyof typeof ENGLISH;

const PERSIAN: Readonly<Record<NoticeKind, readonly [heading: string, what: string]>> = {
  new_device: ['ورود تازه', 'حساب شما در مرورگری باز شد که پیش از این ندیده بودیم.'],
  new_app: ['ورود یک برنامه', 'برنامه‌ای کلید خود را برای حساب شما گرفت.'],
  cli_grant: [
    'ورود از خط فرمان',
    'یک خط فرمان می‌تواند به‌عنوان گردانندهٔ سامانه برای شما کار کند.',
  ],
  password_changed: ['گذرواژهٔ شما عوض شد', 'حساب شما گذرواژهٔ تازه‌ای دارد.'],
  address_changed: [
    'نشانی ایمیل شما عوض شد',
    'حساب شما نشانی ایمیل تازه‌ای دارد. به این صندوق دیگر ایمیلی دربارهٔ آن فرستاده نمی‌شود.',
  ],
  address_set: [
    'این اکنون نشانی ایمیل شماست',
    'حساب شما از این پس این نشانی ایمیل را دارد. ایمیل‌های مربوط به آن به اینجا می‌آیند.',
  ],
  factor_added: ['عامل دوم افزوده شد', 'از این پس هنگام ورود یک مدرک دیگر هم خواسته می‌شود.'],
  factor_removed: ['عامل دوم حذف شد', 'یک عامل دوم از حساب شما حذف شد.'],
  recovery_code_used: [
    'یک کد بازیابی به کار رفت',
    'کسی با یکی از کدهای بازیابی شما وارد شد. این کد دیگر به کار نمی‌آید.',
  ],
  passkey_suspected: [
    'شاید از یک گذرکلید رونوشت گرفته شده باشد',
    'یکی از گذرکلیدهای شما چنان به کار رفت که گویی رونوشتی از آن هست. تا در تنظیمات تصمیم نگیرید، چیزی را باز نمی‌کند.',
  ],
  password_known: [
    'کسی گذرواژهٔ شما را می‌داند',
    'کسی گذرواژهٔ درست شما را داد و پس از آن چند کد نادرست. گذرواژهٔ خود را عوض کنید.',
  ],
  trading_key_created: ['کلید معاملاتی تازه', 'یک کلید معاملاتی برای حساب شما ساخته شد.'],
  trading_key_changed: ['کلید معاملاتی تغییر کرد', 'شرایط یک کلید معاملاتی تغییر کرد.'],
  chat_key_created: ['کلید گفت‌وگوی تازه', 'یک کلید گفت‌وگو برای حساب شما ساخته شد.'],
  identity_linked: ['راه ورود تازه', 'حساب شما از راه یک ارائه‌دهندهٔ هویت هم باز می‌شود.'],
  identity_removed: ['یک راه ورود حذف شد', 'یک ارائه‌دهندهٔ هویت دیگر حساب شما را باز نمی‌کند.'],
  grant_changed: [
    'اختیارهای گرداننده تغییر کرد',
    'آنچه به‌عنوان گرداننده می‌توانید انجام دهید تغییر کرده است.',
  ],
  recovery_asked: [
    'بازیابی حساب شما درخواست شد',
    'از گردانندگان خواسته شد حساب شما را بدون عامل‌هایش باز کنند. هر ورود شما جلوی آن را می‌گیرد.',
  ],
  recovery_approved: [
    'بازیابی حساب شما پذیرفته شد',
    'پس از مدت انتظار انجام می‌شود. هر ورود شما جلوی آن را می‌گیرد.',
  ],
  recovery_usable: [
    'حساب شما را می‌توان دوباره باز کرد',
    'پیوند را تا ۲۴ ساعت باز کنید و گذرواژه‌ای تازه برگزینید. عامل‌ها و کلیدهای شما پایان می‌یابند و بی‌درنگ عامل تازه‌ای می‌افزایید.',
  ],
  recovery_canceled: ['بازیابی حساب شما لغو شد', 'چیزی تغییر نکرد.'],
};

const FACT_LABELS: Readonly<Record<Language, Readonly<Record<keyof NoticeFacts, string>>>> = {
  en: {
    address: 'Network address',
    device: 'Browser or program',
    name: 'Name',
    by: 'By',
    email: 'New email address',
    until: 'Until',
  },
  fa: {
    address: 'نشانی شبکه',
    device: 'مرورگر یا برنامه',
    name: 'نام',
    by: 'از سوی',
    email: 'نشانی ایمیل تازه',
    until: 'تا',
  },
};

const NOTE: Readonly<Record<Language, string>> = {
  en: 'If this was not you, change your password, end all sessions, and tell the operators of this server.',
  fa: 'اگر این کار شما نبوده است، گذرواژهٔ خود را عوض کنید، همهٔ نشست‌ها را پایان دهید و گردانندگان این سرور را آگاه کنید.',
};

const TEXTS: Readonly<Record<Language, Readonly<Record<NoticeKind, readonly [string, string]>>>> = {
  en: ENGLISH,
  fa: PERSIAN,
};

export function noticeOf(language: Language, kind: NoticeKind, facts: NoticeFacts): Notice {
  const [heading, what] = TEXTS[language][kind];
  const labels = FACT_LABELS[language];
  const lines = (Object.keys(labels) as (keyof NoticeFacts)[]).flatMap((fact) => {
    const value = facts[fact];
    return value === undefined || value === '' ? [] : [`${labels[fact]}: ${value}`];
  });
  return { heading, paragraphs: [what, ...lines], note: NOTE[language] };
}
