// The site for programs that read text: llms.txt, every page as Markdown, and the map for search engines.
import { escapeHtml } from '../../platform/std/html.ts';
import { urlOf } from './links.ts';
import type { Navigation } from './navigation.ts';
import { OPERATION, type Operation } from './operation.ts';
import type { Page } from './page.ts';
import { TEXTS } from './texts.ts';

/** A reader that takes more asks for single pages. */
const FULL_TEXT_MAX = 4 * 1024 * 1024;

/** See llmstxt.org. */
export function renderLlms({ sections }: Navigation, home: string): string {
  const lists = sections.map(({ id, groups }) => {
    const lines = groups.flatMap(({ pages }) =>
      pages.map((page) => `- [${page.title}](${markdownUrl(page, home)}): ${page.description}`),
    );
    return `## ${TEXTS.en.section[id]}\n\n${lines.join('\n')}`;
  });
  return `# Rialto

> A cryptocurrency trading venue (\`/v1\`, signed) and a Zulip-compatible team chat (\`/api/v1\`) in one server: one identity, one event log.

All pages in one text: ${home}llms-full.txt

${lists.join('\n\n')}
`;
}

export function renderFullText(pages: readonly Page[], home: string): string {
  let text = '';
  for (const page of pages) {
    const next = `${renderPageText(page)}\nSource: ${markdownUrl(page, home)}\n\n---\n\n`;
    if (text.length + next.length > FULL_TEXT_MAX) {
      return `${text}The rest is left out here: this text has at most ${FULL_TEXT_MAX} characters. ${home}llms.txt lists every page.\n`;
    }
    text += next;
  }
  return text;
}

/** The page as its author wrote it, with blocks that only the site understands put into words. */
export const renderPageText = (page: Page): string =>
  `# ${page.title}\n\n${page.description}\n\n${page.markdown.replace(OPERATION, (_block, json: string) => describe(JSON.parse(json) as Operation)).trim()}\n`;

const describe = ({ method, path, authentication, access }: Operation): string =>
  `\`${method} ${path}\` (${[authentication, ...access].join(', ')})`;

const markdownUrl = (page: Page, home: string): string => `${home}${markdownPath(page)}`;

/** Where the page is as Markdown, from the root of the site. */
export const markdownPath = (page: Page): string =>
  `${urlOf(page).replace(/\/$/, '') || 'index'}.md`;

export function renderSitemap(pages: readonly Page[], home: string): string {
  const urls = pages.map((page) => `<url><loc>${escapeHtml(home + urlOf(page))}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}
