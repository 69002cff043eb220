// The HTML of the page for people who are signed in, in English and Persian. No script.
import { hasAtLeast, type RoleCode } from '../accounts/roles.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden } from './login-page.ts';
import { layout, type PageValues } from './page.ts';
import { renderPrices, type MarketPrices } from './prices.ts';

const TEXTS = {
  en: {
    hello: (name: string) => `Hello, ${name}.`,
    open: 'Open the client',
    you: (role: string, organization: string) => `You are ${role} of ${organization}.`,
    as: 'You are signed in as',
    roles: {
      100: 'an owner',
      200: 'an administrator',
      300: 'a moderator',
      400: 'a member',
      600: 'a guest',
    },
    key: 'API key and zuliprc',
    sessions: 'Where you are signed in',
    security: 'Security',
    signOut: 'Sign out',
    everywhere: 'Sign out in all browsers',
    next: 'What to do next',
    client: 'Get a client',
    clientWhy:
      'The chat here is compatible with Zulip, so its apps for phones, desktops and terminals work unchanged. Install one, give it the address of this server, and sign in as you did here.',
    apps: 'Zulip’s apps',
    talk: 'Connect a bot or a script',
    talkWhy:
      'Bots and scripts use your email address and your API key. Download both as a file that Zulip’s libraries read, or try it with curl:',
    trade: 'Trade',
    tradeWhy:
      'Programs place orders with signed requests. Make a trading key for yours, then start with the reference.',
    tradingKeys: 'Your trading keys',
    reference: 'Trading API reference',
    invite: 'Bring others in',
    inviteWhy:
      'Invite people from your client (settings of the organization), or make accounts on the server’s command line:',
    markets: 'Markets',
    link: 'Did you follow a link to a message?',
    linkWhy:
      'Its address goes on after #narrow, with the channel, the topic and the number of the message. The web client is not installed on this server, so open it in your app: send the whole address to yourself in a direct message and open it there, or look for the channel and the topic that it names.',
    other: 'فارسی',
    navigation: 'On this page',
  },
  fa: {
    hello: (name: string) => `سلام، ${name}.`,
    open: 'باز کردن برنامه',
    you: (role: string, organization: string) => `شما ${role} ${organization} هستید.`,
    as: 'حساب شما در این مرورگر:',
    roles: { 100: 'مالک', 200: 'مدیر', 300: 'ناظر', 400: 'عضو', 600: 'مهمان' },
    key: 'کلید API و zuliprc',
    sessions: 'جاهایی که وارد شده‌اید',
    security: 'امنیت',
    signOut: 'خروج',
    everywhere: 'خروج از همهٔ مرورگرها',
    next: 'گام‌های بعدی',
    client: 'یک برنامه نصب کنید',
    clientWhy:
      'گفت‌وگو در اینجا با زولیپ سازگار است، پس برنامه‌های آن برای گوشی، رایانه و پایانه بدون تغییر کار می‌کنند. یکی را نصب کنید، نشانی این سرور را به آن بدهید و مانند اینجا وارد شوید.',
    apps: 'برنامه‌های زولیپ',
    talk: 'یک ربات یا اسکریپت وصل کنید',
    talkWhy:
      'ربات‌ها و اسکریپت‌ها نشانی ایمیل و کلید API شما را به کار می‌برند. هر دو را در فایلی که کتابخانه‌های زولیپ می‌خوانند بگیرید، یا با curl امتحان کنید:',
    trade: 'معامله کنید',
    tradeWhy:
      'برنامه‌ها سفارش‌ها را با درخواست امضاشده ثبت می‌کنند. برای برنامهٔ خود کلید معامله بسازید و سپس از راهنما آغاز کنید.',
    tradingKeys: 'کلیدهای معاملهٔ شما',
    reference: 'راهنمای رابط معاملات',
    invite: 'دیگران را بیاورید',
    inviteWhy:
      'دیگران را از برنامهٔ خود (تنظیمات سازمان) دعوت کنید، یا در خط فرمان سرور حساب بسازید:',
    markets: 'بازارها',
    link: 'با پیوند یک پیام به اینجا آمده‌اید؟',
    linkWhy:
      'نشانی آن پس از ‎#narrow‎ نام کانال، موضوع و شمارهٔ پیام را دارد. برنامهٔ وب روی این سرور نصب نیست، پس آن را در برنامهٔ خود باز کنید: همهٔ نشانی را در پیامی مستقیم برای خودتان بفرستید و همان‌جا بازش کنید، یا کانال و موضوع نام‌برده را بیابید.',
    other: 'English',
    navigation: 'در این صفحه',
  },
} as const;

export interface HomePage extends MarketPrices {
  readonly language: Language;
  readonly csrfToken: string;
  /** Whether links to messages work here. */
  readonly hasClient: boolean;
  readonly person: {
    readonly fullName: string;
    readonly email: string;
    readonly role: RoleCode;
  };
}

export function renderHome(values: PageValues, page: HomePage): string {
  const { language, person } = page;
  const text = TEXTS[language];
  const origin = escapeHtml(values.origin);
  const name = `<bdi>${escapeHtml(person.fullName)}</bdi>`;
  const organization = `<bdi>${escapeHtml(values.organization)}</bdi>`;
  const keyLink = `/account/key/?lang=${language}`;
  const other = language === 'en' ? 'fa' : 'en';
  const main = `
<section class="home" aria-labelledby="title">
  <div class="wrap">
    <h1 id="title">${text.hello(name)}</h1>
    <p class="lede">${text.you(text.roles[person.role], organization)}
      ${text.as} <bdi dir="ltr">${escapeHtml(person.email)}</bdi></p>
    <form class="actions" method="post" action="/accounts/logout/">
      ${hidden({ csrfToken: page.csrfToken, language, next: undefined })}
      ${page.hasClient ? `<a class="button primary" href="/?lang=${language}">${text.open}</a>` : ''}
      <a class="button${page.hasClient ? '' : ' primary'}" href="${keyLink}">${text.key}</a>
      <a class="button" href="/accounts/sessions/?lang=${language}">${text.sessions}</a>
      <a class="button" href="/accounts/security/?lang=${language}">${text.security}</a>
      <button class="button" type="submit">${text.signOut}</button>
      <button class="button" type="submit" name="everywhere" value="true">${text.everywhere}</button>
    </form>
  </div>
</section>

<section id="next" aria-labelledby="next-title">
  <div class="wrap">
    <h2 id="next-title">${text.next}</h2>
    <ol class="steps">
      <li>
        <h3>${text.client}</h3>
        <p>${text.clientWhy}</p>
        <p><bdi dir="ltr"><code>${origin}</code></bdi></p>
        <p><a href="https://zulip.com/apps/" rel="noreferrer">${text.apps}</a></p>
      </li>
      <li>
        <h3>${text.talk}</h3>
        <p>${text.talkWhy}</p>
        ${command(text.talk, `curl -u ${escapeHtml(person.email)}:API_KEY ${origin}/api/v1/messages -d type=channel -d to=general -d topic=hello -d content=Hello`)}
        <p><a href="${keyLink}">${text.key}</a></p>
      </li>
      <li>
        <h3>${text.trade}</h3>
        <p>${text.tradeWhy}</p>
        <p><a href="/accounts/keys/?lang=${language}">${text.tradingKeys}</a></p>
        <p><a href="/docs/trading/" hreflang="en">${text.reference}</a></p>
      </li>${
        hasAtLeast(person.role, 'administrator')
          ? `
      <li>
        <h3>${text.invite}</h3>
        <p>${text.inviteWhy}</p>
        ${command(text.invite, 'npx rialto admin create-user --email ben@example.com --name Ben')}
      </li>`
          : ''
      }
    </ol>
  </div>
</section>

<section id="markets" aria-labelledby="markets-title">
  <div class="wrap">
    <h2 id="markets-title">${text.markets}</h2>
    ${renderPrices(language, page)}
  </div>
</section>
${
  page.hasClient
    ? ''
    : `

<section id="link" aria-labelledby="link-title">
  <div class="wrap">
    <h2 id="link-title">${text.link}</h2>
    <p class="intro">${text.linkWhy}</p>
  </div>
</section>`
}`;
  return layout(
    values,
    `${text.hello(escapeHtml(person.fullName))} ${escapeHtml(values.organization)}`,
    main,
    {
      language,
      navigation: `<nav aria-label="${text.navigation}"><ul>
      <li><a href="#next">${text.next}</a></li>
      <li><a href="#markets">${text.markets}</a></li>
      <li><a href="/account/?lang=${other}" lang="${other}" hreflang="${other}">${text.other}</a></li>
    </ul></nav>`,
    },
  );
}

/** A wide line scrolls in its own box, which must therefore be focusable. */
const command = (label: string, text: string): string =>
  `<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
