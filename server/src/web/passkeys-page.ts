// The HTML of a person's own passkeys: the list, and the form that adds one.
import type { ShownPasskey } from '../accounts/passkeys/access.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';
import { passkeyForm, passkeyNote, PASSKEY_SCRIPT_TAG } from './passkey-form.ts';

export const PASSKEYS_PATH = '/accounts/security/passkeys/';

const TEXTS = {
  en: {
    heading: 'Your passkeys',
    why: 'A passkey is kept by your phone, your computer or a security key. It signs you in here and at no other address, so nobody can trick you into giving it away.',
    none: 'You have no passkey yet.',
    impossible: 'Browsers allow no passkeys at the address of this server.',
    label: 'Name of the new passkey',
    labelHint: 'So that you know it again, such as “Phone” or “Blue key”.',
    keepKey: 'Keep my API key, although programs that have it never show a factor',
    add: 'Add a passkey',
    alone: 'signs you in without a password',
    factor: 'second factor after the password',
    synced: 'kept in several of your devices',
    created: 'Added',
    used: 'last used',
    never: 'never used',
    suspected:
      'It may have been copied, and opens nothing. If you did not copy it and the device is yours alone, you can trust it again; otherwise remove it.',
    newLabel: 'New name',
    rename: 'Rename',
    trust: 'Trust it again',
    remove: 'Remove',
    back: 'All second factors',
    done: {
      added:
        'The passkey was added. Withdrawals are frozen for 24 hours. If it is your first factor, your API key was replaced, unless you kept it.',
      renamed: 'The passkey has its new name.',
      trusted: 'The passkey can be used again.',
      removed: 'The passkey was removed. Withdrawals are frozen for 24 hours.',
    },
    problems: {
      expired: 'This form is too old. Please send it once more.',
      refused: 'This passkey was not added. Please try once more.',
      limit: 'You have 20 passkeys, which is the most. Remove one first.',
      last: 'Your organization asks for a second factor, and this is your last one. Add another one first.',
      label: 'A name has 1 to 64 characters.',
      gone: 'There is no such passkey any more.',
    },
  },
  fa: {
    heading: 'گذرکلیدهای شما',
    why: 'گذرکلید در گوشی، رایانه یا کلید امنیتی شما می‌ماند. شما را فقط در همین نشانی وارد می‌کند، پس کسی نمی‌تواند آن را با فریب از شما بگیرد.',
    none: 'هنوز گذرکلیدی ندارید.',
    impossible: 'مرورگرها در نشانی این سرور گذرکلید را نمی‌پذیرند.',
    label: 'نام گذرکلید تازه',
    labelHint: 'تا آن را دوباره بشناسید، مانند «گوشی» یا «کلید آبی».',
    keepKey: 'کلید API من بماند، هرچند برنامه‌های دارندهٔ آن هرگز عامل دوم را نشان نمی‌دهند',
    add: 'افزودن گذرکلید',
    alone: 'بدون گذرواژه شما را وارد می‌کند',
    factor: 'عامل دوم پس از گذرواژه',
    synced: 'در چند دستگاه شما نگه داشته می‌شود',
    created: 'افزوده شد',
    used: 'آخرین استفاده',
    never: 'هرگز به کار نرفته',
    suspected:
      'شاید از آن رونوشت گرفته شده باشد و چیزی را باز نمی‌کند. اگر شما رونوشت نگرفته‌اید و دستگاه تنها در دست شماست، می‌توانید دوباره به آن اعتماد کنید؛ وگرنه حذفش کنید.',
    newLabel: 'نام تازه',
    rename: 'تغییر نام',
    trust: 'اعتماد دوباره',
    remove: 'حذف',
    back: 'همهٔ عامل‌های دوم',
    done: {
      added:
        'گذرکلید افزوده شد. برداشت‌ها تا ۲۴ ساعت بسته است. اگر نخستین عامل شماست، کلید API شما عوض شد، مگر آن را نگه داشته باشید.',
      renamed: 'گذرکلید نام تازه‌ای دارد.',
      trusted: 'گذرکلید دوباره به کار می‌آید.',
      removed: 'گذرکلید حذف شد. برداشت‌ها تا ۲۴ ساعت بسته است.',
    },
    problems: {
      expired: 'این فرم قدیمی شده است. لطفاً آن را یک بار دیگر بفرستید.',
      refused: 'این گذرکلید افزوده نشد. لطفاً یک بار دیگر امتحان کنید.',
      limit: 'شما ۲۰ گذرکلید دارید که بیشترین اندازه است. نخست یکی را حذف کنید.',
      last: 'سازمان شما عامل دوم می‌خواهد و این آخرین عامل شماست. نخست یکی دیگر بیفزایید.',
      label: 'نام باید ۱ تا ۶۴ نویسه داشته باشد.',
      gone: 'چنین گذرکلیدی دیگر نیست.',
    },
  },
} as const satisfies Record<Language, unknown>;

export type PasskeysDone = keyof (typeof TEXTS)['en']['done'];
export type PasskeysProblem = keyof (typeof TEXTS)['en']['problems'];

export const isDone = (text: unknown): text is PasskeysDone =>
  typeof text === 'string' && Object.hasOwn(TEXTS.en.done, text);

export interface PasskeysPage extends LoginPage {
  readonly passkeys: readonly ShownPasskey[];
  /** Whether browsers allow passkeys at this server's address. */
  readonly isPossible: boolean;
  /** Whether one more would be the first second factor. */
  readonly isFirst: boolean;
  readonly done?: PasskeysDone | undefined;
  readonly problem?: PasskeysProblem | undefined;
}

export function renderPasskeys(values: PageValues, page: PasskeysPage): string {
  const { language, passkeys, done, problem } = page;
  const text = TEXTS[language];
  const message =
    problem !== undefined
      ? `<p class="problem" role="alert">${text.problems[problem]}</p>`
      : done === undefined
        ? ''
        : `<p class="lede" role="status">${text.done[done]}</p>`;
  const list =
    passkeys.length === 0
      ? `<p>${text.none}</p>`
      : `<ul class="facts">${passkeys.map((passkey) => itemOf(page, passkey)).join('\n')}</ul>`;
  return renderLoginFrame(
    values,
    { ...page, path: PASSKEYS_PATH },
    text.heading,
    `${message}<p class="lede">${text.why}</p>
    ${list}
    ${page.isPossible ? addForm(page) : `<p class="hint">${text.impossible}</p>`}
    <p><a href="/accounts/security/?lang=${language}">${text.back}</a></p>`,
  );
}

function addForm(page: PasskeysPage): string {
  const text = TEXTS[page.language];
  const keepKey = page.isFirst
    ? `<label class="check"><input type="checkbox" name="keep_key" value="true"> ${text.keepKey}</label>`
    : '';
  const fields = `<input type="hidden" name="do" value="add">
      <label for="label">${text.label}</label>
      <input id="label" name="label" type="text" required maxlength="64" dir="auto" autocomplete="off">
      <p class="hint">${text.labelHint}</p>
      ${keepKey}`;
  return `${passkeyForm(page, {
    action: PASSKEYS_PATH,
    options: '/json/second_factors/passkeys/options',
    kind: 'create',
    button: text.add,
    fields,
    isMain: true,
  })}
    ${passkeyNote(page.language)}${PASSKEY_SCRIPT_TAG}`;
}

function itemOf(page: PasskeysPage, passkey: ShownPasskey): string {
  const text = TEXTS[page.language];
  const { id, label, alone, synced, created_at: created, last_used_at: used, suspected } = passkey;
  const mark = page.language === 'fa' ? '؛ ' : '; ';
  const kinds = [alone ? text.alone : text.factor, ...(synced ? [text.synced] : [])].join(mark);
  const usedText = used === null ? text.never : `${text.used} ${dayOf(used)}`;
  const warning = suspected ? `<p class="problem">${text.suspected}</p>` : '';
  const trust = suspected
    ? `<button class="button" type="submit" name="do" value="trust">${text.trust}</button>`
    : '';
  return `<li><strong><bdi>${escapeHtml(label)}</bdi></strong>
        <p>${kinds}</p>
        <p>${text.created} ${dayOf(created)}${mark}${usedText}</p>${warning}
        <form class="form" method="post" action="${PASSKEYS_PATH}">
          ${hidden(page)}
          <input type="hidden" name="id" value="${id}">
          <label for="label-${id}">${text.newLabel}</label>
          <input id="label-${id}" name="label" type="text" maxlength="64" dir="auto" autocomplete="off"
            value="${escapeHtml(label)}">
          <div class="actions">
            <button class="button" type="submit" name="do" value="rename">${text.rename}</button>
            ${trust}
            <button class="button" type="submit" name="do" value="remove">${text.remove}</button>
          </div>
        </form></li>`;
}

const dayOf = (seconds: number): string => {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  return `<time datetime="${day}" dir="ltr">${day}</time>`;
};
