// The HTML of the list of a person's sessions.
import type { Method } from '../accounts/method.ts';
import type { OwnSession, SessionNetwork } from '../accounts/sessions/actions.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

interface Texts {
  readonly heading: string;
  readonly comma: string;
  readonly semicolon: string;
  readonly why: string;
  readonly unknown: string;
  readonly cli: string;
  readonly current: string;
  readonly opened: string;
  readonly seen: string;
  readonly end: string;
  readonly endHere: string;
  readonly others: string;
  readonly back: string;
  readonly networks: Readonly<Record<SessionNetwork, string>>;
  readonly methods: Readonly<Record<Method, string>>;
  readonly problems: Readonly<Record<SessionsProblem, string>>;
}

export type SessionsProblem = 'expired' | 'gone';

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    heading: 'Where you are signed in',
    comma: ', ',
    semicolon: '; ',
    why: 'End a session that you do not know, then change your password.',
    unknown: 'Unknown browser',
    cli: 'Command line',
    current: 'This browser',
    opened: 'Signed in',
    seen: 'Last used',
    end: 'End this session',
    endHere: 'Sign out here',
    others: 'End all other sessions',
    back: 'Back to your page',
    networks: { same: 'same network as now', private: 'private network', other: 'another network' },
    methods: {
      password: 'password',
      totp: 'authenticator app',
      passkey: 'passkey',
      recovery: 'recovery code',
      oidc: 'sign-in provider',
    },
    problems: {
      expired: 'This form is too old. Please send it once more.',
      gone: 'That session had ended already.',
    },
  },
  fa: {
    heading: 'جاهایی که وارد شده‌اید',
    comma: '، ',
    semicolon: '؛ ',
    why: 'نشستی را که نمی‌شناسید پایان دهید و سپس گذرواژهٔ خود را عوض کنید.',
    unknown: 'مرورگر ناشناخته',
    cli: 'خط فرمان',
    current: 'همین مرورگر',
    opened: 'زمان ورود',
    seen: 'آخرین استفاده',
    end: 'پایان دادن به این نشست',
    endHere: 'خروج از همین‌جا',
    others: 'پایان دادن به همهٔ نشست‌های دیگر',
    back: 'بازگشت به صفحهٔ شما',
    networks: { same: 'همان شبکهٔ کنونی', private: 'شبکهٔ خصوصی', other: 'شبکه‌ای دیگر' },
    methods: {
      password: 'گذرواژه',
      totp: 'برنامهٔ احراز هویت',
      passkey: 'گذرکلید',
      recovery: 'کد بازیابی',
      oidc: 'ارائه‌دهندهٔ هویت',
    },
    problems: {
      expired: 'این فرم قدیمی شده است. لطفاً آن را یک بار دیگر بفرستید.',
      gone: 'این نشست پیش‌تر پایان یافته بود.',
    },
  },
};

export const SESSIONS_PATH = '/accounts/sessions/';

export interface SessionsPage extends LoginPage {
  readonly sessions: readonly OwnSession[];
  readonly currentId: bigint;
  readonly problem?: SessionsProblem | undefined;
}

export function renderSessions(values: PageValues, page: SessionsPage): string {
  const { language, sessions, currentId, problem } = page;
  const text = TEXTS[language];
  const alert =
    problem === undefined ? '' : `<p class="problem" role="alert">${text.problems[problem]}</p>`;
  const others =
    sessions.length < 2
      ? ''
      : `<button class="button" type="submit" name="end" value="others">${text.others}</button>`;
  return renderLoginFrame(
    values,
    { ...page, path: SESSIONS_PATH },
    text.heading,
    `${alert}<p class="lede">${text.why}</p>
    <form class="form" method="post" action="${SESSIONS_PATH}">
      ${hidden(page)}
      <ul class="facts">
        ${sessions.map((session) => itemOf(session, session.id === currentId, language)).join('\n        ')}
      </ul>
      ${others}
    </form>
    <p><a href="/?lang=${language}">${text.back}</a></p>`,
  );
}

function itemOf(session: OwnSession, isCurrent: boolean, language: Language): string {
  const text = TEXTS[language];
  const { id, kind, device, address, network, methods, createdAt, lastSeenAt } = session;
  const name = kind === 'cli' ? text.cli : device === '' ? text.unknown : device;
  const proofs = methods.map((method) => text.methods[method]).join(text.comma);
  return `<li><strong><bdi>${escapeHtml(name)}</bdi></strong>${isCurrent ? ` (${text.current})` : ''}
          <p><bdi dir="ltr">${escapeHtml(address)}</bdi>${text.comma}${text.networks[network]}${text.semicolon}${proofs}</p>
          <p>${text.opened}: ${timeOf(createdAt)}</p>
          <p>${text.seen}: ${timeOf(lastSeenAt)}</p>
          <button class="button" type="submit" name="end" value="${id}">${
            isCurrent ? text.endHere : text.end
          }</button></li>`;
}

/** In UTC: the server does not know the reader's clock. */
const timeOf = (at: Date): string => {
  const iso = at.toISOString();
  return `<time datetime="${iso}" dir="ltr">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
};
