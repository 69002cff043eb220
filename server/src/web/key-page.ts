// The HTML of a person's API key, in English and Persian. It is shown after the password, and never by itself.
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

const TEXTS = {
  en: {
    heading: 'Your API key',
    why: 'Programs that write in your name use your email address and this key. Anybody who has it can do in the chat what you can, so it is shown for your password or a second factor only.',
    password: 'Password',
    show: 'Show the key',
    download: 'Download zuliprc',
    renew: 'Make a new key',
    renewWhy: 'A new key ends the old one at once: phones and programs have to sign in again.',
    key: 'API key',
    file: 'The same as a file zuliprc, for Zulip’s libraries and terminal client',
    renewed: 'This is your new key. The old one no longer works.',
    back: 'Back to your page',
    problems: {
      wrong: 'The password is not right.',
      'too-many': 'There were too many attempts. Wait a while, then try again.',
      expired: 'This form is too old. Please send it once more.',
      unavailable: 'That is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    heading: 'کلید API شما',
    why: 'برنامه‌هایی که به نام شما می‌نویسند از نشانی ایمیل شما و این کلید استفاده می‌کنند. هر کس آن را داشته باشد می‌تواند در گفت‌وگو همان کارهایی را بکند که شما می‌توانید، پس تنها با گذرواژه یا عامل دوم نشان داده می‌شود.',
    password: 'گذرواژه',
    show: 'نمایش کلید',
    download: 'دریافت zuliprc',
    renew: 'ساختن کلید تازه',
    renewWhy:
      'کلید تازه بی‌درنگ کلید پیشین را از کار می‌اندازد: گوشی‌ها و برنامه‌ها باید دوباره وارد شوند.',
    key: 'کلید API',
    file: 'همان به صورت فایل zuliprc برای کتابخانه‌ها و برنامهٔ پایانهٔ زولیپ',
    renewed: 'این کلید تازهٔ شماست. کلید پیشین دیگر کار نمی‌کند.',
    back: 'بازگشت به صفحهٔ شما',
    problems: {
      wrong: 'گذرواژه درست نیست.',
      'too-many': 'تعداد تلاش‌ها بیش از حد مجاز بود. کمی صبر کنید و دوباره امتحان کنید.',
      expired: 'این فرم قدیمی شده است. لطفاً آن را یک بار دیگر بفرستید.',
      unavailable: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export const KEY_PATH = '/account/key/';

export type KeyProblem = keyof (typeof TEXTS)['en']['problems'];

export interface KeyForm extends LoginPage {
  readonly email: string;
  /** Not of somebody who has shown a second factor. */
  readonly asksPassword: boolean;
  readonly problem?: KeyProblem | undefined;
}

/** Asks what to do, and for the password of somebody without a second factor. */
export function renderKeyForm(values: PageValues, page: KeyForm): string {
  const text = TEXTS[page.language];
  const { problem } = page;
  const alert =
    problem === undefined
      ? ''
      : `<p class="problem" role="alert" id="problem">${text.problems[problem]}</p>`;
  const described = problem === undefined ? '' : ' aria-describedby="problem"';
  const password = page.asksPassword
    ? `<label for="password">${text.password}</label>
      <input id="password" name="password" type="password" dir="ltr" required
        autocomplete="current-password" maxlength="1000"${described}>`
    : '';
  return renderLoginFrame(
    values,
    { ...page, path: KEY_PATH },
    text.heading,
    `${alert}<p class="lede">${text.why}</p>
    <form class="form" method="post" action="${KEY_PATH}">
      ${hidden(page)}
      <input type="text" name="username" autocomplete="username" value="${escapeHtml(page.email)}" readonly hidden>
      ${password}
      <button class="button primary" type="submit" name="do" value="show">${text.show}</button>
      <button class="button" type="submit" name="do" value="download">${text.download}</button>
      <button class="button" type="submit" name="do" value="renew">${text.renew}</button>
      <p>${text.renewWhy}</p>
    </form>
    ${back(page)}`,
  );
}

export interface ShownKey extends LoginPage {
  readonly key: string;
  readonly file: string;
  readonly isNew: boolean;
}

export function renderKey(values: PageValues, page: ShownKey): string {
  const text = TEXTS[page.language];
  return renderLoginFrame(
    values,
    { ...page, path: KEY_PATH },
    text.heading,
    `${page.isNew ? `<p class="lede" role="status">${text.renewed}</p>` : ''}
    <h2>${text.key}</h2>
    <pre tabindex="0" role="region" aria-label="${text.key}"><code>${escapeHtml(page.key)}</code></pre>
    <h2>zuliprc</h2>
    <p>${text.file}</p>
    <pre tabindex="0" role="region" aria-label="zuliprc"><code>${escapeHtml(page.file)}</code></pre>
    ${back(page)}`,
  );
}

const back = ({ language }: LoginPage): string =>
  `<p><a href="/?lang=${language}">${TEXTS[language].back}</a></p>`;
