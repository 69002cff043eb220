// The HTML of the page about security, in English and Persian. Each kind of factor has a section of its own.
import type { Factors } from '../accounts/second-factors/factor.ts';
import type { FactorDue } from '../accounts/second-factors/policy.ts';
import type { Language } from '../platform/std/language.ts';
import { renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';
import { securityLinks } from './security-links.ts';
import { passkeySection } from './security-passkeys-page.ts';
import { totpSection } from './security-totp-page.ts';
import type { Shown } from './security-totp.ts';

export const SECURITY_PATH = '/accounts/security/';

const TEXTS = {
  en: {
    heading: 'Security',
    why: 'With a second factor, your password alone opens nothing: signing in asks for one more proof.',
    due: (date: string) =>
      `Your organization asks for one. From ${date} on you cannot sign in without.`,
    required: 'Your organization asks for one.',
    freeze: 'After each change, withdrawals wait for 24 hours, and you get an email.',
    back: 'Back to your page',
    problems: {
      wrong: 'That is not the code that the app should show now. Try the next one.',
      required:
        'Your organization asks for a second factor, and this is your last one. Add another first.',
      over: 'This is not possible any more. Look at what the page shows now, and try again.',
      expired: 'This form is too old. Please send it once more.',
      unavailable: 'That is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    heading: 'امنیت',
    why: 'با عامل دوم، گذرواژهٔ شما به‌تنهایی چیزی را باز نمی‌کند: هنگام ورود یک مدرک دیگر هم خواسته می‌شود.',
    due: (date: string) => `سازمان شما آن را می‌خواهد. از ${date} بدون آن نمی‌توانید وارد شوید.`,
    required: 'سازمان شما آن را می‌خواهد.',
    freeze: 'پس از هر تغییر، برداشت‌ها ۲۴ ساعت صبر می‌کنند و ایمیلی می‌گیرید.',
    back: 'بازگشت به صفحهٔ شما',
    problems: {
      wrong: 'این کدی نیست که برنامه اکنون باید نشان دهد. کد بعدی را امتحان کنید.',
      required: 'سازمان شما عامل دوم می‌خواهد و این آخرین عامل شماست. نخست یکی دیگر بیفزایید.',
      over: 'این کار دیگر ممکن نیست. ببینید صفحه اکنون چه نشان می‌دهد و دوباره امتحان کنید.',
      expired: 'این فرم قدیمی شده است. لطفاً آن را یک بار دیگر بفرستید.',
      unavailable: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export type SecurityProblem = keyof (typeof TEXTS)['en']['problems'];

export interface SecurityPage extends LoginPage, Shown {
  readonly factors: Factors;
  readonly due: FactorDue;
  /** Whether people can sign in with providers. */
  readonly hasProviders: boolean;
  readonly problem?: SecurityProblem;
}

export function renderSecurity(values: PageValues, page: SecurityPage): string {
  const { language, problem } = page;
  const text = TEXTS[language];
  const alert =
    problem === undefined
      ? ''
      : `<p class="problem" role="alert" id="problem">${text.problems[problem]}</p>`;
  return renderLoginFrame(
    values,
    { ...page, path: SECURITY_PATH },
    text.heading,
    `${alert}<p class="lede">${text.why} ${asked(page)}</p>
    ${totpSection(page, SECURITY_PATH)}
    ${passkeySection(language, page.factors)}
    <p class="hint">${text.freeze}</p>
    ${securityLinks(language, page.hasProviders)}
    <p><a href="/?lang=${language}">${text.back}</a></p>`,
  );
}

/** What the organization asks, and until when. */
function asked({ language, due: { isRequired, dueAt } }: SecurityPage): string {
  const text = TEXTS[language];
  if (!isRequired) return '';
  if (dueAt === null) return text.required;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return text.due(date.format(dueAt));
}
