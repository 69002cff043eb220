// The HTML of confirming or canceling a change of address, in English and Persian. No script.
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { signInLink } from './link-page.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

const TEXTS = {
  en: {
    title: 'Change of email address',
    to: 'The new email address is to be',
    both: 'The change needs both mailboxes: this one and the other.',
    wait: 'It takes effect after 72 hours. Until then you can cancel it.',
    confirm: 'Confirm the change',
    cancel: 'Cancel the change',
    over: 'This link cannot be used',
    said: {
      expired: 'This form is too old, or cookies are switched off. Please send it once more.',
      over: 'The change was made or canceled already, is too old, or another one was asked for since.',
      busy: 'That is not possible at the moment. Try again shortly.',
      confirmed:
        'This mailbox has confirmed the change. It takes effect as soon as nothing else is missing: the other mailbox, or the waiting time.',
      done: 'The email address was changed. Withdrawals are frozen for 24 hours.',
      canceled:
        'The change was canceled. If you did not ask for it, change your password and end all sessions.',
      taken: 'The change was not made: another account has this address by now.',
    },
  },
  fa: {
    title: 'تغییر نشانی ایمیل',
    to: 'نشانی ایمیل تازه چنین خواهد بود:',
    both: 'این تغییر به هر دو صندوق نیاز دارد: این یکی و دیگری.',
    wait: 'پس از ۷۲ ساعت انجام می‌شود. تا آن زمان می‌توانید آن را لغو کنید.',
    confirm: 'تأیید تغییر',
    cancel: 'لغو تغییر',
    over: 'این پیوند قابل استفاده نیست',
    said: {
      expired: 'این فرم قدیمی شده یا کوکی‌ها غیرفعال‌اند. لطفاً آن را یک بار دیگر بفرستید.',
      over: 'این تغییر پیش‌تر انجام یا لغو شده، بسیار قدیمی است یا پس از آن تغییر دیگری خواسته شده است.',
      busy: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
      confirmed:
        'این صندوق تغییر را تأیید کرد. همین که صندوق دیگر نیز تأیید کند یا مدت انتظار بگذرد، انجام می‌شود.',
      done: 'نشانی ایمیل عوض شد. برداشت‌ها تا ۲۴ ساعت بسته می‌مانند.',
      canceled:
        'تغییر لغو شد. اگر شما آن را نخواسته بودید، گذرواژهٔ خود را عوض کنید و همهٔ نشست‌ها را پایان دهید.',
      taken: 'تغییر انجام نشد: اکنون حساب دیگری این نشانی را دارد.',
    },
  },
} as const satisfies Record<Language, unknown>;

export const ADDRESS_PATH = '/accounts/confirm_new_email/';
/** Where an opened link leads: an address without its key. */
export const ADDRESS_USE_PATH = `${ADDRESS_PATH}use/`;

export type AddressSaid = keyof (typeof TEXTS)['en']['said'];

/** Says what has happened, or why nothing has. */
export function renderAddressSaid(values: PageValues, page: LoginPage, said: AddressSaid): string {
  const text = TEXTS[page.language];
  const isProblem = said === 'expired' || said === 'over' || said === 'busy' || said === 'taken';
  return renderLoginFrame(
    values,
    { ...page, path: ADDRESS_USE_PATH },
    said === 'over' ? text.over : text.title,
    `<p class="${isProblem ? 'problem" role="alert' : 'lede" role="status'}" id="said">${text.said[said]}</p>
    ${signInLink(page)}`,
  );
}

export interface AddressPage extends LoginPage {
  readonly newEmail: string;
  readonly side: 'old' | 'new';
  readonly mayConfirm: boolean;
  readonly problem?: 'expired' | undefined;
}

export function renderAddressChange(values: PageValues, page: AddressPage): string {
  const text = TEXTS[page.language];
  const button = (decision: 'confirm' | 'cancel', look: string) =>
    `<button class="button${look}" type="submit" name="decision" value="${decision}">${text[decision]}</button>`;
  const alert =
    page.problem === undefined
      ? ''
      : `<p class="problem" role="alert" id="problem">${text.said[page.problem]}</p>`;
  return renderLoginFrame(
    values,
    { ...page, path: ADDRESS_USE_PATH },
    text.title,
    `${alert}<p class="lede">${text.to} <bdi dir="ltr">${escapeHtml(page.newEmail)}</bdi></p>
    <p>${page.mayConfirm ? text.both : text.wait}</p>
    <form class="form" method="post" action="${ADDRESS_USE_PATH}">
      ${hidden(page)}
      ${page.mayConfirm ? button('confirm', ' primary') : ''}
      ${page.side === 'old' ? button('cancel', '') : ''}
    </form>`,
  );
}
