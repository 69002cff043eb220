// The HTML of choosing a new password by a link, in English and Persian. No script.
import { PASSWORD_MAX, PASSWORD_MIN } from '../accounts/passwords/rules.ts';
import { REASONS, type Reason } from '../accounts/passwords/reasons.ts';
import type { Revoke } from '../chat/administration/keys/actions.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { addressForm, sentPage, signInLink } from './link-page.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

const TEXTS = {
  en: {
    ask: 'Forgot your password?',
    why: 'Give your email address. You get a link with which you choose a new one.',
    directory:
      'If you sign in with the password of your organization’s directory, it is changed there and not here.',
    address: 'Email address',
    send: 'Email me a link',
    sent: 'Check your mailbox',
    sentWhy:
      'If this address has an account here, an email is on its way. Its link works once, within one hour, until you ask for another. If nothing comes, check the spam folder, or ask the operators of this server.',
    choose: 'Choose a new password',
    chooseWhy: 'You are then signed out in all browsers, and withdrawals are frozen for 24 hours.',
    whose: 'For the account',
    password: 'New password',
    hint: 'At least 8 characters. Four words that have nothing to do with each other are easy to remember.',
    again: 'The same once more',
    otp: 'Code of your second factor',
    otpHint: 'Six digits from your app, or one of your recovery codes.',
    revoke: 'Keys that end',
    revokes: {
      chat: 'Those of the chat: phones and programs sign in again',
      all: 'Those of the trading API too',
      none: 'None',
    },
    save: 'Set the password',
    over: 'This link cannot be used',
    problems: {
      expired: 'This form is too old, or cookies are switched off. Please send it once more.',
      shut: 'This server sends no email at the moment. Ask its operators: they can give you a link with which you choose a new password.',
      over: 'It was used already, is older than one hour, is not the newest, or was made for another address. You can ask for another.',
      busy: 'That is not possible at the moment. Try again shortly.',
      differ: 'The two passwords are not the same.',
      weak: 'This password is too easy to guess.',
      factor: 'This account has a second factor. Give a code of it too.',
      wrongFactor: 'This code is not right, or was used already. Wait for the next one.',
      tooMany: 'There were too many attempts. Wait a while, then try again.',
    },
  },
  fa: {
    ask: 'گذرواژه را فراموش کرده‌اید؟',
    why: 'نشانی ایمیل خود را بدهید. پیوندی می‌گیرید که با آن گذرواژه‌ای تازه برمی‌گزینید.',
    directory:
      'اگر با گذرواژهٔ فهرست کاربران سازمان خود وارد می‌شوید، آن را همان‌جا تغییر دهید نه اینجا.',
    address: 'نشانی ایمیل',
    send: 'پیوند را برایم بفرست',
    sent: 'صندوق ایمیل خود را ببینید',
    sentWhy:
      'اگر این نشانی اینجا حساب داشته باشد، ایمیلی در راه است. پیوند آن تا یک ساعت و تنها یک بار کار می‌کند، مگر آنکه پیوند دیگری بخواهید. اگر چیزی نرسید، پوشهٔ هرزنامه را ببینید یا از گردانندگان این سرور بپرسید.',
    choose: 'گذرواژه‌ای تازه برگزینید',
    chooseWhy: 'آنگاه از همهٔ مرورگرها خارج می‌شوید و برداشت‌ها تا ۲۴ ساعت بسته می‌مانند.',
    whose: 'برای حساب',
    password: 'گذرواژهٔ تازه',
    hint: 'دست‌کم ۸ نویسه. چهار واژهٔ بی‌ربط را آسان به یاد می‌سپارید.',
    again: 'همان، یک بار دیگر',
    otp: 'کد عامل دوم',
    otpHint: 'شش رقم از برنامهٔ شما، یا یکی از کدهای بازیابی.',
    revoke: 'کلیدهایی که پایان می‌یابند',
    revokes: {
      chat: 'کلیدهای گفت‌وگو: گوشی‌ها و برنامه‌ها دوباره وارد می‌شوند',
      all: 'کلیدهای معاملاتی نیز',
      none: 'هیچ‌کدام',
    },
    save: 'ثبت گذرواژه',
    over: 'این پیوند قابل استفاده نیست',
    problems: {
      expired: 'این فرم قدیمی شده یا کوکی‌ها غیرفعال‌اند. لطفاً آن را یک بار دیگر بفرستید.',
      shut: 'این سرور اکنون ایمیل نمی‌فرستد. از گردانندگان آن بخواهید: می‌توانند پیوندی به شما بدهند که با آن گذرواژه‌ای تازه برمی‌گزینید.',
      over: 'پیش‌تر استفاده شده، بیش از یک ساعت از آن گذشته، تازه‌ترین نیست یا برای نشانی دیگری بوده است. می‌توانید پیوندی دیگر بخواهید.',
      busy: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
      differ: 'دو گذرواژه یکی نیستند.',
      weak: 'حدس زدن این گذرواژه بسیار آسان است.',
      factor: 'این حساب عامل دوم دارد. کدی از آن را نیز بدهید.',
      wrongFactor: 'این کد درست نیست یا پیش‌تر به کار رفته است. کد بعدی را بدهید.',
      tooMany: 'تعداد تلاش‌ها بیش از حد مجاز بود. کمی صبر کنید و دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export const RESET_PATH = '/accounts/password/reset/';
/** Where an opened link leads: an address without its key. */
export const RESET_USE_PATH = `${RESET_PATH}new/`;

export type ResetProblem = keyof (typeof TEXTS)['en']['problems'];

const alertOf = (language: Language, problem: ResetProblem | undefined, reason?: Reason): string =>
  problem === undefined
    ? ''
    : `<p class="problem" role="alert" id="problem">${TEXTS[language].problems[problem]}${
        reason === undefined ? '' : ` ${REASONS[reason][language]}`
      }</p>`;

export interface AskPage extends LoginPage {
  readonly email: string;
  readonly problem?: ResetProblem | undefined;
  readonly hasDirectory: boolean;
}

/** Asks for an address; `problem` says why again. */
export function renderAsk(values: PageValues, page: AskPage): string {
  const text = TEXTS[page.language];
  const { problem } = page;
  const form = addressForm(page, RESET_PATH, text);
  return renderLoginFrame(
    values,
    { ...page, path: RESET_PATH },
    problem === 'over' ? text.over : text.ask,
    `${alertOf(page.language, problem)}
    ${problem === undefined ? `<p class="lede">${text.why}</p>` : ''}
    ${page.hasDirectory ? `<p class="lede">${text.directory}</p>` : ''}
    ${problem === 'shut' ? '' : form}
    ${signInLink(page)}`,
  );
}

export const renderSent = (values: PageValues, page: LoginPage): string =>
  sentPage(values, page, RESET_PATH, TEXTS[page.language]);

export interface ChoosePage extends LoginPage {
  readonly email: string;
  readonly problem?: ResetProblem | undefined;
  /** What is wrong with the password, if it is weak. */
  readonly reason?: Reason | undefined;
  /** Whether the account has a second factor. */
  readonly asksFactor: boolean;
  readonly revoke: Revoke;
}

const factorField = ({ language, asksFactor }: ChoosePage): string =>
  asksFactor
    ? `<label for="otp">${TEXTS[language].otp}</label>
      <input id="otp" name="otp" type="text" dir="ltr" required autocomplete="one-time-code" autocapitalize="none"
        spellcheck="false" maxlength="32" aria-describedby="otp-hint">
      <p class="hint" id="otp-hint">${TEXTS[language].otpHint}</p>`
    : '';

const revokeField = ({ language, revoke }: ChoosePage): string => {
  const { revoke: label, revokes } = TEXTS[language];
  const options = Object.entries(revokes).map(
    ([value, said]) =>
      `<option value="${value}"${value === revoke ? ' selected' : ''}>${said}</option>`,
  );
  return `<label for="revoke">${label}</label>
      <select id="revoke" name="revoke">${options.join('')}</select>`;
};

export function renderChoose(values: PageValues, page: ChoosePage): string {
  const text = TEXTS[page.language];
  const described = page.problem === undefined ? 'hint' : 'problem hint';
  return renderLoginFrame(
    values,
    { ...page, path: RESET_USE_PATH },
    text.choose,
    `${alertOf(page.language, page.problem, page.reason)}
    <p class="lede">${text.chooseWhy}</p>
    <form class="form" method="post" action="${RESET_USE_PATH}">
      ${hidden(page)}
      <label for="email">${text.whose}</label>
      <input id="email" type="email" dir="ltr" readonly autocomplete="username" value="${escapeHtml(page.email)}">
      <label for="password">${text.password}</label>
      <input id="password" name="password" type="password" dir="ltr" required autocomplete="new-password"
        minlength="${PASSWORD_MIN}" maxlength="${PASSWORD_MAX}" aria-describedby="${described}">
      <p class="hint" id="hint">${text.hint}</p>
      <label for="again">${text.again}</label>
      <input id="again" name="again" type="password" dir="ltr" required autocomplete="new-password"
        maxlength="${PASSWORD_MAX}">
      ${factorField(page)}
      ${revokeField(page)}
      <button class="button primary" type="submit">${text.save}</button>
    </form>`,
  );
}
