// The HTML of the providers that open a person's account, in English and Persian. No script.
import type { LinkedProvider } from '../accounts/oidc/access.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

export const IDENTITIES_PATH = '/account/identities/';

const TEXTS = {
  en: {
    heading: 'Sign-in providers',
    why: 'A linked provider opens your account: somebody who signs in there as you is you here.',
    none: 'The operators of this server have not set up any provider.',
    linked: 'linked',
    notLinked: 'not linked',
    link: 'Link',
    remove: 'Unlink',
    goOn: (name: string) => `Go on to ${name}`,
    goOnWhy: 'Sign in there. You then come back, and the provider is linked to your account.',
    back: 'Back to your page',
    problems: {
      expired: 'This form is too old. Please send it once more.',
      again: 'Your last sign-in was a while ago. Sign out, sign in again, and come back.',
      only: 'This is the only way into your account. Set a password or link another provider first.',
      unknown: 'There is no such provider here, or it is not linked.',
      away: 'The provider does not answer at the moment. Try again shortly.',
      unavailable: 'That is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    heading: 'ارائه‌دهندگان هویت',
    why: 'ارائه‌دهندهٔ پیوندخورده حساب شما را باز می‌کند: هر کس آنجا به نام شما وارد شود، اینجا شماست.',
    none: 'گردانندگان این سرور هیچ ارائه‌دهنده‌ای تنظیم نکرده‌اند.',
    linked: 'پیوند خورده',
    notLinked: 'بدون پیوند',
    link: 'پیوند دادن',
    remove: 'برداشتن پیوند',
    goOn: (name: string) => `ادامه در ${name}`,
    goOnWhy: 'آنجا وارد شوید. سپس بازمی‌گردید و ارائه‌دهنده به حساب شما پیوند می‌خورد.',
    back: 'بازگشت به صفحهٔ شما',
    problems: {
      expired: 'این فرم قدیمی شده است. لطفاً آن را یک بار دیگر بفرستید.',
      again: 'از آخرین ورود شما مدتی گذشته است. خارج شوید، دوباره وارد شوید و بازگردید.',
      only: 'این تنها راه ورود به حساب شماست. نخست گذرواژه بگذارید یا ارائه‌دهندهٔ دیگری را پیوند دهید.',
      unknown: 'چنین ارائه‌دهنده‌ای در اینجا نیست یا پیوند نخورده است.',
      away: 'ارائه‌دهنده اکنون پاسخ نمی‌دهد. کمی بعد دوباره امتحان کنید.',
      unavailable: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export type IdentitiesProblem = keyof (typeof TEXTS)['en']['problems'];

export interface IdentitiesPage extends LoginPage {
  readonly providers: readonly LinkedProvider[];
  readonly problem?: IdentitiesProblem | undefined;
}

export function renderIdentities(values: PageValues, page: IdentitiesPage): string {
  const text = TEXTS[page.language];
  const { problem, providers } = page;
  const alert =
    problem === undefined ? '' : `<p class="problem" role="alert">${text.problems[problem]}</p>`;
  const list = providers.map((one) => form(page, one)).join('\n');
  return renderLoginFrame(
    values,
    { ...page, path: IDENTITIES_PATH },
    text.heading,
    `${alert}<p class="lede">${providers.length === 0 ? text.none : text.why}</p>
    ${list}
    ${back(page)}`,
  );
}

function form(page: IdentitiesPage, { provider, linkedAt }: LinkedProvider): string {
  const text = TEXTS[page.language];
  const isLinked = linkedAt !== undefined;
  return `<form class="form" method="post" action="${IDENTITIES_PATH}${provider.id}/">
      ${hidden(page)}
      <p><bdi>${escapeHtml(provider.name)}</bdi>: ${isLinked ? text.linked : text.notLinked}</p>
      <button class="button" type="submit" name="do" value="${isLinked ? 'remove' : 'link'}">${
        isLinked ? text.remove : text.link
      }</button>
    </form>`;
}

/** A link to the provider: a form may not lead to another site. */
export function renderGoOn(
  values: PageValues,
  page: LoginPage & { readonly name: string; readonly url: string },
): string {
  const text = TEXTS[page.language];
  const goOn = text.goOn(`<bdi>${escapeHtml(page.name)}</bdi>`);
  return renderLoginFrame(
    values,
    { ...page, path: IDENTITIES_PATH },
    text.heading,
    `<p class="lede">${text.goOnWhy}</p>
    <p><a class="button primary" href="${escapeHtml(page.url)}">${goOn}</a></p>
    ${back(page)}`,
  );
}

const back = ({ language }: LoginPage): string =>
  `<p><a href="/?lang=${language}">${TEXTS[language].back}</a></p>`;
