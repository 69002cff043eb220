// The words of the front page and of the page for unknown paths, as HTML.
import type { Language } from '../../platform/std/language.ts';

const english = {
  title: 'trade where you talk',
  heading: 'Trade where you talk.',
  lede: 'Rialto is a cryptocurrency trading venue and a team chat in one server: one identity, one database, one event log. An answer leaves only after it is on disk.',
  description: 'A cryptocurrency trading venue and a Zulip-compatible team chat in one server.',
  signIn: 'Sign in',
  documentation: 'Documentation',
  onThisPage: 'On this page',
  markets: 'Markets',
  apis: 'APIs',
  docs: 'Docs',
  other: 'فارسی',
  apisTitle: 'Two APIs, one sign-on',
  apisIntro:
    'A person or a bot has one account here. It comes with a key for the chat, and with as many signed keys for trading as it needs.',
  trade: 'Trade',
  tradeText:
    'Markets, coins and their networks, balances and fees. Numbers are exact decimals in strings; private calls are signed with HMAC-SHA256.',
  reference: 'Reference',
  coins: 'Coins and networks',
  talk: 'Talk',
  talkText: (origin: string): string =>
    `The interface of Zulip, so that its clients, libraries and bots work as they are. Give them this server&rsquo;s address: <code>${origin}</code>`,
  serverSettings: 'Server settings',
  zulipWords: 'The calls in the words of Zulip',
  quickStart: 'Quick start',
  quickStartIntro:
    'Three calls with curl. The operator of this server gives you an address and keys; the demo prints them.',
  there: 'Is it there?',
  thereText: 'Public calls need nothing.',
  who: 'Who am I?',
  whoText: 'The chat takes your email address and API key.',
  have: 'What do I have?',
  haveText:
    'A private trading call is signed: the lower-case hexadecimal HMAC-SHA256 of its query string.',
  link: 'Did you follow a link to a message?',
  linkText: (login: string): string =>
    `Its address goes on after <code>#narrow</code>, with the channel, the topic and the number of the message. <a href="${login}">Sign in</a> and open the link again. Or open it in your app: send the whole address to yourself there in a direct message, or look for the channel and the topic that it names.`,
  health: 'Health',
  healthIntro: 'For balancers and for anybody who wonders whether it is them or us.',
  live: 'The process runs.',
  ready: 'Whether it takes orders, with the state of its engine, database, bus and limits.',
  time: 'The clock by which signed requests are checked.',
  lostTitle: 'Not found',
  lost: 'Nothing is here.',
  lostText: (path: string): string =>
    `There is no page at <code>${path}</code> on this server. The trading API is under <code>/v1</code>, the chat API under <code>/api/v1</code>.`,
  toFront: 'Go to the front page',
};

export type FrontTexts = typeof english;

export const TEXTS: Readonly<Record<Language, FrontTexts>> = {
  en: english,
  fa: {
    title: 'همان‌جا که گفت‌وگو می‌کنید، معامله کنید',
    heading: 'همان‌جا که گفت‌وگو می‌کنید، معامله کنید.',
    lede: 'ریالتو یک بازار معاملهٔ رمزارز و یک گفت‌وگوی گروهی در یک سرور است؛ با یک حساب کاربری، یک پایگاه داده و یک دفتر رویداد. پاسخ هر درخواست تنها پس از ثبت روی دیسک فرستاده می‌شود.',
    description: 'بازار معاملهٔ رمزارز و گفت‌وگوی گروهی سازگار با زولیپ در یک سرور.',
    signIn: 'ورود',
    documentation: 'راهنما',
    onThisPage: 'در این صفحه',
    markets: 'بازارها',
    apis: 'رابط‌ها',
    docs: 'راهنما',
    other: 'English',
    apisTitle: 'دو رابط، یک حساب',
    apisIntro:
      'هر کس یا هر ربات اینجا یک حساب دارد؛ با یک کلید برای گفت‌وگو و هر چند کلید امضاشده که برای معامله لازم باشد.',
    trade: 'معامله',
    tradeText:
      'بازارها، رمزارزها و شبکه‌هایشان، موجودی‌ها و کارمزدها. عددها اعشاری دقیق و به‌صورت متن‌اند؛ درخواست‌های خصوصی با <bdi dir="ltr">HMAC-SHA256</bdi> امضا می‌شوند.',
    reference: 'مرجع (به انگلیسی)',
    coins: 'رمزارزها و شبکه‌ها',
    talk: 'گفت‌وگو',
    talkText: (origin) =>
      `رابط زولیپ، تا برنامه‌ها، کتابخانه‌ها و ربات‌های آن بی هیچ تغییری کار کنند. نشانی این سرور را به آن‌ها بدهید: <bdi dir="ltr"><code>${origin}</code></bdi>`,
    serverSettings: 'تنظیمات سرور',
    zulipWords: 'درخواست‌ها به بیان زولیپ',
    quickStart: 'شروع سریع',
    quickStartIntro:
      'سه درخواست با curl. نشانی و کلیدها را گردانندهٔ این سرور به شما می‌دهد؛ نسخهٔ نمایشی خودش آن‌ها را چاپ می‌کند.',
    there: 'سرور پاسخ می‌دهد؟',
    thereText: 'درخواست‌های عمومی چیزی لازم ندارند.',
    who: 'من که هستم؟',
    whoText: 'گفت‌وگو نشانی ایمیل و کلید شما را می‌گیرد.',
    have: 'چه دارم؟',
    haveText:
      'درخواست خصوصی معامله امضا می‌شود: <bdi dir="ltr">HMAC-SHA256</bdi> رشتهٔ درخواست، در مبنای شانزده و با حروف کوچک.',
    link: 'با پیوند یک پیام به اینجا آمده‌اید؟',
    linkText: (login) =>
      `نشانی آن پس از <bdi dir="ltr"><code>#narrow</code></bdi> با کانال، موضوع و شمارهٔ پیام ادامه دارد. <a href="${login}">وارد شوید</a> و پیوند را دوباره باز کنید. یا آن را در برنامهٔ خود باز کنید: نشانی را آنجا در پیام مستقیم برای خودتان بفرستید، یا کانال و موضوعی را که نام می‌برد پیدا کنید.`,
    health: 'سلامت',
    healthIntro: 'برای توزیع‌کننده‌های بار و هر کس که می‌پرسد ایراد از اوست یا از ما.',
    live: 'پردازه روشن است.',
    ready: 'آیا سفارش می‌پذیرد، با وضعیت موتور، پایگاه داده، گذرگاه و سقف‌ها.',
    time: 'ساعتی که درخواست‌های امضاشده با آن سنجیده می‌شوند.',
    lostTitle: 'پیدا نشد',
    lost: 'اینجا چیزی نیست.',
    lostText: (path) =>
      `در نشانی <bdi dir="ltr"><code>${path}</code></bdi> این سرور صفحه‌ای نیست. رابط معاملات در <bdi dir="ltr"><code>/v1</code></bdi> و رابط گفت‌وگو در <bdi dir="ltr"><code>/api/v1</code></bdi> است.`,
    toFront: 'رفتن به صفحهٔ نخست',
  },
};
