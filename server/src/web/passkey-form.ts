// The forms that ask for a passkey, for pages of their own and for those of others, and the one script that they need.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { FORM_PAGE_HEADERS } from './front-page.ts';
import { hidden, type LoginPage, type LoginProblem } from './login-page.ts';

export const PASSKEY_SCRIPT = readFileSync(new URL('passkey-script.js', import.meta.url), 'utf8');
/** The name changes with the content, so browsers may cache it for ever. */
export const PASSKEY_SCRIPT_PATH = `/web/passkeys-${createHash('sha256').update(PASSKEY_SCRIPT).digest('hex').slice(0, 12)}.js`;

/** For a page with such a form: our own script may run, and ask this server. Of the other pages only the front page and the
 *  documentation allow a script. */
export const SCRIPT_PAGE_HEADERS = {
  ...FORM_PAGE_HEADERS,
  'content-security-policy': `script-src 'self'; connect-src 'self'; ${FORM_PAGE_HEADERS['content-security-policy']}`,
} as const;

export const PASSKEY_SCRIPT_TAG = `<script type="module" src="${PASSKEY_SCRIPT_PATH}"></script>`;

const TEXTS = {
  en: {
    alone: 'Sign in with a passkey',
    factor: 'Use a passkey',
    failed: 'No passkey was used. Try once more, or choose another way.',
    known: 'This device or key has a passkey of this account already.',
    note: 'This browser cannot use passkeys, or scripts are switched off.',
  },
  fa: {
    alone: 'ورود با گذرکلید',
    factor: 'استفاده از گذرکلید',
    failed: 'گذرکلیدی به کار نرفت. یک بار دیگر امتحان کنید یا راه دیگری برگزینید.',
    known: 'این دستگاه یا کلید از پیش گذرکلید این حساب را دارد.',
    note: 'این مرورگر نمی‌تواند گذرکلید به کار ببرد یا اسکریپت‌ها خاموش‌اند.',
  },
} as const satisfies Record<Language, unknown>;

export interface PasskeyForm {
  /** Where the form is sent with the answer. */
  readonly action: string;
  /** Where the script gets the question from. */
  readonly options: string;
  readonly kind: 'get' | 'create';
  /** What the button says. */
  readonly button: string;
  /** Further fields, as HTML. */
  readonly fields?: string;
  readonly isMain?: boolean;
}

export function passkeyForm(page: LoginPage, form: PasskeyForm): string {
  const text = TEXTS[page.language];
  const { action, options, kind, button, fields = '', isMain = false } = form;
  return `<form class="form" method="post" action="${action}" data-passkey="${kind}" data-options="${options}"
      data-failed="${escapeHtml(text.failed)}" data-known="${escapeHtml(text.known)}" hidden>
      ${hidden(page)}
      <input type="hidden" name="${kind === 'get' ? 'assertion' : 'response'}" value="">
      ${fields}
      <p class="problem" role="alert" data-passkey-problem hidden></p>
      <button class="button${isMain ? ' primary' : ''}" type="submit">${button}</button>
    </form>`;
}

/** For a person who is not signed in, under the password. */
export const aloneForm = (page: LoginPage): string =>
  passkeyForm(page, {
    action: ALONE_PATH,
    options: `${ALONE_PATH}options`,
    kind: 'get',
    button: TEXTS[page.language].alone,
  }) + PASSKEY_SCRIPT_TAG;

/** For the second stage of signing in, or to prove again who is there. */
export const factorForm = (
  page: LoginPage,
  { action, options, isMain }: Pick<PasskeyForm, 'action' | 'options' | 'isMain'>,
): string =>
  passkeyForm(page, {
    action,
    options,
    kind: 'get',
    button: TEXTS[page.language].factor,
    isMain: isMain ?? false,
  }) + PASSKEY_SCRIPT_TAG;

/** Shown while the script has not said that passkeys work here. */
export const passkeyNote = (language: Language): string =>
  `<p class="hint" data-passkey-note>${TEXTS[language].note}</p>`;

/** What the sign-in page says after a passkey opened nothing, by the parameter `passkey`. */
export const REFUSED: ReadonlyMap<string, LoginProblem> = new Map([
  ['refused', 'passkey'],
  ['deactivated', 'deactivated'],
]);

export const ALONE_PATH = '/accounts/login/passkey/';
/** The question for the second stage of signing in. */
export const FACTOR_OPTIONS_PATH = '/accounts/login/factor/passkey/options';
/** The question for a person who is signed in. */
export const STEP_UP_OPTIONS_PATH = '/json/step_up/passkey';
