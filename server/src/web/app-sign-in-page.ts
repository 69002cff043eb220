// The HTML that asks whether an app may be signed in, in English and Persian. No script.
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { signInLink } from './link-page.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

export const APP_PATH = '/accounts/login/app/';

const TEXTS = {
  en: {
    heading: 'Sign an app in?',
    as: 'It would get a key for the account of',
    why: 'An app on this device asked to be signed in. Say yes only if you have just begun this in the app: with the key, the app can do in the chat what you can.',
    yes: 'Sign the app in',
    again: 'Your last sign-in was a while ago. Sign in again to go on.',
    doAgain: 'Sign in again',
    no: 'No. Back to your page',
    problems: {
      form: 'This form is too old. Please send it once more.',
      expired: 'This sign-in of an app is too old, or was finished before. Start again in the app.',
      bad: 'The app asked in a way that is not understood: mobile_flow_otp has to be 64 hexadecimal digits. Update the app and try again.',
      'too-many': 'There were too many attempts. Wait a while, then try again.',
      unavailable: 'That is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    heading: 'برنامه‌ای وارد شود؟',
    as: 'این برنامه کلیدی می‌گیرد برای حساب',
    why: 'برنامه‌ای در این دستگاه درخواست ورود کرد. تنها اگر همین حالا این کار را در برنامه آغاز کرده‌اید بپذیرید: برنامه با این کلید می‌تواند در گفت‌وگو همان کارهایی را بکند که شما می‌توانید.',
    yes: 'برنامه وارد شود',
    again: 'از آخرین ورود شما مدتی گذشته است. برای ادامه دوباره وارد شوید.',
    doAgain: 'ورود دوباره',
    no: 'نه. بازگشت به صفحهٔ شما',
    problems: {
      form: 'این فرم قدیمی شده است. لطفاً آن را یک بار دیگر بفرستید.',
      expired: 'این ورود برنامه قدیمی است یا پیش‌تر انجام شده است. در برنامه دوباره شروع کنید.',
      bad: 'درخواست برنامه فهمیده نشد: mobile_flow_otp باید ۶۴ رقم شانزده‌شانزدهی باشد. برنامه را به‌روز کنید و دوباره امتحان کنید.',
      'too-many': 'تعداد تلاش‌ها بیش از حد مجاز بود. کمی صبر کنید و دوباره امتحان کنید.',
      unavailable: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export type AppProblem = Exclude<keyof (typeof TEXTS)['en']['problems'], 'form'>;

export interface AppForm extends LoginPage {
  readonly user: { readonly fullName: string; readonly email: string };
  /** Whether the person has lately proved to be there. */
  readonly isFresh: boolean;
  readonly problem: 'form' | undefined;
}

export function renderAppForm(values: PageValues, page: AppForm): string {
  const text = TEXTS[page.language];
  const { user, problem } = page;
  const alert =
    problem === undefined ? '' : `<p class="problem" role="alert">${text.problems[problem]}</p>`;
  const action = page.isFresh ? APP_PATH : `${APP_PATH}again/`;
  const note = page.isFresh ? '' : `<p>${text.again}</p>`;
  return renderLoginFrame(
    values,
    { ...page, path: APP_PATH },
    text.heading,
    `${alert}<p class="lede">${text.why}</p>
    <p>${text.as} <bdi>${escapeHtml(user.fullName)}</bdi>
      (<bdi dir="ltr">${escapeHtml(user.email)}</bdi>)</p>
    <form class="form" method="post" action="${action}">
      ${hidden(page)}
      ${note}
      <button class="button primary" type="submit">${page.isFresh ? text.yes : text.doAgain}</button>
    </form>
    <p><a href="/?lang=${page.language}">${text.no}</a></p>`,
  );
}

export function renderAppOver(
  values: PageValues,
  page: LoginPage & { readonly problem: AppProblem },
): string {
  const text = TEXTS[page.language];
  return renderLoginFrame(
    values,
    page,
    text.heading,
    `<p class="problem" role="alert">${text.problems[page.problem]}</p>
    ${signInLink(page)}`,
  );
}
