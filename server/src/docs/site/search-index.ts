// The index of the search: an entry for each page and for each of its headings.
import MiniSearch from 'minisearch';
import type { Language } from '../../platform/std/language.ts';
import { INDEX_OPTIONS, nameOf } from './client/words.js';
import type { RenderedPage } from './markdown.ts';
import { urlOf } from './links.ts';
import type { Page, SectionId } from './page.ts';

export interface SearchEntry {
  readonly id: number;
  /** From the root of the site, with the anchor. */
  readonly url: string;
  readonly title: string;
  /** Empty for the page itself. */
  readonly heading: string;
  readonly text: string;
  readonly excerpt: string;
  readonly language: Language;
  readonly section: SectionId;
  /** The keywords of the page in the form in which queries are compared, one in each line. */
  readonly names: string;
}

const EXCERPT_MAX = 320;
const TEXT_MAX = 6000;

export function buildIndex(pages: readonly { page: Page; rendered: RenderedPage }[]): string {
  const index = new MiniSearch<SearchEntry>(INDEX_OPTIONS);
  let id = 0;
  for (const { page, rendered } of pages) {
    for (const { anchor, heading, text } of rendered.parts) {
      const isWhole = anchor === '';
      if (!isWhole && text === '') continue;
      id += 1;
      const said = isWhole ? introduce(page, text) : text;
      index.add({
        id,
        url: `${urlOf(page)}${isWhole ? '' : `#${anchor}`}`,
        title: page.title,
        heading,
        text: said.slice(0, TEXT_MAX),
        excerpt: said.slice(0, EXCERPT_MAX),
        language: page.language,
        section: page.section,
        names: isWhole ? (page.keywords ?? []).map(nameOf).join('\n') : '',
      });
    }
  }
  return JSON.stringify(index);
}

/** Many pages begin with their description. */
function introduce({ description }: Page, text: string): string {
  const plain = description.replaceAll('`', '');
  return text.startsWith(plain) ? text : `${plain} ${text}`;
}
