// The HTML of the front page and of the page for unknown paths. No script, no style attribute and nothing from
// elsewhere, so that the strictest policy fits.
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { BRIDGE } from './bridge-picture.ts';
import { renderPrices, type MarketPrices } from './prices.ts';

export interface PageValues {
  readonly organization: string;
  /** The origin that clients use, without a trailing slash. */
  readonly origin: string;
  readonly version: string;
  readonly stylePath: string;
}

export function renderFrontPage(values: PageValues, markets: MarketPrices): string {
  const origin = escapeHtml(values.origin);
  const sections = [
    HERO,
    marketsSection(markets),
    apisSection(origin),
    quickStartSection(origin),
    MESSAGE_LINK,
    HEALTH,
    persianSection(origin),
  ];
  const title = `${escapeHtml(values.organization)}: trade where you talk`;
  return layout(values, title, sections.join('\n'), { navigation: NAVIGATION });
}

const HERO = `
<section class="hero" aria-labelledby="title">
  <div class="wrap">
    <div>
      <h1 id="title">Trade where you talk.</h1>
      <p class="lede">Rialto is a cryptocurrency trading venue and a team chat in one server: one
      identity, one database, one event log. An answer leaves only after it is on disk.</p>
      <div class="actions">
        <a class="button primary" href="/login/">Sign in</a>
        <a class="button" href="/v1/docs">Trading API reference</a>
        <a class="button" href="#quick-start">Quick start</a>
      </div>
    </div>
    ${BRIDGE}
  </div>
</section>`;

const marketsSection = (markets: MarketPrices): string => `
<section id="markets" aria-labelledby="markets-title">
  <div class="wrap">
    <h2 id="markets-title">Markets</h2>
    ${renderPrices('en', markets)}
  </div>
</section>`;

const apisSection = (origin: string): string => `
<section id="apis" aria-labelledby="apis-title">
  <div class="wrap">
    <h2 id="apis-title">Two APIs, one sign-on</h2>
    <p class="intro">A person or a bot has one account here. It comes with a key for the chat, and with
    as many signed keys for trading as it needs.</p>
    <div class="cards">
      <article class="card" aria-labelledby="trade-title">
        <h3 id="trade-title">Trade</h3>
        <code class="address">${origin}/v1</code>
        <p>Markets, coins and their networks, balances and fees. Numbers are exact decimals in strings;
        private calls are signed with HMAC-SHA256.</p>
        <ul>
          ${link('/v1/docs', 'Reference')}
          ${link('/v1/public/swagger', 'OpenAPI 3.1')}
          ${link('/v1/public/exchange_info', 'Markets')}
          ${link('/v1/public/coins_info', 'Coins and networks')}
        </ul>
      </article>
      <article class="card" aria-labelledby="talk-title">
        <h3 id="talk-title">Talk</h3>
        <code class="address">${origin}/api/v1</code>
        <p>The interface of Zulip, so that its clients, libraries and bots work as they are. Give them
        this server&rsquo;s address: <code>${origin}</code></p>
        <ul>
          ${link('/api/v1/server_settings', 'Server settings')}
          ${link('https://zulip.com/api/rest', 'How the calls work', 'zulip.com')}
        </ul>
      </article>
    </div>
  </div>
</section>`;

const quickStartSection = (origin: string): string => `
<section id="quick-start" aria-labelledby="quick-start-title">
  <div class="wrap">
    <h2 id="quick-start-title">Quick start</h2>
    <p class="intro">Three calls with curl. The operator of this server gives you an address and keys; the
    demo prints them.</p>
    <ol class="steps">
      <li>
        <h3>Is it there?</h3>
        <p>Public calls need nothing.</p>
        ${code('Is it there', `curl ${origin}/v1/public/ping`)}
      </li>
      <li>
        <h3>Who am I?</h3>
        <p>The chat takes your email address and API key.</p>
        ${code('Who am I', `curl -u EMAIL:API_KEY ${origin}/api/v1/users/me`)}
      </li>
      <li>
        <h3>What do I have?</h3>
        <p>A private trading call is signed: the lower-case hexadecimal HMAC-SHA256 of its query string.</p>
        ${code(
          'What do I have',
          `QUERY="timestamp=$(date +%s)000"
SIGNATURE=$(printf %s "$QUERY" | openssl dgst -sha256 -hmac "$SECRET_KEY" -hex | sed 's/.* //')
curl -H "X-SVC-APIKEY: $API_KEY" -H "X-SVC-SIGNATURE: $SIGNATURE" \\
  "${origin}/v1/private/account/balances?$QUERY"`,
        )}
      </li>
    </ol>
  </div>
</section>`;

const MESSAGE_LINK = `
<section id="link" aria-labelledby="link-title">
  <div class="wrap">
    <h2 id="link-title">Did you follow a link to a message?</h2>
    <p class="intro">Its address goes on after <code>#narrow</code>, with the channel, the topic and the number of the
    message. There is no web client here yet. <a href="/login/">Sign in</a> to see how to get an app, then
    send the whole address to yourself there in a direct message and open it, or look for the channel and the topic that
    it names.</p>
  </div>
</section>`;

const HEALTH = `
<section id="health" aria-labelledby="health-title">
  <div class="wrap">
    <h2 id="health-title">Health</h2>
    <p class="intro">For balancers and for anybody who wonders whether it is them or us.</p>
    <ul class="facts">
      <li><a href="/health/live"><code>/health/live</code></a><p>The process runs.</p></li>
      <li><a href="/health/ready"><code>/health/ready</code></a><p>Whether it takes orders, with the state
      of its engine, database, bus and limits.</p></li>
      <li><a href="/v1/public/time"><code>/v1/public/time</code></a><p>The clock by which signed requests
      are checked.</p></li>
    </ul>
  </div>
</section>`;

const persianSection = (origin: string): string => `
<section id="fa" class="persian" lang="fa" dir="rtl" aria-labelledby="fa-title">
  <div class="wrap">
    <h2 id="fa-title">ریالتو: همان‌جا که گفت‌وگو می‌کنید، معامله کنید</h2>
    <p>ریالتو یک بازار معاملهٔ رمزارز و یک گفت‌وگوی گروهی در یک سرور است؛ با یک حساب کاربری، یک پایگاه داده
    و یک دفتر رویداد. پاسخ هر درخواست تنها پس از ثبت روی دیسک فرستاده می‌شود.</p>
    <p>رابط معاملات در نشانی <bdi dir="ltr"><code>${origin}/v1</code></bdi> است و
    <a href="/v1/docs" hreflang="en">راهنمای آن</a> به انگلیسی در دسترس است. رابط گفت‌وگو با زولیپ سازگار است و در نشانی
    <bdi dir="ltr"><code>${origin}/api/v1</code></bdi> پاسخ می‌دهد. نام فارسی همهٔ رمزارزها و شبکه‌ها در
    <a href="/v1/public/coins_info">فهرست رمزارزها</a> آمده است.</p>
    <p><a href="/login/?lang=fa">وارد شوید</a> تا صفحهٔ خود را ببینید. اگر با پیوند یک پیام به اینجا آمده‌اید، نشانی آن را در
    برنامهٔ گفت‌وگوی خود باز کنید: اینجا هنوز برنامهٔ وب نیست.</p>
  </div>
</section>`;

export function renderNotFound(values: PageValues, path: string): string {
  return layout(
    values,
    `Not found: ${escapeHtml(values.organization)}`,
    `
<section class="hero lost" aria-labelledby="title">
  <div class="wrap">
    <div>
      <h1 id="title">Nothing is here.</h1>
      <p class="lede">There is no page at <code>${escapeHtml(shortened(path))}</code> on this server. The trading API
      is under <code>/v1</code>, the chat API under <code>/api/v1</code>.</p>
      <div class="actions"><a class="button primary" href="/">Go to the front page</a></div>
    </div>
    ${BRIDGE}
  </div>
</section>`,
  );
}

const NAVIGATION = `<nav aria-label="On this page"><ul>
      <li><a href="#markets">Markets</a></li>
      <li><a href="#apis">APIs</a></li>
      <li><a href="#quick-start">Quick start</a></li>
      <li><a href="#health">Health</a></li>
      <li><a href="#fa" lang="fa">فارسی</a></li>
      <li><a href="/login/">Sign in</a></li>
    </ul></nav>`;

export interface LayoutOptions {
  readonly navigation?: string;
  readonly language?: Language;
}

export interface FormFrame {
  readonly language: Language;
  readonly title: string;
  readonly heading: string;
  readonly body: string;
  /** Where the page is in the other language, and how that is said in this one. */
  readonly otherHref: string;
  readonly otherLabel: string;
}

export const otherLanguage = (language: Language): Language => (language === 'en' ? 'fa' : 'en');

/** A page with one form, its heading and the way to the other language; all parts are HTML already. */
export function formPage(
  values: PageValues,
  { language, title, heading, body, otherHref, otherLabel }: FormFrame,
): string {
  const other = otherLanguage(language);
  return layout(
    values,
    `${title}: ${escapeHtml(values.organization)}`,
    `
<section class="hero sign-in" aria-labelledby="title">
  <div class="wrap"><div>
    <h1 id="title">${heading}</h1>
    ${body}
  </div></div>
</section>`,
    {
      language,
      navigation: `<nav><ul><li><a href="${otherHref}" lang="${other}" hreflang="${other}">${otherLabel}</a></li></ul></nav>`,
    },
  );
}

/** A whole page around `main`; its title and its parts are HTML already. */
export function layout(
  values: PageValues,
  title: string,
  main: string,
  { navigation = '', language = 'en' }: LayoutOptions = {},
): string {
  const organization = escapeHtml(values.organization);
  return `<!doctype html>
<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="A cryptocurrency trading venue and a Zulip-compatible team chat in one server.">
<meta name="theme-color" content="#f6f7f9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0e1116" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${values.stylePath}">
</head>
<body>
<a class="skip" href="#main">${SKIP[language]}</a>
<header><div class="wrap">
  <a class="brand" href="/"><img src="/favicon.svg" alt="" width="32" height="32"><span dir="auto">${organization}</span></a>
  ${navigation}
</div></header>
<main id="main" tabindex="-1">${main}
</main>
<footer><div class="wrap"><span>Rialto ${escapeHtml(values.version)}</span><span>Apache-2.0</span></div></footer>
</body>
</html>
`;
}

const SKIP = { en: 'Skip to main content', fa: 'رفتن به محتوای اصلی' } as const;

function link(href: string, text: string, shown = href): string {
  return `<li><a href="${href}"><span>${text}</span><code>${shown}</code></a></li>`;
}

/** A wide line scrolls in its own box, which must therefore be focusable. */
function code(label: string, text: string): string {
  return `<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}

/** A path may be as long as a request line, so it is shortened for display. */
const shortened = (path: string): string => (path.length > 120 ? `${path.slice(0, 119)}…` : path);
