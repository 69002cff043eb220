// The HTML of the link that makes a browser known, in English and Persian. No script.
import type { Language } from '../platform/std/language.ts';
import { addressForm, sentPage, signInLink } from './link-page.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

const TEXTS = {
  en: {
    ask: 'Make this browser known',
    why: 'If you cannot sign in because others try your password, give your email address. You get a link that makes this browser known; their attempts then do not count for you.',
    address: 'Email address',
    send: 'Email me a link',
    sent: 'Check your mailbox',
    sentWhy:
      'If this address has an account here, a link is on its way. It works once, within 24 hours. Links that you got before stay good, so use any of them. If nothing comes, check the spam folder.',
    use: 'Make this browser known?',
    useWhy: 'You can then sign in with it, with your password, whatever others try.',
    yes: 'Yes, this is my browser',
    over: 'This link cannot be used',
    overWhy: 'It was used already, or is older than 24 hours. You can ask for another.',
    shut: 'This server sends no email at the moment. Ask an administrator.',
    expired: 'This form is too old, or cookies are switched off. Please send it once more.',
    busy: 'That is not possible at the moment. Try again shortly.',
  },
  fa: {
    ask: 'شناساندن این مرورگر',
    why: 'اگر چون دیگران گذرواژهٔ شما را امتحان می‌کنند نمی‌توانید وارد شوید، نشانی ایمیل خود را بدهید. پیوندی می‌گیرید که این مرورگر را می‌شناساند؛ آنگاه تلاش‌های آنان به حساب شما نمی‌آید.',
    address: 'نشانی ایمیل',
    send: 'پیوند را برایم بفرست',
    sent: 'صندوق ایمیل خود را ببینید',
    sentWhy:
      'اگر این نشانی اینجا حساب داشته باشد، پیوندی در راه است. این پیوند تا ۲۴ ساعت و تنها یک بار کار می‌کند. پیوندهایی که پیش‌تر گرفته‌اید معتبر می‌مانند؛ هر کدام را به کار ببرید. اگر چیزی نرسید، پوشهٔ هرزنامه را ببینید.',
    use: 'این مرورگر شناخته شود؟',
    useWhy: 'آنگاه می‌توانید با آن و با گذرواژهٔ خود وارد شوید، هر چه دیگران امتحان کنند.',
    yes: 'بله، این مرورگر من است',
    over: 'این پیوند قابل استفاده نیست',
    overWhy: 'پیش‌تر استفاده شده یا بیش از ۲۴ ساعت از آن گذشته است. می‌توانید پیوندی دیگر بخواهید.',
    shut: 'این سرور اکنون ایمیل نمی‌فرستد. از یک مدیر کمک بخواهید.',
    expired: 'این فرم قدیمی شده یا کوکی‌ها غیرفعال‌اند. لطفاً آن را یک بار دیگر بفرستید.',
    busy: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
  },
} as const satisfies Record<Language, unknown>;

export const DEVICE_PATH = '/accounts/login/device/';
/** Where an opened link leads: an address without its key. */
export const USE_PATH = `${DEVICE_PATH}use/`;

export type DeviceProblem = 'expired' | 'shut' | 'over' | 'busy';

/** Asks for an address; `problem` says why again. */
export function renderAsk(
  values: PageValues,
  page: LoginPage & { readonly email: string; readonly problem?: DeviceProblem | undefined },
): string {
  const text = TEXTS[page.language];
  const said = {
    expired: text.expired,
    shut: text.shut,
    over: text.overWhy,
    busy: text.busy,
  };
  const alert =
    page.problem === undefined
      ? ''
      : `<p class="problem" role="alert" id="problem">${said[page.problem]}</p>`;
  const form = addressForm(page, DEVICE_PATH, text);
  return renderLoginFrame(
    values,
    { ...page, path: DEVICE_PATH },
    page.problem === 'over' ? text.over : text.ask,
    `${alert}${page.problem === undefined ? `<p class="lede">${text.why}</p>` : ''}
    ${page.problem === 'shut' ? '' : form}
    ${signInLink(page)}`,
  );
}

export const renderSent = (values: PageValues, page: LoginPage): string =>
  sentPage(values, page, DEVICE_PATH, TEXTS[page.language]);

export function renderUse(values: PageValues, page: LoginPage): string {
  const text = TEXTS[page.language];
  return renderLoginFrame(
    values,
    { ...page, path: USE_PATH },
    text.use,
    `<p class="lede">${text.useWhy}</p>
    <form class="form" method="post" action="${USE_PATH}">
      ${hidden(page)}
      <button class="button primary" type="submit">${text.yes}</button>
    </form>`,
  );
}
