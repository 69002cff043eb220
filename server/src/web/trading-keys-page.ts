// The HTML of a person's trading keys, in English and Persian. No script.
import { PERMISSIONS, type Permission } from '../accounts/trading-keys/key.ts';
import type { OwnKey } from '../accounts/trading-keys/own-store.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

export const TRADING_KEYS_PATH = '/accounts/keys/';

export type TradingKeysProblem =
  | 'expired'
  | 'gone'
  | 'guest'
  | 'suspended'
  | 'label'
  | 'permissions'
  | 'addresses'
  | 'withdraw'
  | 'limit'
  | 'enrol'
  | 'code'
  | 'busy';

interface Texts {
  readonly heading: string;
  readonly why: string;
  readonly none: string;
  readonly unnamed: string;
  readonly from: string;
  readonly anywhere: string;
  readonly ends: string;
  readonly ended: string;
  readonly never: string;
  readonly used: string;
  readonly remove: string;
  readonly make: string;
  readonly label: string;
  readonly may: string;
  readonly addresses: string;
  readonly addressesHint: string;
  readonly code: string;
  readonly codeHint: string;
  readonly go: string;
  readonly made: string;
  readonly once: string;
  readonly name: string;
  readonly secret: string;
  readonly list: string;
  readonly reference: string;
  readonly back: string;
  readonly permissions: Readonly<Record<Permission, string>>;
  readonly problems: Readonly<Record<TradingKeysProblem, string>>;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    heading: 'Your trading keys',
    why: 'Programs sign their orders with a key. Delete a key that you no longer use, or that somebody else may know.',
    none: 'You have no trading key.',
    unnamed: 'Without a name',
    from: 'Works from',
    anywhere: 'everywhere',
    ends: 'Ends',
    ended: 'has ended',
    never: 'never',
    used: 'Last used',
    remove: 'Delete this key',
    make: 'Make a key',
    label: 'Name (optional)',
    may: 'What it may do',
    addresses: 'Addresses from which it works (optional)',
    addressesHint:
      'Addresses and networks such as 203.0.113.0/24, at most 20, with spaces between them. A key that may trade from everywhere ends after 90 days.',
    code: 'Code of your authenticator app',
    codeHint: 'A code works once. If you have just used one, wait for the next.',
    go: 'Make the key',
    made: 'Your new trading key',
    once: 'Copy the secret now: it is shown only this once.',
    name: 'Key',
    secret: 'Secret',
    list: 'All your trading keys',
    reference: 'Trading API reference',
    back: 'Back to your page',
    permissions: {
      read: 'read balances, orders and trades',
      trade: 'place and cancel orders',
      transfer: 'move money between your own accounts',
      withdraw: 'ask for withdrawals (only with addresses)',
    },
    problems: {
      expired: 'This form is too old. Please send it once more.',
      gone: 'There is no such key of yours.',
      guest: 'Guests have no trading account. Ask an administrator to make you a member.',
      suspended: 'Your account is suspended. Ask the operators of the venue.',
      label: 'A name has at most 64 characters, and no line breaks.',
      permissions: 'Choose at least one thing that the key may do.',
      addresses:
        'One of the addresses is none, is a network with bits after its end, or is too wide. The narrowest that you need is best.',
      withdraw: 'A key that may ask for withdrawals needs addresses from which it works.',
      limit: 'You have 30 keys, and more are not possible. Delete one first.',
      enrol: 'This needs a second factor, and your account has none. Add one, then come back.',
      code: 'This code is wrong, or was used before. Wait for the next one.',
      busy: 'There were too many wrong codes. Wait a while, then try again.',
    },
  },
  fa: {
    heading: 'کلیدهای معاملهٔ شما',
    why: 'برنامه‌ها سفارش‌های خود را با یک کلید امضا می‌کنند. کلیدی را که دیگر به کار نمی‌برید یا شاید کسی از آن آگاه باشد حذف کنید.',
    none: 'کلید معامله‌ای ندارید.',
    unnamed: 'بی‌نام',
    from: 'کار می‌کند از',
    anywhere: 'همه‌جا',
    ends: 'پایان',
    ended: 'پایان یافته است',
    never: 'هرگز',
    used: 'آخرین استفاده',
    remove: 'حذف این کلید',
    make: 'ساختن کلید',
    label: 'نام (اختیاری)',
    may: 'چه کارهایی می‌تواند بکند',
    addresses: 'نشانی‌هایی که از آن‌ها کار می‌کند (اختیاری)',
    addressesHint:
      'نشانی‌ها و شبکه‌هایی مانند ‎203.0.113.0/24‎، دست بالا ۲۰ تا، با فاصله میان آن‌ها. کلیدی که از همه‌جا می‌تواند معامله کند پس از ۹۰ روز پایان می‌یابد.',
    code: 'کد برنامهٔ احراز هویت شما',
    codeHint: 'هر کد یک بار کار می‌کند. اگر تازه یکی را به کار برده‌اید، منتظر کد بعدی بمانید.',
    go: 'کلید را بساز',
    made: 'کلید معاملهٔ تازهٔ شما',
    once: 'همین حالا رمز را رونویسی کنید: تنها همین یک بار نشان داده می‌شود.',
    name: 'کلید',
    secret: 'رمز',
    list: 'همهٔ کلیدهای معاملهٔ شما',
    reference: 'راهنمای رابط معاملات',
    back: 'بازگشت به صفحهٔ شما',
    permissions: {
      read: 'خواندن موجودی‌ها، سفارش‌ها و معامله‌ها',
      trade: 'ثبت و لغو سفارش',
      transfer: 'جابه‌جایی پول میان حساب‌های خودتان',
      withdraw: 'درخواست برداشت (تنها با نشانی‌ها)',
    },
    problems: {
      expired: 'این فرم قدیمی شده است. لطفاً آن را یک بار دیگر بفرستید.',
      gone: 'شما چنین کلیدی ندارید.',
      guest: 'مهمان‌ها حساب معامله ندارند. از یک مدیر بخواهید شما را عضو کند.',
      suspended: 'حساب شما معلق است. از گردانندگان بازار بپرسید.',
      label: 'نام دست بالا ۶۴ نویسه دارد و شکست سطر ندارد.',
      permissions: 'دست‌کم یک کار را برای کلید برگزینید.',
      addresses:
        'یکی از نشانی‌ها نشانی نیست، یا شبکه‌ای است با بیت‌هایی پس از پایانش، یا بیش از اندازه گسترده است. بهتر است کوچک‌ترین شبکهٔ لازم را بنویسید.',
      withdraw:
        'کلیدی که می‌تواند درخواست برداشت کند باید نشانی‌هایی داشته باشد که از آن‌ها کار کند.',
      limit: 'شما ۳۰ کلید دارید و بیش از آن نمی‌شود. نخست یکی را حذف کنید.',
      enrol: 'این کار عامل دوم می‌خواهد و حساب شما ندارد. یکی بیفزایید و بازگردید.',
      code: 'این کد نادرست است یا پیش‌تر به کار رفته است. منتظر کد بعدی بمانید.',
      busy: 'کدهای نادرست بیش از اندازه بود. کمی بمانید و دوباره بکوشید.',
    },
  },
};

export interface TradingKeysPage extends LoginPage {
  readonly keys: readonly OwnKey[];
  readonly nowMs: number;
  readonly problem?: TradingKeysProblem | undefined;
  readonly typed: {
    readonly label: string;
    readonly addresses: string;
    readonly permissions: readonly string[];
  };
}

export function renderTradingKeys(values: PageValues, page: TradingKeysPage): string {
  const { language, keys, nowMs, problem } = page;
  const text = TEXTS[language];
  const alert =
    problem === undefined
      ? ''
      : `<p class="problem" role="alert" id="problem">${text.problems[problem]}</p>`;
  const list =
    keys.length === 0
      ? `<p>${text.none}</p>`
      : `<form class="form" method="post" action="${TRADING_KEYS_PATH}">
      ${hidden(page)}
      <ul class="facts">
        ${keys.map((key) => itemOf(key, language, nowMs)).join('\n        ')}
      </ul>
    </form>`;
  return renderLoginFrame(
    values,
    { ...page, path: TRADING_KEYS_PATH },
    text.heading,
    `${alert}<p class="lede">${text.why}</p>
    ${list}
    <h2>${text.make}</h2>
    ${formOf(page)}
    <p><a href="/docs/trading/">${text.reference}</a></p>
    <p><a href="/?lang=${language}">${text.back}</a></p>`,
  );
}

function formOf(page: TradingKeysPage): string {
  const { language, typed, problem } = page;
  const text = TEXTS[language];
  const described = problem === undefined ? '' : ' aria-describedby="problem"';
  const boxes = PERMISSIONS.map((permission) => {
    const isChosen =
      typed.permissions.length === 0
        ? permission === 'read'
        : typed.permissions.includes(permission);
    return `<label class="check"><input type="checkbox" name="permission" value="${permission}"${
      isChosen ? ' checked' : ''
    }> <span><code>${permission}</code>: ${text.permissions[permission]}</span></label>`;
  });
  return `<form class="form" method="post" action="${TRADING_KEYS_PATH}">
      ${hidden(page)}
      <label for="label">${text.label}</label>
      <input id="label" name="label" type="text" dir="auto" maxlength="64" value="${escapeHtml(typed.label)}">
      <fieldset><legend>${text.may}</legend>
        ${boxes.join('\n        ')}
      </fieldset>
      <label for="addresses">${text.addresses}</label>
      <input id="addresses" name="addresses" type="text" dir="ltr" maxlength="1000" value="${escapeHtml(typed.addresses)}">
      <p class="hint">${text.addressesHint}</p>
      <label for="code">${text.code}</label>
      <input id="code" name="code" type="text" dir="ltr" required inputmode="numeric"
        autocomplete="one-time-code" maxlength="12"${described}>
      <p class="hint">${text.codeHint}</p>
      <button class="button primary" type="submit">${text.go}</button>
    </form>`;
}

function itemOf(key: OwnKey, language: Language, nowMs: number): string {
  const text = TEXTS[language];
  const { keyId, label, permissions, ipAllowlist, expiresAt, lastUsedAt } = key;
  const from = ipAllowlist.length === 0 ? text.anywhere : ltr(ipAllowlist.join(' '));
  const hasEnded = expiresAt !== null && expiresAt.getTime() <= nowMs;
  const end = expiresAt === null ? text.never : hasEnded ? text.ended : timeOf(expiresAt);
  const used = lastUsedAt === null ? text.never : timeOf(lastUsedAt);
  return `<li><strong><bdi>${escapeHtml(label === '' ? text.unnamed : label)}</bdi></strong>
          <p>${ltr(keyId)}: ${ltr(permissions.join(' '))}</p>
          <p>${text.from}: ${from}</p>
          <p>${text.ends}: ${end}</p>
          <p>${text.used}: ${used}</p>
          <button class="button" type="submit" name="delete" value="${escapeHtml(keyId)}">${text.remove}</button></li>`;
}

const ltr = (words: string): string => `<bdi dir="ltr">${escapeHtml(words)}</bdi>`;

/** In UTC: the server does not know the reader's clock. */
const timeOf = (at: Date): string => {
  const iso = at.toISOString();
  return `<time datetime="${iso}" dir="ltr">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
};

export interface NewTradingKeyPage extends LoginPage {
  readonly key: OwnKey;
  readonly secret: string;
}

export function renderNewTradingKey(values: PageValues, page: NewTradingKeyPage): string {
  const { language, key, secret } = page;
  const text = TEXTS[language];
  const shown = (label: string, value: string) => `<h2>${label}</h2>
    <pre tabindex="0" role="region" aria-label="${label}"><code>${escapeHtml(value)}</code></pre>`;
  return renderLoginFrame(
    values,
    { ...page, path: TRADING_KEYS_PATH },
    text.made,
    `<p class="lede" role="status">${text.once}</p>
    ${shown(text.name, key.keyId)}
    ${shown(text.secret, secret)}
    <p><a href="${TRADING_KEYS_PATH}?lang=${language}">${text.list}</a></p>
    <p><a href="/docs/trading/">${text.reference}</a></p>`,
  );
}
