// The HTML of the front page and of the page for unknown paths.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Language } from '../../platform/std/language.ts';
import { BRIDGE } from '../bridge-picture.ts';
import { layout, otherLanguage, type PageValues } from '../page.ts';
import { renderPrices, type MarketPrices } from '../prices.ts';
import { TEXTS, type FrontTexts } from './texts.ts';

interface Front {
  readonly language: Language;
  readonly text: FrontTexts;
  readonly origin: string;
  readonly login: string;
}

/** `script` is the path of the one that follows links to messages. */
export function renderFrontPage(
  values: PageValues,
  markets: MarketPrices,
  { language, script }: { readonly language: Language; readonly script: string },
): string {
  const text = TEXTS[language];
  const front = {
    language,
    text,
    origin: escapeHtml(values.origin),
    login: `/login/?lang=${language}`,
  };
  const sections = [
    heroSection(front),
    marketsSection(front, markets),
    apisSection(front),
    quickStartSection(front),
    linkSection(front),
    healthSection(front),
  ];
  return layout(values, `${escapeHtml(values.organization)}: ${text.title}`, sections.join('\n'), {
    language,
    navigation: navigation(front),
    description: text.description,
    head: `${alternates(front)}<script type="module" src="${script}"></script>\n`,
  });
}

const alternates = ({ origin }: Front): string =>
  `<link rel="canonical" href="${origin}/">\n<link rel="alternate" hreflang="en" href="${origin}/?lang=en">\n<link rel="alternate" hreflang="fa" href="${origin}/?lang=fa">\n`;

const heroSection = ({ text, login, language }: Front): string => `
<section class="hero" aria-labelledby="title">
  <div class="wrap">
    <div>
      <h1 id="title">${text.heading}</h1>
      <p class="lede">${text.lede}</p>
      <div class="actions">
        <a class="button primary" href="${login}">${text.signIn}</a>
        <a class="button" href="${docsOf(language)}">${text.documentation}</a>
        <a class="button" href="#quick-start">${text.quickStart}</a>
      </div>
    </div>
    ${BRIDGE}
  </div>
</section>`;

const docsOf = (language: Language): string => (language === 'fa' ? '/docs/fa/' : '/docs/');

const marketsSection = ({ text, language }: Front, markets: MarketPrices): string => `
<section id="markets" aria-labelledby="markets-title">
  <div class="wrap">
    <h2 id="markets-title">${text.markets}</h2>
    ${renderPrices(language, markets)}
  </div>
</section>`;

const apisSection = ({ text, origin }: Front): string => `
<section id="apis" aria-labelledby="apis-title">
  <div class="wrap">
    <h2 id="apis-title">${text.apisTitle}</h2>
    <p class="intro">${text.apisIntro}</p>
    <div class="cards">
      <article class="card" aria-labelledby="trade-title">
        <h3 id="trade-title">${text.trade}</h3>
        <code class="address" dir="ltr">${origin}/v1</code>
        <p>${text.tradeText}</p>
        <ul>
          ${link('/docs/trading/', text.reference)}
          ${link('/v1/public/swagger', 'OpenAPI 3.1')}
          ${link('/v1/public/exchange_info', text.markets)}
          ${link('/v1/public/coins_info', text.coins)}
        </ul>
      </article>
      <article class="card" aria-labelledby="talk-title">
        <h3 id="talk-title">${text.talk}</h3>
        <code class="address" dir="ltr">${origin}/api/v1</code>
        <p>${text.talkText(origin)}</p>
        <ul>
          ${link('/api/v1/server_settings', text.serverSettings)}
          ${link('/docs/chat/', text.reference)}
          ${link('https://zulip.com/api/rest', text.zulipWords, 'zulip.com')}
        </ul>
      </article>
    </div>
  </div>
</section>`;

const quickStartSection = ({ text, origin }: Front): string => `
<section id="quick-start" aria-labelledby="quick-start-title">
  <div class="wrap">
    <h2 id="quick-start-title">${text.quickStart}</h2>
    <p class="intro">${text.quickStartIntro}</p>
    <ol class="steps">
      <li>
        <h3>${text.there}</h3>
        <p>${text.thereText}</p>
        ${code(text.there, `curl ${origin}/v1/public/ping`)}
      </li>
      <li>
        <h3>${text.who}</h3>
        <p>${text.whoText}</p>
        ${code(text.who, `curl -u EMAIL:API_KEY ${origin}/api/v1/users/me`)}
      </li>
      <li>
        <h3>${text.have}</h3>
        <p>${text.haveText}</p>
        ${code(
          text.have,
          `QUERY="timestamp=$(date +%s)000"
SIGNATURE=$(printf %s "$QUERY" | openssl dgst -sha256 -hmac "$SECRET_KEY" -hex | sed 's/.* //')
curl -H "X-SVC-APIKEY: $API_KEY" -H "X-SVC-SIGNATURE: $SIGNATURE" \\
  "${origin}/v1/private/account/balances?$QUERY"`,
        )}
      </li>
    </ol>
  </div>
</section>`;

const linkSection = ({ text, login }: Front): string => `
<section id="link" aria-labelledby="link-title">
  <div class="wrap">
    <h2 id="link-title">${text.link}</h2>
    <p class="intro">${text.linkText(login)}</p>
  </div>
</section>`;

const healthSection = ({ text }: Front): string => `
<section id="health" aria-labelledby="health-title">
  <div class="wrap">
    <h2 id="health-title">${text.health}</h2>
    <p class="intro">${text.healthIntro}</p>
    <ul class="facts">
      <li><a href="/health/live"><code>/health/live</code></a><p>${text.live}</p></li>
      <li><a href="/health/ready"><code>/health/ready</code></a><p>${text.ready}</p></li>
      <li><a href="/v1/public/time"><code>/v1/public/time</code></a><p>${text.time}</p></li>
    </ul>
  </div>
</section>`;

function navigation({ text, language, login }: Front): string {
  const other = otherLanguage(language);
  return `<nav aria-label="${text.onThisPage}"><ul>
      <li><a href="#markets">${text.markets}</a></li>
      <li><a href="#apis">${text.apis}</a></li>
      <li><a href="#quick-start">${text.quickStart}</a></li>
      <li><a href="${docsOf(language)}">${text.docs}</a></li>
      <li><a href="#health">${text.health}</a></li>
      <li><a href="/?lang=${other}" lang="${other}" hreflang="${other}">${text.other}</a></li>
      <li><a href="${login}">${text.signIn}</a></li>
    </ul></nav>`;
}

export function renderNotFound(values: PageValues, path: string, language: Language): string {
  const text = TEXTS[language];
  return layout(
    values,
    `${text.lostTitle}: ${escapeHtml(values.organization)}`,
    `
<section class="hero lost" aria-labelledby="title">
  <div class="wrap">
    <div>
      <h1 id="title">${text.lost}</h1>
      <p class="lede">${text.lostText(escapeHtml(shortened(path)))}</p>
      <div class="actions"><a class="button primary" href="/?lang=${language}">${text.toFront}</a></div>
    </div>
    ${BRIDGE}
  </div>
</section>`,
    { language, description: text.description },
  );
}

function link(href: string, text: string, shown = href): string {
  return `<li><a href="${href}"><span>${text}</span><code dir="ltr">${shown}</code></a></li>`;
}

/** A wide line scrolls in its own box, which must therefore be focusable. */
function code(label: string, text: string): string {
  return `<pre tabindex="0" role="region" dir="ltr" aria-label="${label}"><code>${text}</code></pre>`;
}

/** A path may be as long as a request line, so it is shortened for display. */
const shortened = (path: string): string => (path.length > 120 ? `${path.slice(0, 119)}…` : path);
