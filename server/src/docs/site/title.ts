// The beginning of a page: its title, what it is about, and on small screens its contents.
import { escapeHtml } from '../../platform/std/html.ts';
import { renderHeadings } from './layout.ts';
import type { RenderedPage } from './markdown.ts';
import { OPERATION } from './operation.ts';
import type { Page } from './page.ts';
import { TEXTS } from './texts.ts';

/** Fewer headings are seen by scrolling. */
const CONTENTS_MIN = 4;

/** Not where the text begins with the same words. */
function renderLede({ description, markdown }: Page): string {
  const start = markdown.replace(OPERATION, '').trimStart();
  return start.startsWith(description) ? '' : `<p class="lede">${withCode(description)}</p>`;
}

/** Text in which `code` stands between backquotes. */
export const withCode = (text: string): string =>
  text
    .split('`')
    .map((piece, index) =>
      index % 2 === 1 ? `<code>${escapeHtml(piece)}</code>` : escapeHtml(piece),
    )
    .join('');

export function renderTitle(page: Page, { headings }: Pick<RenderedPage, 'headings'>): string {
  const shown = headings.filter(({ level }) => level === 2);
  const contents =
    shown.length < CONTENTS_MIN
      ? ''
      : `<details class="contents-small"><summary>${TEXTS[page.language].onThisPage}</summary>${renderHeadings(shown)}</details>`;
  return `<h1>${escapeHtml(page.title)}</h1>
${renderLede(page)}${contents}`;
}
