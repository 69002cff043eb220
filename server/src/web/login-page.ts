// The HTML of signing in and out, in English and Persian. No script: only forms and messages.
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { formPage, otherLanguage, type PageValues } from './page.ts';
import { providerLinks, type OfferedProvider } from './provider-links.ts';

export type LoginProblem =
  'wrong' | 'off' | 'passkey' | 'deactivated' | 'too-many' | 'expired' | 'unavailable';

const TEXTS = {
  en: {
    signIn: 'Sign in',
    address: 'Email address',
    username: 'Email address or user name',
    password: 'Password',
    signedIn: 'You are signed in',
    as: 'In this browser you are',
    onwards: 'Go on',
    home: 'Your page',
    signOut: 'Sign out',
    everywhere: 'Sign out in all browsers',
    other: 'فارسی',
    known: 'This browser is known now. Sign in with your password.',
    passwordSet: 'Your new password is set. Sign in with it.',
    stageOver: 'That took too long, or had too many wrong answers. Sign in again.',
    forgotten: 'Forgot your password?',
    newcomer: 'New here? Create an account',
    offer:
      'Is somebody else trying your password? We can email you a link that makes this browser known; then their attempts do not count for you.',
    sendLink: 'Email me a link',
    problems: {
      wrong: 'Incorrect email or password.',
      off: 'The organization does not let people sign in with a password. Use another way.',
      passkey: 'This passkey does not open an account here. Sign in with your password.',
      deactivated: 'This account is deactivated. An administrator can reactivate it.',
      'too-many': 'There were too many attempts. Wait a while, then try again.',
      expired: 'This form is too old, or cookies are switched off. Please send it once more.',
      unavailable: 'Signing in is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    signIn: 'ورود',
    address: 'نشانی ایمیل',
    username: 'نشانی ایمیل یا نام کاربری',
    password: 'گذرواژه',
    signedIn: 'وارد شده‌اید',
    as: 'حساب شما در این مرورگر:',
    onwards: 'ادامه',
    home: 'صفحهٔ شما',
    signOut: 'خروج',
    everywhere: 'خروج از همهٔ مرورگرها',
    other: 'English',
    known: 'این مرورگر اکنون شناخته شده است. با گذرواژهٔ خود وارد شوید.',
    passwordSet: 'گذرواژهٔ تازهٔ شما ثبت شد. با آن وارد شوید.',
    stageOver: 'زمان زیادی گذشت یا پاسخ‌های نادرست زیاد بود. دوباره وارد شوید.',
    forgotten: 'گذرواژه را فراموش کرده‌اید؟',
    newcomer: 'تازه آمده‌اید؟ حساب بسازید',
    offer:
      'آیا کس دیگری گذرواژهٔ شما را امتحان می‌کند؟ می‌توانیم پیوندی به ایمیل شما بفرستیم که این مرورگر را می‌شناساند؛ آنگاه تلاش‌های آنان به حساب شما نمی‌آید.',
    sendLink: 'پیوند را برایم بفرست',
    problems: {
      wrong: 'نشانی ایمیل یا گذرواژه نادرست است.',
      off: 'سازمان ورود با گذرواژه را بسته است. از راه دیگری وارد شوید.',
      passkey: 'این گذرکلید حسابی را در اینجا باز نمی‌کند. با گذرواژهٔ خود وارد شوید.',
      deactivated: 'این حساب غیرفعال است. مدیر سازمان می‌تواند آن را دوباره فعال کند.',
      'too-many': 'تعداد تلاش‌ها بیش از حد مجاز بود. کمی صبر کنید و دوباره امتحان کنید.',
      expired: 'این فرم قدیمی شده یا کوکی‌ها غیرفعال‌اند. لطفاً آن را یک بار دیگر بفرستید.',
      unavailable: 'در حال حاضر ورود ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export interface LoginPage {
  readonly language: Language;
  readonly csrfToken: string;
  /** A path on this server, or undefined for the default. */
  readonly next: string | undefined;
  /** The address of the page in the other language; the sign-in page by default. */
  readonly path?: string;
}

export interface LoginForm extends LoginPage {
  /** What was typed before, so that only the password has to be typed again. */
  readonly username: string;
  readonly problem: LoginProblem | undefined;
  /** Whether the name need not be an address. */
  readonly takesNames: boolean;
  /** Whether a link can be sent that makes this browser known. */
  readonly offersLink: boolean;
  /** Whether people may sign in with a password at all. */
  readonly takesPasswords: boolean;
  /** Whether everybody may create an account. */
  readonly offersAccount: boolean;
  /** Other ways to sign in. */
  readonly providers: readonly OfferedProvider[];
  /** The form that asks for a passkey, as HTML; empty where there are none. */
  readonly passkey: string;
  /** What has just happened: a link made this browser known or set a new password, or a sign-in took too long. */
  readonly done: 'known' | 'passwordSet' | 'stageOver' | undefined;
}

export function renderLogin(values: PageValues, page: LoginForm): string {
  const text = TEXTS[page.language];
  const label = page.takesNames ? text.username : text.address;
  const alert =
    page.problem === undefined
      ? ''
      : `<p class="problem" role="alert" id="problem">${text.problems[page.problem]}</p>`;
  const note =
    page.done !== undefined && page.problem === undefined
      ? `<p class="lede" role="status">${text[page.done]}</p>`
      : '';
  const described = page.problem === undefined ? '' : ' aria-describedby="problem"';
  const forgotten = `<p><a href="/accounts/password/reset/?lang=${page.language}">${text.forgotten}</a></p>`;
  const newcomer = `<p><a href="/accounts/register/?lang=${page.language}">${text.newcomer}</a></p>`;
  return renderLoginFrame(
    values,
    page,
    text.signIn,
    `${alert}${note}
    ${page.takesPasswords ? passwordForm(page, label, described) : ''}
    ${page.passkey}
    ${providerLinks(page, page.providers)}
    ${page.takesPasswords ? forgotten : ''}
    ${page.offersAccount ? newcomer : ''}
    ${page.offersLink && page.problem === 'too-many' ? offer(page) : ''}`,
  );
}

function passwordForm(page: LoginForm, label: string, described: string): string {
  const text = TEXTS[page.language];
  return `<form class="form" method="post" action="/accounts/login/">
      ${hidden(page)}
      <label for="username">${label}</label>
      <input id="username" name="username" type="${page.takesNames ? 'text' : 'email'}" dir="ltr" required
        autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254"
        value="${escapeHtml(page.username)}"${described}>
      <label for="password">${text.password}</label>
      <input id="password" name="password" type="password" dir="ltr" required
        autocomplete="current-password" maxlength="1000"${described}>
      <button class="button primary" type="submit">${text.signIn}</button>
    </form>`;
}

/** For a person whom others have locked out. */
function offer(page: LoginForm): string {
  const text = TEXTS[page.language];
  return `<form class="form" method="post" action="/accounts/login/device/">
      <p>${text.offer}</p>
      ${hidden(page)}
      <label for="device-email">${text.address}</label>
      <input id="device-email" name="email" type="email" dir="ltr" required autocomplete="email"
        autocapitalize="none" spellcheck="false" maxlength="254" value="${escapeHtml(page.username)}">
      <button class="button" type="submit">${text.sendLink}</button>
    </form>`;
}

export function renderSignedIn(
  values: PageValues,
  page: LoginPage,
  person: { readonly fullName: string; readonly email: string },
): string {
  const text = TEXTS[page.language];
  const onwards = `<a class="button primary" href="${escapeHtml(page.next ?? `/?lang=${page.language}`)}">${
    page.next === undefined ? text.home : text.onwards
  }</a>`;
  return renderLoginFrame(
    values,
    page,
    text.signedIn,
    `<p class="lede">${text.as} <bdi>${escapeHtml(person.fullName)}</bdi>
      (<bdi dir="ltr">${escapeHtml(person.email)}</bdi>)</p>
    <form class="actions" method="post" action="/accounts/logout/">
      ${hidden(page)}
      ${onwards}
      <button class="button" type="submit">${text.signOut}</button>
      <button class="button" type="submit" name="everywhere" value="true">${text.everywhere}</button>
    </form>`,
  );
}

/** A sign-in page, with its heading and a link to the other language. */
export function renderLoginFrame(
  values: PageValues,
  page: LoginPage,
  heading: string,
  body: string,
): string {
  const { language, next, path = '/login/' } = page;
  const query = new URLSearchParams({
    lang: otherLanguage(language),
    ...(next !== undefined && { next }),
  });
  return formPage(values, {
    language,
    title: heading,
    heading,
    body,
    otherHref: `${path}?${escapeHtml(query.toString())}`,
    otherLabel: TEXTS[language].other,
  });
}

/** The hidden fields of every form on these pages. */
export const hidden = ({ csrfToken, next, language }: LoginPage): string =>
  [
    field('csrfmiddlewaretoken', csrfToken),
    field('lang', language),
    ...(next === undefined ? [] : [field('next', next)]),
  ].join('\n      ');

const field = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
