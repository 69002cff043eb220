// Where links lead. Every address inside the site is relative, so that it works below any folder of any host.
import { posix } from 'node:path';
import type { Language } from '../../platform/std/language.ts';
import type { Page } from './page.ts';

/** The address of a page from the root of the site, with a slash at its end; empty for the first page. */
export const urlOf = ({ path, language }: Pick<Page, 'path' | 'language'>): string =>
  `${language === 'fa' ? 'fa/' : ''}${path === '' ? '' : `${path}/`}`;

/** From one address of the site to another: both begin at the root of the site. */
export function relativeUrl(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1);
  return `${up}${to}` === '' ? './' : `${up}${to}`;
}

export type Target =
  | { readonly kind: 'page'; readonly page: Page; readonly anchor: string }
  /** A file of the repository that is no page: the reader cannot open it. */
  | { readonly kind: 'file' }
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'nowhere'; readonly why: string };

export interface Links {
  find(from: Page, href: string): Target;
  findPage(path: string, language: Language): Page | undefined;
}

export function createLinks(pages: readonly Page[], origin: string): Links {
  const byUrl = new Map(pages.map((page) => [urlOf(page), page]));
  const bySource = new Map(pages.map((page) => [page.source ?? '', page]));
  bySource.delete('');

  /** In this language, or in English. */
  const findPage = (path: string, language: Language) =>
    byUrl.get(urlOf({ path, language })) ?? byUrl.get(urlOf({ path, language: 'en' }));

  function find(from: Page, href: string): Target {
    const [place, anchor] = splitAnchor(href);
    if (place === '') return { kind: 'page', page: from, anchor };
    if (place.startsWith('docs:')) {
      const page = findPage(place.slice('docs:'.length).replace(/\/$/, ''), from.language);
      return page === undefined
        ? { kind: 'nowhere', why: 'There is no such page.' }
        : { kind: 'page', page, anchor };
    }
    if (/^(https?|mailto|zulip):/.test(place)) return { kind: 'elsewhere', href };
    if (/^[a-z]+:/i.test(place)) return { kind: 'nowhere', why: 'Links of this kind do not work.' };
    // A path of the server itself, such as its OpenAPI document.
    if (place.startsWith('/')) return { kind: 'elsewhere', href: `${origin}${href}` };
    if (from.source === undefined) {
      return { kind: 'nowhere', why: 'A page that is no file links to others with "docs:".' };
    }
    const page = bySource.get(posix.join(posix.dirname(from.source), place));
    return page === undefined ? { kind: 'file' } : { kind: 'page', page, anchor };
  }

  return { find, findPage };
}

function splitAnchor(href: string): readonly [string, string] {
  const mark = href.indexOf('#');
  return mark < 0 ? [href, ''] : [href.slice(0, mark), href.slice(mark + 1)];
}
