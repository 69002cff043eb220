// The parts of pages on which an authenticator app is added, and recovery codes are shown. Signing in and the page about
// security both have them.
import { qrSvg } from '../accounts/second-factors/qr.ts';
import type { TotpOffer } from '../accounts/second-factors/actions.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, type LoginPage } from './login-page.ts';

const TEXTS = {
  en: {
    scan: 'Scan this picture with an authenticator app on your phone, or type the key.',
    picture: 'QR code for your authenticator app',
    key: 'Key',
    code: 'The code that the app shows',
    codeHint: 'Six digits. They change every half minute.',
    keep: 'Keep my API key: programs and phones stay signed in. Without this, they need the new key.',
    confirm: 'Confirm',
    codes: 'Your recovery codes',
    codesWhy:
      'Keep them where nobody else looks, on paper or in a password manager. Each one signs you in once if you lose your phone. They are not shown again, and earlier ones no longer work.',
  },
  fa: {
    scan: 'این تصویر را با برنامهٔ احراز هویت گوشی خود بخوانید، یا کلید را وارد کنید.',
    picture: 'رمزینهٔ QR برای برنامهٔ احراز هویت',
    key: 'کلید',
    code: 'کدی که برنامه نشان می‌دهد',
    codeHint: 'شش رقم که هر نیم دقیقه عوض می‌شود.',
    keep: 'کلید API مرا نگه دار: برنامه‌ها و گوشی‌ها وارد می‌مانند. وگرنه کلید تازه را می‌خواهند.',
    confirm: 'تأیید',
    codes: 'کدهای بازیابی شما',
    codesWhy:
      'آن‌ها را جایی نگه دارید که کس دیگری نمی‌بیند، روی کاغذ یا در نرم‌افزار گذرواژه‌ها. اگر گوشی خود را گم کنید هر کدام یک بار شما را وارد می‌کند. دوباره نشان داده نمی‌شوند و کدهای پیشین دیگر کار نمی‌کنند.',
  },
} as const satisfies Record<Language, unknown>;

export interface TotpForm extends LoginPage {
  readonly offer: TotpOffer;
  /** Where the form is sent. */
  readonly action: string;
  /** Whether the first factor would replace the main chat key. */
  readonly replacesKey: boolean;
  readonly hasProblem: boolean;
}

/** The picture, the key as text, and the field for a first code. */
export function totpForm(page: TotpForm): string {
  const text = TEXTS[page.language];
  const { secret, uri } = page.offer;
  const groups = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  const described = page.hasProblem ? ' aria-describedby="problem"' : '';
  const keep = page.replacesKey
    ? `<label class="check"><input type="checkbox" name="keep_key" value="true"> ${text.keep}</label>`
    : '';
  return `<p class="lede">${text.scan}</p>
    <div class="qr" role="img" aria-label="${text.picture}">${qrSvg(uri)}</div>
    <p>${text.key}: <bdi dir="ltr"><code>${escapeHtml(groups)}</code></bdi></p>
    <form class="form" method="post" action="${page.action}">
      ${hidden(page)}
      <label for="code">${text.code}</label>
      <input id="code" name="code" type="text" dir="ltr" required inputmode="numeric"
        autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="12"${described}>
      <p class="hint">${text.codeHint}</p>
      ${keep}
      <button class="button primary" type="submit" name="do" value="confirm">${text.confirm}</button>
    </form>`;
}

/** Shown once, after they were made. */
export function recoveryCodesPart(language: Language, codes: readonly string[]): string {
  const text = TEXTS[language];
  return `<h2>${text.codes}</h2>
    <p class="lede">${text.codesWhy}</p>
    <pre tabindex="0" role="region" aria-label="${text.codes}"><code dir="ltr">${codes
      .map(escapeHtml)
      .join('\n')}</code></pre>`;
}
