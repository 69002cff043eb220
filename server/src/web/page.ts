// The frame of the server's own pages. No style attribute and nothing from elsewhere, so that the strictest policy fits.
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';

export interface PageValues {
  readonly organization: string;
  /** The origin that clients use, without a trailing slash. */
  readonly origin: string;
  readonly version: string;
  readonly stylePath: string;
}

export interface LayoutOptions {
  readonly navigation?: string;
  readonly language?: Language;
  /** For search engines, as text. */
  readonly description?: string;
  /** More of the head, as HTML. */
  readonly head?: string;
}

const DESCRIPTION =
  'A cryptocurrency trading venue and a Zulip-compatible team chat in one server.';

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
  { navigation = '', language = 'en', description = DESCRIPTION, head = '' }: LayoutOptions = {},
): string {
  const organization = escapeHtml(values.organization);
  return `<!doctype html>
<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${escapeHtml(description)}">
<meta name="theme-color" content="#f6f7f9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0e1116" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${values.stylePath}">
${head}</head>
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
