// The section of the page about security on authenticator apps and recovery codes.
import { hasFactor, type Factors } from '../accounts/second-factors/factor.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, type LoginPage } from './login-page.ts';
import type { Shown } from './security-totp.ts';
import { recoveryCodesPart, totpForm } from './totp-page.ts';

const TEXTS = {
  en: {
    app: 'Authenticator app',
    on: 'On: signing in asks for a code of your app.',
    off: 'Off.',
    add: 'Add an authenticator app',
    replace: 'Use another app or phone',
    remove: 'Remove the app',
    recovery: 'Recovery codes',
    left: (count: number) => `You have ${count} unused codes.`,
    renew: 'Make new recovery codes',
    added: 'The app is added.',
    removed: 'The app is removed.',
    renewed: 'These are your new codes.',
  },
  fa: {
    app: 'برنامهٔ احراز هویت',
    on: 'روشن: هنگام ورود کد برنامه خواسته می‌شود.',
    off: 'خاموش.',
    add: 'افزودن برنامهٔ احراز هویت',
    replace: 'استفاده از برنامه یا گوشی دیگر',
    remove: 'حذف برنامه',
    recovery: 'کدهای بازیابی',
    left: (count: number) => `${count.toLocaleString('fa')} کد استفاده‌نشده دارید.`,
    renew: 'ساختن کدهای بازیابی تازه',
    added: 'برنامه افزوده شد.',
    removed: 'برنامه حذف شد.',
    renewed: 'این‌ها کدهای تازهٔ شما هستند.',
  },
} as const satisfies Record<Language, unknown>;

export interface TotpSection extends LoginPage, Shown {
  readonly factors: Factors;
  /** Whatever the page says about the last form. */
  readonly problem?: string;
}

export function totpSection(page: TotpSection, action: string): string {
  const { language, factors, offer, codes, done } = page;
  const text = TEXTS[language];
  const button = (wish: string, label: string, kind = '') =>
    `<button class="button${kind}" type="submit" name="do" value="${wish}">${label}</button>`;
  const buttons = factors.totp
    ? `${button('begin', text.replace)} ${button('remove', text.remove)}`
    : button('begin', text.add, ' primary');
  const form =
    offer === undefined
      ? `<form class="actions" method="post" action="${action}">
      ${hidden(page)}
      ${buttons}
    </form>`
      : totpForm({
          ...page,
          offer,
          action,
          replacesKey: !hasFactor(factors),
          hasProblem: page.problem !== undefined,
        });
  const recovery = hasFactor(factors)
    ? `<h2>${text.recovery}</h2>
    <p>${text.left(factors.recoveryCodes)}</p>
    <form class="actions" method="post" action="${action}">
      ${hidden(page)}
      ${button('renew', text.renew)}
    </form>`
    : '';
  return `${done === undefined ? '' : `<p class="lede" role="status">${text[done]}</p>`}
    ${codes === undefined ? '' : recoveryCodesPart(language, codes)}
    <h2>${text.app}</h2>
    <p>${factors.totp ? text.on : text.off}</p>
    ${form}
    ${recovery}`;
}
