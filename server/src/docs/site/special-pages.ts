// Pages that no author writes: the search without a script, and the page for unknown addresses.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Language } from '../../platform/std/language.ts';
import type { Found } from './client/words.js';
import { renderFrame, type Site } from './layout.ts';
import { relativeUrl } from './links.ts';
import { TEXTS } from './texts.ts';

const searchUrl = (language: Language): string => `${language === 'fa' ? 'fa/' : ''}search/`;

/** Where the query and the results stand in the file; the server, or a script, fills them in. */
const NO_QUERY = 'name="q" value=""';
const NO_RESULTS = '<div data-results></div>';

export function renderSearchPage(site: Site, language: Language): string {
  const texts = TEXTS[language];
  return renderFrame(
    {
      language,
      url: searchUrl(language),
      title: texts.search,
      description: texts.searchHint,
      main: `<h1>${texts.search}</h1>
<form class="search-again" action=""><label for="q2" class="away">${texts.search}</label><input id="q2" type="search" ${NO_QUERY} maxlength="100"> <button class="button primary">${texts.search}</button></form>
${NO_RESULTS}`,
      sister: searchUrl(language === 'fa' ? 'en' : 'fa'),
    },
    site,
  );
}

/** The same page with what was found, for readers without a script. */
export function fillSearchPage(
  page: string,
  language: Language,
  query: string,
  found: readonly Found[],
): string {
  const results = found.map((result) => {
    const heading = result.heading === '' ? '' : ` › ${escapeHtml(result.heading)}`;
    const url = relativeUrl(searchUrl(language), result.url);
    return `<li lang="${result.language}" dir="${result.language === 'fa' ? 'rtl' : 'ltr'}"><a href="${url}">${escapeHtml(result.title)}${heading}</a><p>${escapeHtml(result.excerpt)}</p></li>`;
  });
  const list =
    found.length === 0
      ? `<p>${TEXTS[language].noResults}</p>`
      : `<ol class="results">${results.join('\n')}</ol>`;
  return page
    .replaceAll(NO_QUERY, () => `name="q" value="${escapeHtml(query)}"`)
    .replace(NO_RESULTS, () => `<div data-results="filled">${list}</div>`);
}

/** It is shown at any address, so its links begin at the root of the host. */
export function renderNotFound(site: Site, base: string): string {
  const texts = TEXTS.en;
  return renderFrame(
    {
      language: 'en',
      url: '404.html',
      root: base,
      title: texts.notFound,
      description: texts.notFoundWhat,
      main: `<h1>${texts.notFound}</h1>\n<p class="lede">${texts.notFoundWhat}</p>\n<p lang="fa" dir="rtl">${TEXTS.fa.notFound} ${TEXTS.fa.notFoundWhat}</p>\n<p><a class="button primary" href="${base}">${texts.docs}</a></p>`,
    },
    site,
  );
}
