// The whole site from its pages, as a pure function: the server serves the result from memory, `npm run docs` writes
// it into a folder.
import { EXAMPLE_ORIGIN, type Page } from './page.ts';
import { hashOf, type Asset, type Assets } from './assets.ts';
import { renderFirstPage } from './first-page.ts';
import { renderFrame, type Site } from './layout.ts';
import { createLinks, urlOf, type Links } from './links.ts';
import {
  markdownPath,
  renderFullText,
  renderLlms,
  renderPageText,
  renderSitemap,
} from './machines.ts';
import { renderMarkdown, type RenderedPage } from './markdown.ts';
import { arrange } from './navigation.ts';
import { NOT_FOUND, SEARCH } from './paths.ts';
import { buildIndex } from './search-index.ts';
import { OPERATION } from './operation.ts';
import { renderNotFound, renderSearchPage } from './special-pages.ts';
import { renderTitle } from './title.ts';

export interface SiteOptions {
  /** Of the server that the pages speak of, without a slash at its end. */
  readonly origin: string;
  /** Where the site stands on its host, for the page of unknown addresses and the sitemap: `/docs/`. */
  readonly base: string;
  /** Another host than that server shows the pages. */
  readonly isStatic: boolean;
  readonly version: string;
  readonly assets: Assets;
  /** HTML of the picture on the first page. */
  readonly picture: string;
}

export interface SiteFile {
  readonly type: string;
  readonly text: string;
  /** Its name changes with its content. */
  readonly isForever: boolean;
}

export interface BuiltSite {
  /** By path from the root of the site: `index.html`, `concepts/signing/index.html`, `assets/…`. */
  readonly files: ReadonlyMap<string, SiteFile>;
  /** Links that lead nowhere, and pages of the same name. A test and `npm run docs` refuse them. */
  readonly problems: readonly string[];
}

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const XML = 'application/xml; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const RESERVED = /^(?:assets|fa|search)(?:\/|$)/;
/** Without dots, so that files and pages cannot be confused. */
const PATH = /^(?:[a-z0-9][\w-]*(?:\/[a-z0-9][\w-]*)*)?$/i;

/** The whole site at once. */
export function buildSite(given: readonly Page[], options: SiteOptions): BuiltSite {
  const plan = planSite(given, options);
  const files = new Map(listFiles(plan));
  return { files, problems: [...plan.problems, ...findDeadAnchors(plan)] };
}

export interface SitePlan {
  readonly options: SiteOptions;
  readonly pages: readonly Page[];
  readonly links: Links;
  readonly site: Site;
  readonly problems: readonly string[];
  /** Each page is rendered when it is first needed. */
  render(page: Page): RenderedPage;
}

export function planSite(given: readonly Page[], options: SiteOptions): SitePlan {
  const { assets, origin, version, isStatic } = options;
  const problems: string[] = [];
  const pages = unique(given, problems).map((page) => at(page, origin));
  const links = createLinks(pages, origin);
  const rendered = new Map<Page, RenderedPage>();
  function render(page: Page): RenderedPage {
    const known = rendered.get(page) ?? renderMarkdown(page, links);
    rendered.set(page, known);
    return known;
  }
  const site: Site = {
    isStatic,
    origin,
    version,
    navigation: { en: arrange(pages, 'en'), fa: arrange(pages, 'fa') },
    assets: {
      style: assets.style.path,
      icon: assets.icon.path,
      theme: assets.theme.path,
      site: assets.site.path,
      search: assets.search.path,
      try: assets.try.path,
      // It is made last, so its name comes from what it is made of.
      index: `assets/index-${hashOf(JSON.stringify(pages))}.json`,
    },
  };
  return { options, pages, links, site, problems, render };
}

/** The paths of all files, which are known before any is made. */
export const listPaths = ({ options, pages, site }: SitePlan): string[] => [
  ...(Object.values(options.assets) as Asset[]).map(({ path }) => path),
  NOT_FOUND,
  ...pages.flatMap((page) => [`${urlOf(page)}index.html`, markdownPath(page)]),
  SEARCH.en,
  SEARCH.fa,
  'llms.txt',
  'llms-full.txt',
  'sitemap.xml',
  site.assets.index,
];

/**
 * The files one after the other: first what every page loads, then the pages, beginning with `first`, then what is
 * made from all pages. So the server can answer before everything is ready.
 */
export function* listFiles(plan: SitePlan, first = ''): Generator<[string, SiteFile]> {
  const { options, pages, site, render } = plan;
  for (const { path, type, text } of Object.values(options.assets) as Asset[]) {
    yield [path, { type, text, isForever: true }];
  }
  const file = (type: string, text: string): SiteFile => ({ type, text, isForever: false });
  yield [NOT_FOUND, file(HTML, renderNotFound(site, options.base))];
  const isFirst = (page: Page) => urlOf(page) === first;
  for (const page of [...pages.filter(isFirst), ...pages.filter((one) => !isFirst(one))]) {
    yield [`${urlOf(page)}index.html`, file(HTML, renderWhole(page, plan))];
    yield [markdownPath(page), file(MARKDOWN, renderPageText(page))];
  }
  yield [SEARCH.en, file(HTML, renderSearchPage(site, 'en'))];
  yield [SEARCH.fa, file(HTML, renderSearchPage(site, 'fa'))];
  const home = `${options.origin}${options.base}`;
  const { en, fa } = site.navigation;
  yield ['llms.txt', file(PLAIN, renderLlms(en, home))];
  yield ['llms-full.txt', file(PLAIN, renderFullText(en.order, home))];
  yield ['sitemap.xml', file(XML, renderSitemap([...en.order, ...fa.order], home))];
  const all = pages.map((page) => ({ page, rendered: render(page) }));
  yield [site.assets.index, { type: JSON_TYPE, text: buildIndex(all), isForever: true }];
}

function renderWhole(page: Page, { site, links, options, render }: SitePlan): string {
  const rendered = render(page);
  const { language, path } = page;
  const other = language === 'fa' ? 'en' : 'fa';
  const sister = links.findPage(path, other);
  const isFirst = path === '';
  // A page without a sister leads to the first page of the other language.
  const elsewhere = sister?.language === other ? sister : links.findPage('', other);
  const main = isFirst
    ? renderFirstPage(page, rendered, site, options.picture)
    : `${renderTitle(page, rendered)}\n${rendered.html}`;
  return renderFrame(
    {
      language,
      url: urlOf(page),
      title: page.title,
      description: page.description,
      main,
      headings: isFirst ? [] : rendered.headings,
      hasOperation: OPERATION.test(page.markdown),
      current: page,
      section: page.section,
      ...(isFirst && { className: 'first' }),
      ...(elsewhere?.language === other && { sister: urlOf(elsewhere) }),
    },
    site,
  );
}

/**
 * The origin of the examples becomes that of this server, also for sockets. The head of an operation comes before
 * what is said about it.
 */
function at(page: Page, origin: string): Page {
  const [head = ''] = OPERATION.exec(page.markdown) ?? [];
  const socket = (url: string) => url.replace(/^http/, 'ws');
  return {
    ...page,
    markdown: `${head === '' ? '' : `${head}\n\n`}${page.markdown.replace(head, '')}`
      .replaceAll(EXAMPLE_ORIGIN, origin)
      .replaceAll(socket(EXAMPLE_ORIGIN), socket(origin)),
  };
}

function unique(pages: readonly Page[], problems: string[]): Page[] {
  const seen = new Map<string, Page>();
  for (const page of pages) {
    const url = urlOf(page);
    if (!PATH.test(page.path) || RESERVED.test(page.path)) {
      problems.push(`"${page.path}" cannot be the path of a page.`);
    } else if (seen.has(url)) problems.push(`There are two pages at "${url}".`);
    else seen.set(url, page);
  }
  return [...seen.values()];
}

/** Links to parts of pages that those do not have. */
const findDeadAnchors = ({ pages, render }: SitePlan): string[] =>
  pages.flatMap((page) => {
    const { links, problems } = render(page);
    const dead = links
      .filter(
        ({ to, anchor }) => anchor !== '' && !render(to).headings.some(({ id }) => id === anchor),
      )
      .map(({ to, anchor }) => `${urlOf(page)}: ${urlOf(to)} has no part #${anchor}.`);
    return [...problems, ...dead];
  });
