// The frame around every page. Each address in it is relative to the page, so that the same files work on any host.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Language } from '../../platform/std/language.ts';
import { relativeUrl, urlOf } from './links.ts';
import { markdownPath } from './machines.ts';
import type { Heading } from './markdown.ts';
import type { Navigation, Section } from './navigation.ts';
import type { Page, SectionId } from './page.ts';
import { TEXTS } from './texts.ts';

/** Paths of files from the root of the site; their names change with their content. */
export interface AssetPaths {
  readonly style: string;
  readonly icon: string;
  readonly theme: string;
  readonly site: string;
  readonly search: string;
  readonly try: string;
  readonly index: string;
}

export interface Frame {
  readonly language: Language;
  /** The address of this page from the root of the site. */
  readonly url: string;
  readonly title: string;
  readonly description: string;
  /** HTML. */
  readonly main: string;
  /** The section whose pages the navigation lists; undefined for pages that are in none. */
  readonly section?: SectionId;
  readonly current?: Page;
  readonly headings?: readonly Heading[];
  readonly hasOperation?: boolean;
  readonly sister?: string;
  /** Where the root of the site is, for a page that is shown at unknown addresses. */
  readonly root?: string;
  /** Such as the first page, which has no side. */
  readonly className?: string;
}

export interface Site {
  /** Another host than the server shows it. */
  readonly isStatic: boolean;
  readonly assets: AssetPaths;
  readonly origin: string;
  readonly version: string;
  readonly navigation: Readonly<Record<Language, Navigation>>;
}

export function renderFrame(frame: Frame, site: Site): string {
  const { language, url, title, description, main, section, className = '' } = frame;
  const texts = TEXTS[language];
  const { assets } = site;
  const to = (target: string) =>
    frame.root === undefined ? relativeUrl(url, target) : `${frame.root}${target}`;
  const home = to(language === 'fa' ? 'fa/' : '');
  const headings = frame.headings ?? [];
  const fullTitle = title === '' ? 'Rialto' : `${escapeHtml(title)} · Rialto`;
  const side = renderSide(frame, site, to);
  return `<!doctype html>
<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${fullTitle}</title>
<meta name="description" content="${escapeHtml(description.replaceAll('`', ''))}">
<meta name="theme-color" content="#f6f7f9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0e1116" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${to(assets.icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${to(assets.style)}">
<script src="${to(assets.theme)}"></script>
<script type="module" src="${to(assets.site)}"></script>
${frame.hasOperation === true ? `<script type="module" src="${to(assets.try)}"></script>\n` : ''}</head>
<body class="${className}" data-root="${to('')}" data-origin="${escapeHtml(site.origin)}"${site.isStatic ? ' data-static' : ''} data-copied="${texts.copied}">
<a class="skip" href="#main">${texts.skip}</a>
<header class="top">
<button type="button" class="menu" popovertarget="side" aria-label="${texts.menu}"></button>
<a class="brand" href="${home}" aria-label="Rialto ${texts.docs}"><img src="${to(assets.icon)}" alt="" width="28" height="28"><span>Rialto</span> <span class="part">${texts.docs}</span></a>
${renderSearchBox(frame, to, assets)}
<ul class="tools">
${frame.sister === undefined ? '' : `<li><a href="${to(frame.sister)}" lang="${language === 'fa' ? 'en' : 'fa'}" hreflang="${language === 'fa' ? 'en' : 'fa'}">${texts.otherLanguage}</a></li>`}
<li><button type="button" class="theme" data-names="${texts.theme}" hidden></button></li>
<li class="front"><a href="${escapeHtml(site.origin)}/">${texts.frontPage}</a></li>
</ul>
</header>
<div class="page">
${side}
<main id="main" tabindex="-1">
${section === undefined || frame.current?.path === '' ? '' : `<p class="where">${texts.section[section]}${frame.current?.group === undefined ? '' : ` <span aria-hidden="true">›</span> ${escapeHtml(frame.current.group)}`}</p>`}
${main}
${renderNeighbours(frame, site, to)}
${renderFooter(frame, site, to)}
</main>
${renderContents(headings, texts.onThisPage)}
</div>
</body>
</html>
`;
}

type To = (target: string) => string;

function renderSearchBox({ language }: Frame, to: To, assets: AssetPaths): string {
  const texts = TEXTS[language];
  const action = to(language === 'fa' ? 'fa/search/' : 'search/');
  return `<form class="search" role="search" action="${action}" data-script="${to(assets.search)}" data-index="${to(assets.index)}" data-none="${escapeHtml(texts.noResults)}">
<label for="q" class="away">${texts.search}</label>
<input id="q" type="search" name="q" value="" placeholder="${texts.searchHint}" maxlength="100" autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
<div class="found" id="found" hidden></div>
</form>`;
}

/** The sections; the one that is open shows its pages. */
function renderSide({ language, section: open, current }: Frame, site: Site, to: To): string {
  const texts = TEXTS[language];
  const own = site.navigation[language].sections;
  const english = site.navigation.en.sections.filter(({ id }) => !own.some((one) => one.id === id));
  const items = own.map((section) => {
    const isOpen = section.id === open;
    const link = `<a class="name" href="${to(urlOf(section.first))}"${current === section.first && !current.path.includes('/') ? ' aria-current="page"' : ''}>${texts.section[section.id]}</a>`;
    return `<li${isOpen ? ' class="open"' : ''}>${link}${isOpen ? renderPages(section, current, to) : ''}</li>`;
  });
  const others = language === 'fa' ? english : [];
  const foreign = others.map(
    ({ id, first }) =>
      `<li><a class="name" href="${to(urlOf(first))}" hreflang="en">${texts.section[id]} <small>${texts.inEnglish}</small></a></li>`,
  );
  return `<nav class="side" id="side" popover aria-label="${texts.sections}">
<button type="button" class="close" popovertarget="side" popovertargetaction="hide">${texts.close}</button>
<ul>${items.join('\n')}${foreign.join('\n')}</ul>
</nav>`;
}

function renderPages({ groups, first }: Section, current: Page | undefined, to: To): string {
  return groups
    .map(({ name, pages }) => {
      const links = pages
        // The page of the section itself is what its name leads to.
        .filter((page) => page !== first || page.path.includes('/'))
        .map(
          (page) =>
            `<li><a href="${to(urlOf(page))}"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`,
        )
        .join('\n');
      if (name === '') return links === '' ? '' : `<ul>${links}</ul>`;
      const isOpen = pages.some((page) => page === current);
      return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(name)} <small>${pages.length}</small></summary><ul>${links}</ul></details>`;
    })
    .join('\n');
}

const CONTENTS_MIN = 2;

function renderContents(headings: readonly Heading[], label: string): string {
  const shown = headings.filter(({ level }) => level <= 3);
  if (shown.length < CONTENTS_MIN) return '';
  return `<nav class="contents" aria-label="${label}"><p>${label}</p>${renderHeadings(shown)}</nav>`;
}

export const renderHeadings = (headings: readonly Heading[]): string =>
  `<ul>${headings.map(({ id, text, level }) => `<li class="h${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`).join('')}</ul>`;

function renderNeighbours({ current, language }: Frame, site: Site, to: To): string {
  if (current === undefined) return '';
  const texts = TEXTS[language];
  const link = (page: Page | undefined, name: string, rel: string) =>
    page === undefined
      ? ''
      : `<a class="${rel}" rel="${rel}" href="${to(urlOf(page))}"><small>${name}</small><span>${escapeHtml(page.title)}</span></a>`;
  const before = link(site.navigation[language].previous(current), texts.previous, 'prev');
  const after = link(site.navigation[language].next(current), texts.next, 'next');
  return before + after === '' ? '' : `<div class="neighbours">${before}${after}</div>`;
}

function renderFooter({ current, language }: Frame, site: Site, to: To): string {
  const markdown =
    current === undefined
      ? ''
      : `<a href="${to(markdownPath(current))}">${TEXTS[language].asMarkdown}</a>`;
  return `<footer><span>Rialto ${escapeHtml(site.version)}</span> ${markdown} <a href="${to('llms.txt')}">llms.txt</a></footer>`;
}
