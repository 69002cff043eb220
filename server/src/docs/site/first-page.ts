// The first page: the picture of the front page, what the author wrote, and a card for each section.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Site } from './layout.ts';
import { relativeUrl, urlOf } from './links.ts';
import type { RenderedPage } from './markdown.ts';
import type { Page } from './page.ts';
import { TEXTS } from './texts.ts';
import { withCode } from './title.ts';

const LINKS_MAX = 5;

export function renderFirstPage(
  page: Page,
  rendered: RenderedPage,
  { navigation }: Site,
  picture: string,
): string {
  const { language } = page;
  const texts = TEXTS[language];
  const own = navigation[language].sections;
  const english = language === 'fa' ? navigation.en.sections : [];
  const sections = [
    ...own,
    ...english.filter(({ id }) => !own.some((section) => section.id === id)),
  ];
  const cards = sections.map(({ id, groups, first }) => {
    const foreign = first.language === language ? '' : ` <small>${texts.inEnglish}</small>`;
    const pages = groups.flatMap((group) => group.pages).filter(({ path }) => path !== '');
    // A reference has hundreds of pages, of which the first few mean nothing here.
    const listed = groups.length > 2 ? [] : pages.slice(0, LINKS_MAX);
    const to = (target: Page) => relativeUrl(urlOf(page), urlOf(target));
    const [start = first] = pages;
    const links = listed
      .map((one) => `<li><a href="${to(one)}">${escapeHtml(one.title)}</a></li>`)
      .join('');
    return `<li class="card"><h2><a href="${to(start)}">${texts.section[id]}</a>${foreign}</h2><p>${texts.sectionWhat[id]}</p>${links === '' ? '' : `<ul>${links}</ul>`}</li>`;
  });
  return `<div class="hero"><div><h1>${escapeHtml(page.title)}</h1>
<p class="lede">${withCode(page.description)}</p></div>
${picture}</div>
${rendered.html}
<ul class="cards">${cards.join('\n')}</ul>`;
}
