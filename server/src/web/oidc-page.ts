// The HTML of signing in and out with a provider, in English and Persian. No script: links and messages.
import type { OidcProblem } from '../accounts/oidc/errors.ts';
import { loginPathOf, type Provider } from '../accounts/oidc/settings.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { signInLink } from './link-page.ts';
import { renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

export type ProviderProblem = OidcProblem | 'no-provider' | 'too-many' | 'bad-app';

const TEXTS = {
  en: {
    heading: 'Sign in with a provider',
    again: (name: string) => `Try again with ${name}`,
    signedOut: 'You are signed out',
    signedOutWhy: (name: string) =>
      `You are signed out here. At ${name} you may still be signed in, and could come back without a password.`,
    signOutThere: (name: string) => `Sign out at ${name} too`,
    problems: {
      expired:
        'This sign-in is too old, was used before, or was begun in another browser. Please start again.',
      denied: 'The provider did not let you sign in, or you said no there.',
      refused: 'The answer of the provider could not be accepted. Please start again.',
      away: 'The provider does not answer at the moment. Try again shortly, or sign in another way.',
      unknown:
        'No account here is linked to this identity. If you have an account, sign in another way first and link the provider there. Otherwise ask for an invitation.',
      deactivated: 'This account is deactivated. An administrator can reactivate it.',
      taken: 'This identity opens another account already.',
      off: 'The organization has switched this way to sign in off.',
      'no-provider': 'There is no such provider here.',
      'too-many': 'There were too many attempts. Wait a while, then try again.',
      'bad-app':
        'The app asked in a way that is not understood: mobile_flow_otp has to be 64 hexadecimal digits. Update the app and try again.',
    },
  },
  fa: {
    heading: 'ورود با ارائه‌دهندهٔ هویت',
    again: (name: string) => `تلاش دوباره با ${name}`,
    signedOut: 'خارج شدید',
    signedOutWhy: (name: string) =>
      `از اینجا خارج شدید. شاید هنوز در ${name} وارد باشید و بتوان بدون گذرواژه بازگشت.`,
    signOutThere: (name: string) => `خروج از ${name}`,
    problems: {
      expired:
        'این ورود قدیمی است، پیش‌تر به کار رفته یا در مرورگر دیگری آغاز شده است. لطفاً دوباره شروع کنید.',
      denied: 'ارائه‌دهنده ورود شما را نپذیرفت، یا آنجا پاسخ منفی دادید.',
      refused: 'پاسخ ارائه‌دهنده پذیرفتنی نبود. لطفاً دوباره شروع کنید.',
      away: 'ارائه‌دهنده اکنون پاسخ نمی‌دهد. کمی بعد دوباره امتحان کنید یا از راه دیگری وارد شوید.',
      unknown:
        'هیچ حسابی در اینجا به این هویت پیوند ندارد. اگر حساب دارید، نخست از راه دیگری وارد شوید و ارائه‌دهنده را آنجا پیوند دهید. وگرنه دعوت‌نامه بخواهید.',
      deactivated: 'این حساب غیرفعال است. مدیر سازمان می‌تواند آن را دوباره فعال کند.',
      taken: 'این هویت از پیش حساب دیگری را باز می‌کند.',
      off: 'سازمان این راه ورود را بسته است.',
      'no-provider': 'چنین ارائه‌دهنده‌ای در اینجا نیست.',
      'too-many': 'تعداد تلاش‌ها بیش از حد مجاز بود. کمی صبر کنید و دوباره امتحان کنید.',
      'bad-app':
        'درخواست برنامه فهمیده نشد: mobile_flow_otp باید ۶۴ رقم شانزده‌شانزدهی باشد. برنامه را به‌روز کنید و دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export const textOfProblem = (language: Language, problem: ProviderProblem): string =>
  TEXTS[language].problems[problem];

export function renderProviderProblem(
  values: PageValues,
  page: LoginPage & { readonly problem: ProviderProblem; readonly provider: Provider | undefined },
): string {
  const text = TEXTS[page.language];
  const { provider } = page;
  const again =
    provider === undefined
      ? ''
      : `<p><a class="button" href="${loginPathOf(provider)}?lang=${page.language}">${text.again(
          `<bdi>${escapeHtml(provider.name)}</bdi>`,
        )}</a></p>`;
  return renderLoginFrame(
    values,
    page,
    text.heading,
    `<p class="problem" role="alert">${text.problems[page.problem]}</p>
    ${again}
    ${signInLink(page)}`,
  );
}

/** After signing out here: the provider's own session is offered to be ended too. */
export function renderSignedOut(
  values: PageValues,
  page: LoginPage & { readonly provider: Provider; readonly url: string },
): string {
  const text = TEXTS[page.language];
  const name = `<bdi>${escapeHtml(page.provider.name)}</bdi>`;
  return renderLoginFrame(
    values,
    page,
    text.signedOut,
    `<p class="lede">${text.signedOutWhy(name)}</p>
    <p><a class="button primary" href="${escapeHtml(page.url)}">${text.signOutThere(name)}</a></p>
    ${signInLink(page)}`,
  );
}
