// The HTML of adding a second factor while signing in, in English and Persian. No script.
import type { TotpOffer } from '../accounts/second-factors/actions.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';
import { recoveryCodesPart, totpForm } from './totp-page.ts';

export const ENROL_PATH = '/accounts/login/enrol/';

const TEXTS = {
  en: {
    heading: 'Add a second factor',
    why: 'Your organization asks for a second factor, and the time to add one is over. Add it now; then you are signed in.',
    whose: 'For the account',
    done: 'You are signed in',
    onwards: 'I have kept the codes: go on',
    problems: {
      wrong:
        'That is not the code that the app should show now. Check the clock of your phone, and try the next code.',
      expired: 'This form is too old, or cookies are switched off. Please send it once more.',
      unavailable: 'That is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    heading: 'افزودن عامل دوم',
    why: 'سازمان شما عامل دوم می‌خواهد و مهلت افزودن آن گذشته است. اکنون آن را بیفزایید؛ سپس وارد می‌شوید.',
    whose: 'برای حساب',
    done: 'وارد شدید',
    onwards: 'کدها را نگه داشتم: ادامه',
    problems: {
      wrong:
        'این کدی نیست که برنامه اکنون باید نشان دهد. ساعت گوشی خود را ببینید و کد بعدی را امتحان کنید.',
      expired: 'این فرم قدیمی شده یا کوکی‌ها غیرفعال‌اند. لطفاً آن را یک بار دیگر بفرستید.',
      unavailable: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export type EnrolProblem = keyof (typeof TEXTS)['en']['problems'];

export interface EnrolPage extends LoginPage {
  readonly email: string;
  readonly offer: TotpOffer;
  readonly problem: EnrolProblem | undefined;
}

export function renderEnrol(values: PageValues, page: EnrolPage): string {
  const text = TEXTS[page.language];
  const { problem } = page;
  const alert =
    problem === undefined
      ? ''
      : `<p class="problem" role="alert" id="problem">${text.problems[problem]}</p>`;
  const form = totpForm({
    ...page,
    action: ENROL_PATH,
    replacesKey: true,
    hasProblem: problem !== undefined,
  });
  return renderLoginFrame(
    values,
    { ...page, path: ENROL_PATH },
    text.heading,
    `${alert}<p class="lede">${text.why}</p>
    <p>${text.whose} <bdi dir="ltr">${escapeHtml(page.email)}</bdi></p>
    ${form}`,
  );
}

/** The recovery codes, and the way on. The browser is signed in already. */
export function renderEnrolled(
  values: PageValues,
  page: LoginPage & { readonly next: string },
  codes: readonly string[],
): string {
  const text = TEXTS[page.language];
  return renderLoginFrame(
    values,
    { ...page, path: '/' },
    text.done,
    `${recoveryCodesPart(page.language, codes)}
    <p class="actions"><a class="button primary" href="${escapeHtml(page.next)}">${text.onwards}</a></p>`,
  );
}
