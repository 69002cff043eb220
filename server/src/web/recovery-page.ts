// The HTML of a recovery: choosing a new password by its link, and canceling it. English and Persian, no script.
import { REASONS, type Reason } from '../accounts/passwords/reasons.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '../accounts/passwords/rules.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { signInLink } from './link-page.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

const TEXTS = {
  en: {
    title: 'Recovery of your account',
    why: 'Choose a new password. All sessions, keys and second factors end, and withdrawals are frozen for 7 days. At your next sign-in you add a new second factor.',
    whose: 'For the account',
    password: 'New password',
    again: 'The same once more',
    save: 'Set the password',
    cancelWhy:
      'Somebody asked to open your account without your password and factors. If that was not you, cancel it.',
    cancel: 'Cancel the recovery',
    over: 'This link cannot be used',
    said: {
      over: 'It was used already, is too old, or the recovery was canceled.',
      expired: 'This form is too old, or cookies are switched off. Please send it once more.',
      differ: 'The two passwords are not the same.',
      weak: 'This password is too easy to guess.',
      busy: 'That is not possible at the moment. Try again shortly.',
      canceled:
        'The recovery was canceled. Change your password, and tell the operators of this server.',
    },
  },
  fa: {
    title: 'بازیابی حساب شما',
    why: 'گذرواژه‌ای تازه برگزینید. همهٔ نشست‌ها، کلیدها و عامل‌های دوم پایان می‌یابند و برداشت‌ها تا ۷ روز بسته می‌مانند. در ورود بعدی عامل دوم تازه‌ای می‌افزایید.',
    whose: 'برای حساب',
    password: 'گذرواژهٔ تازه',
    again: 'همان، یک بار دیگر',
    save: 'ثبت گذرواژه',
    cancelWhy:
      'کسی خواسته است حساب شما بدون گذرواژه و عامل‌هایتان باز شود. اگر شما نبوده‌اید، آن را لغو کنید.',
    cancel: 'لغو بازیابی',
    over: 'این پیوند قابل استفاده نیست',
    said: {
      over: 'پیش‌تر استفاده شده، بسیار قدیمی است یا بازیابی لغو شده است.',
      expired: 'این فرم قدیمی شده یا کوکی‌ها غیرفعال‌اند. لطفاً آن را یک بار دیگر بفرستید.',
      differ: 'دو گذرواژه یکی نیستند.',
      weak: 'حدس زدن این گذرواژه بسیار آسان است.',
      busy: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
      canceled: 'بازیابی لغو شد. گذرواژهٔ خود را عوض کنید و گردانندگان این سرور را آگاه کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export const RECOVERY_PATH = '/accounts/recovery/';
/** Where opened links lead: addresses without their keys. */
export const RECOVERY_USE_PATH = `${RECOVERY_PATH}new/`;
export const CANCEL_PATH = `${RECOVERY_PATH}cancel/`;
export const CANCEL_USE_PATH = `${CANCEL_PATH}use/`;

export type RecoverySaid = keyof (typeof TEXTS)['en']['said'];

const saidOf = (language: Language, said: RecoverySaid | undefined, reason?: Reason): string => {
  if (said === undefined) return '';
  const look = said === 'canceled' ? 'lede" role="status' : 'problem" role="alert';
  const why = reason === undefined ? '' : ` ${REASONS[reason][language]}`;
  return `<p class="${look}" id="problem">${TEXTS[language].said[said]}${why}</p>`;
};

/** Says what has happened, or why nothing has. */
export const renderRecoverySaid = (
  values: PageValues,
  page: LoginPage,
  said: RecoverySaid,
): string =>
  renderLoginFrame(
    values,
    { ...page, path: RECOVERY_USE_PATH },
    said === 'over' ? TEXTS[page.language].over : TEXTS[page.language].title,
    `${saidOf(page.language, said)}
    ${signInLink(page)}`,
  );

export interface RecoveryPage extends LoginPage {
  readonly email: string;
  readonly said?: RecoverySaid | undefined;
  readonly reason?: Reason | undefined;
}

export function renderRecovery(values: PageValues, page: RecoveryPage): string {
  const text = TEXTS[page.language];
  const field = (id: 'password' | 'again') => `<label for="${id}">${text[id]}</label>
      <input id="${id}" name="${id}" type="password" dir="ltr" required autocomplete="new-password"
        minlength="${PASSWORD_MIN}" maxlength="${PASSWORD_MAX}">`;
  return renderLoginFrame(
    values,
    { ...page, path: RECOVERY_USE_PATH },
    text.title,
    `${saidOf(page.language, page.said, page.reason)}
    <p class="lede">${text.why}</p>
    <form class="form" method="post" action="${RECOVERY_USE_PATH}">
      ${hidden(page)}
      <label for="email">${text.whose}</label>
      <input id="email" type="email" dir="ltr" readonly autocomplete="username" value="${escapeHtml(page.email)}">
      ${field('password')}
      ${field('again')}
      <button class="button primary" type="submit">${text.save}</button>
    </form>`,
  );
}

export const renderCancel = (
  values: PageValues,
  page: LoginPage & { readonly said?: RecoverySaid | undefined },
): string =>
  renderLoginFrame(
    values,
    { ...page, path: CANCEL_USE_PATH },
    TEXTS[page.language].title,
    `${saidOf(page.language, page.said)}
    <p class="lede">${TEXTS[page.language].cancelWhy}</p>
    <form class="form" method="post" action="${CANCEL_USE_PATH}">
      ${hidden(page)}
      <button class="button primary" type="submit">${TEXTS[page.language].cancel}</button>
    </form>`,
  );
