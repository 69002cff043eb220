// What the pages of markets and coins have in common: the way around, the other language, what search engines read.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Language } from '../../platform/std/language.ts';
import { layout, otherLanguage, type PageValues } from '../page.ts';
import { TEXTS } from './texts.ts';

export interface Frame {
  readonly language: Language;
  /** Without its query. */
  readonly path: string;
  /** What the address asks for besides the language. */
  readonly query?: string;
  readonly title: string;
  readonly description: string;
  /** HTML. */
  readonly main: string;
}

/** A page that names itself and its other language, for people and for search engines. */
export function framed(values: PageValues, frame: Frame): string {
  const { language, path, query = '', title, description, main } = frame;
  const text = TEXTS[language];
  const other = otherLanguage(language);
  const rest = query === '' ? '' : `&${query}`;
  const addressIn = (one: Language) => escapeHtml(`${values.origin}${path}?lang=${one}`);
  return layout(
    values,
    escapeHtml(`${title} · ${values.organization}`),
    `
<section class="listing" aria-labelledby="title">
  <div class="wrap">${main}</div>
</section>`,
    {
      language,
      description,
      head: `<link rel="canonical" href="${addressIn(language)}">
<link rel="alternate" hreflang="en" href="${addressIn('en')}">
<link rel="alternate" hreflang="fa" href="${addressIn('fa')}">
`,
      navigation: `<nav aria-label="${text.navigation}"><ul>
      <li><a href="/">${text.home}</a></li>
      <li><a href="/markets?lang=${language}"${path === '/markets' ? ' aria-current="page"' : ''}>${text.markets}</a></li>
      <li><a href="/reserves?lang=${language}"${path === '/reserves' ? ' aria-current="page"' : ''}>${text.reserves}</a></li>
      <li><a href="${language === 'fa' ? '/docs/fa/' : '/docs/'}">${text.documentation}</a></li>
      <li><a href="${escapeHtml(`${path}?lang=${other}${rest}`)}" lang="${other}" hreflang="${other}">${text.other}</a></li>
      <li><a href="/login/?lang=${language}">${text.signIn}</a></li>
    </ul></nav>`,
    },
  );
}
