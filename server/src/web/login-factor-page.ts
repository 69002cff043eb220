// The HTML of the second stage of signing in, in English and Persian. No script.
import type { FactorKind } from '../accounts/second-factors/factor.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

export const FACTOR_PATH = '/accounts/login/factor/';

const TEXTS = {
  en: {
    heading: 'One more step',
    whose: 'Signing in as',
    code: 'Code from your authenticator app',
    codeHint:
      'Six digits. Each code works once: if you have just used one, wait for the next code.',
    confirm: 'Confirm',
    recovery: 'Use a recovery code instead',
    recoveryCode: 'Recovery code',
    recoveryHint: 'One of the ten codes that you kept. Each works once.',
    again: 'Sign in as somebody else',
    link: 'Email me a link that makes this browser known',
    problems: {
      wrong:
        'That did not match. A code works once and for about a minute; check the clock of your phone, or use another method.',
      expired: 'This form is too old, or cookies are switched off. Please send it once more.',
      'too-many': 'There were too many attempts. Wait a while, then try again.',
      unavailable: 'Signing in is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    heading: 'یک گام دیگر',
    whose: 'ورود به حساب',
    code: 'کد برنامهٔ احراز هویت',
    codeHint:
      'شش رقم. هر کد یک بار کار می‌کند: اگر همین حالا کدی را به کار برده‌اید، منتظر کد بعدی بمانید.',
    confirm: 'تأیید',
    recovery: 'به‌جای آن از کد بازیابی استفاده کنید',
    recoveryCode: 'کد بازیابی',
    recoveryHint: 'یکی از ده کدی که نگه داشته‌اید. هر کدام یک بار کار می‌کند.',
    again: 'ورود با حسابی دیگر',
    link: 'پیوندی برایم بفرست که این مرورگر را می‌شناساند',
    problems: {
      wrong:
        'درست نبود. هر کد یک بار و حدود یک دقیقه کار می‌کند؛ ساعت گوشی خود را ببینید یا راه دیگری را به کار ببرید.',
      expired: 'این فرم قدیمی شده یا کوکی‌ها غیرفعال‌اند. لطفاً آن را یک بار دیگر بفرستید.',
      'too-many': 'تعداد تلاش‌ها بیش از حد مجاز بود. کمی صبر کنید و دوباره امتحان کنید.',
      unavailable: 'در حال حاضر ورود ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export type FactorProblem = keyof (typeof TEXTS)['en']['problems'];

export interface FactorPage extends LoginPage {
  readonly email: string;
  readonly methods: readonly FactorKind[];
  readonly problem: FactorProblem | undefined;
  /** Whether a link can be sent that makes this browser known. */
  readonly offersLink: boolean;
  /** The form that asks for a passkey, as HTML; empty if there is none. */
  readonly passkey: string;
}

export function renderFactor(values: PageValues, page: FactorPage): string {
  const { language, methods, problem } = page;
  const text = TEXTS[language];
  const alert =
    problem === undefined
      ? ''
      : `<p class="problem" role="alert" id="problem">${text.problems[problem]}</p>`;
  const link =
    page.offersLink && problem === 'too-many'
      ? `<p><a href="/accounts/login/device/?lang=${language}">${text.link}</a></p>`
      : '';
  return renderLoginFrame(
    values,
    { ...page, path: FACTOR_PATH },
    text.heading,
    `${alert}<p class="lede">${text.whose} <bdi dir="ltr">${escapeHtml(page.email)}</bdi></p>
    ${page.passkey}
    ${methods.includes('totp') ? codeForm(page) : ''}
    ${methods.includes('recovery') ? recoveryForm(page) : ''}
    ${link}
    <p><a href="/login/?lang=${language}">${text.again}</a></p>`,
  );
}

const described = ({ problem }: FactorPage): string =>
  problem === undefined ? '' : ' aria-describedby="problem"';

function codeForm(page: FactorPage): string {
  const text = TEXTS[page.language];
  return `<form class="form" method="post" action="${FACTOR_PATH}">
      ${hidden(page)}
      <label for="code">${text.code}</label>
      <input id="code" name="code" type="text" dir="ltr" required inputmode="numeric" autofocus
        autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="12"${described(page)}>
      <p class="hint">${text.codeHint}</p>
      <button class="button primary" type="submit">${text.confirm}</button>
    </form>`;
}

/** Folded away: it is for the day on which the other factor is lost. */
function recoveryForm(page: FactorPage): string {
  const text = TEXTS[page.language];
  return `<details>
      <summary>${text.recovery}</summary>
      <form class="form" method="post" action="${FACTOR_PATH}">
        ${hidden(page)}
        <label for="recovery_code">${text.recoveryCode}</label>
        <input id="recovery_code" name="recovery_code" type="text" dir="ltr" required autocomplete="off"
          autocapitalize="characters" spellcheck="false" maxlength="20"${described(page)}>
        <p class="hint">${text.recoveryHint}</p>
        <button class="button" type="submit">${text.confirm}</button>
      </form>
    </details>`;
}
