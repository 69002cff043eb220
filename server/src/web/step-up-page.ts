// The HTML of the page that asks a person who is signed in to prove again that they are there.
import type { StepUpMethod } from '../accounts/second-factors/errors.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

const TEXTS = {
  en: {
    heading: 'Is it still you?',
    why: 'What you asked for could do harm in other hands, so please prove once more that it is you.',
    code: 'Code of your authenticator app',
    codeHint:
      'Six digits. A code that you used a moment ago does not count again: wait for the next one.',
    password: 'Password',
    passkeyOnly: 'This account has a passkey. Use it in a browser that supports passkeys.',
    go: 'Go on',
    back: 'Back to your page',
    problems: {
      wrong: 'That is not right, or was used before. Five wrong answers sign this browser out.',
      'too-many': 'There were too many attempts. Wait a while, then try again.',
      expired: 'This form is too old. Please send it once more.',
      unavailable: 'That is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    heading: 'هنوز خودتان هستید؟',
    why: 'آنچه خواستید در دست دیگران می‌تواند زیان‌بار باشد، پس لطفاً یک بار دیگر نشان دهید که خودتان هستید.',
    code: 'کد برنامهٔ احراز هویت شما',
    codeHint:
      'شش رقم. کدی که لحظه‌ای پیش به کار برده‌اید دوباره پذیرفته نمی‌شود: منتظر کد بعدی بمانید.',
    password: 'گذرواژه',
    passkeyOnly:
      'این حساب گذرکلید دارد. آن را در مرورگری به کار ببرید که از گذرکلید پشتیبانی می‌کند.',
    go: 'ادامه',
    back: 'بازگشت به صفحهٔ شما',
    problems: {
      wrong:
        'درست نیست یا پیش‌تر به کار رفته است. پنج پاسخ نادرست این مرورگر را از حساب خارج می‌کند.',
      'too-many': 'تعداد تلاش‌ها بیش از حد مجاز بود. کمی صبر کنید و دوباره امتحان کنید.',
      expired: 'این فرم قدیمی شده است. لطفاً آن را یک بار دیگر بفرستید.',
      unavailable: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export const STEP_UP_PATH = '/accounts/step_up/';

export type StepUpProblem = keyof (typeof TEXTS)['en']['problems'];

export interface StepUpForm extends LoginPage {
  readonly email: string;
  readonly methods: readonly StepUpMethod[];
  readonly problem?: StepUpProblem | undefined;
  /** The form that asks for a passkey, as HTML; empty if there is none. */
  readonly passkey: string;
}

export function renderStepUp(values: PageValues, page: StepUpForm): string {
  const text = TEXTS[page.language];
  const { problem } = page;
  const alert =
    problem === undefined
      ? ''
      : `<p class="problem" role="alert" id="problem">${text.problems[problem]}</p>`;
  const field = fieldOf(page);
  const form =
    field === undefined
      ? `<p data-passkey-note>${text.passkeyOnly}</p>`
      : `<form class="form" method="post" action="${STEP_UP_PATH}">
      ${hidden(page)}
      <input type="text" name="username" autocomplete="username" value="${escapeHtml(page.email)}" readonly hidden>
      ${field}
      <button class="button primary" type="submit">${text.go}</button>
    </form>`;
  return renderLoginFrame(
    values,
    { ...page, path: STEP_UP_PATH },
    text.heading,
    `${alert}<p class="lede">${text.why}</p>
    ${page.passkey}
    ${form}
    <p><a href="/?lang=${page.language}">${text.back}</a></p>`,
  );
}

/** The field for what this person can type; undefined if there is nothing to type. */
function fieldOf({ language, methods, problem }: StepUpForm): string | undefined {
  const text = TEXTS[language];
  const described = problem === undefined ? '' : ' aria-describedby="problem"';
  if (methods.includes('totp')) {
    return `<label for="code">${text.code}</label>
      <input id="code" name="code" type="text" dir="ltr" required inputmode="numeric"
        autocomplete="one-time-code" maxlength="12"${described}>
      <p>${text.codeHint}</p>`;
  }
  if (!methods.includes('password')) return undefined;
  return `<label for="password">${text.password}</label>
      <input id="password" name="password" type="password" dir="ltr" required
        autocomplete="current-password" maxlength="1000"${described}>`;
}
