// Turns the Markdown of a page into HTML, once. Besides the HTML it gives the headings, the texts for the search, and
// the links that lead nowhere.
import type { Token } from 'markdown-it';
import { relativeUrl, urlOf, type Links } from './links.ts';
import type { Page } from './page.ts';
import { parseTokens, renderTokens } from './renderer.ts';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** The text below one heading. The first part is the page itself: its anchor and heading are empty. */
export interface PagePart {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly parts: readonly PagePart[];
  /** Links inside the site, for the check that their anchors exist. */
  readonly links: readonly { readonly to: Page; readonly anchor: string }[];
  readonly problems: readonly string[];
}

const PERSIAN = /\p{Script=Arabic}/u;
const BLOCKS = new Set(['p', 'li', 'td', 'th', 'h2', 'h3', 'h4', 'blockquote']);

export function renderMarkdown(page: Page, links: Links): RenderedPage {
  const tokens = parseTokens(page.markdown);
  const problems: string[] = [];
  const found: { to: Page; anchor: string }[] = [];
  const { headings, parts } = readHeadings(tokens);

  markCallouts(tokens);
  labelCells(tokens);
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline') continue;
    followLinks(token.children ?? []);
    const before = tokens[index - 1];
    // A block without one Persian letter runs from left to right, also on a Persian page.
    if (page.language === 'fa' && before !== undefined && !PERSIAN.test(token.content)) {
      if (BLOCKS.has(before.tag)) before.attrSet('dir', 'ltr');
    }
  }

  function followLinks(inline: Token[]): void {
    let isPlain = false;
    for (const token of inline) {
      if (token.type === 'link_close' && isPlain) {
        [token.tag, isPlain] = ['span', false];
      }
      if (token.type === 'image') problems.push(`${page.path}: pages have no pictures.`);
      if (token.type !== 'link_open') continue;
      const href = String(token.attrGet('href') ?? '');
      const target = links.find(page, decoded(href));
      switch (target.kind) {
        case 'page': {
          found.push({ to: target.page, anchor: target.anchor });
          const url = `${urlOf(target.page)}${target.anchor === '' ? '' : `#${target.anchor}`}`;
          const isHere = target.page === page && target.anchor !== '';
          token.attrSet('href', isHere ? `#${target.anchor}` : relativeUrl(urlOf(page), url));
          if (target.page.language !== page.language) token.attrSet('hreflang', 'en');
          break;
        }
        case 'elsewhere':
          token.attrSet('href', target.href);
          token.attrSet('rel', 'noopener');
          break;
        case 'nowhere':
          problems.push(`${page.language}/${page.path}: ${href}: ${target.why}`);
          break;
        case 'file':
          [token.tag, token.attrs, isPlain] = ['span', [['class', 'file']], true];
      }
    }
  }

  return { html: renderTokens(tokens, page.language), headings, parts, links: found, problems };
}

const OWN_ID = /(?<! ) *\{#([\w-]+)\}$/;

/** Gives every heading its anchor, and collects what stands below it. */
function readHeadings(tokens: Token[]): { headings: Heading[]; parts: PagePart[] } {
  const headings: Heading[] = [];
  const parts: { anchor: string; heading: string; text: string }[] = [
    { anchor: '', heading: '', text: '' },
  ];
  const taken = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const inline = tokens[index + 1];
      const close = tokens[index + 2];
      if (inline === undefined || close === undefined) continue;
      const own = takeOwnId(inline);
      const text = plainText(inline);
      const id = uniqueId(own ?? slugOf(text), taken);
      token.attrSet('id', id);
      close.meta = { id };
      headings.push({ id, text, level: Number(token.tag.slice(1)) });
      parts.push({ anchor: id, heading: text, text: '' });
      continue;
    }
    const last = parts.at(-1);
    const isHeading = tokens[index - 1]?.type === 'heading_open';
    if (token.type === 'inline' && !isHeading && last !== undefined) {
      last.text = `${last.text} ${plainText(token)}`.trim();
    }
  }
  return { headings, parts };
}

function takeOwnId(inline: Token): string | undefined {
  const last = inline.children?.at(-1);
  const own = last?.type === 'text' ? OWN_ID.exec(last.content) : null;
  if (last === undefined || own === null) return undefined;
  last.content = last.content.slice(0, own.index);
  return own[1];
}

const plainText = ({ children }: Token): string =>
  (children ?? [])
    .map((token) =>
      token.type === 'softbreak' || token.type === 'hardbreak' ? ' ' : token.content,
    )
    .join('');

/** As GitHub builds them, so that links in files work there too. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-') || 'part';

function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let count = 1; taken.has(id); count += 1) id = `${wanted}-${count}`;
  taken.add(id);
  return id;
}

/** On a phone each row of a wide table becomes a card, whose cells say to which column they belong. */
function labelCells(tokens: Token[]): void {
  let names: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') names = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') names.push(plainText(tokens[index + 1] ?? token));
    if (token.type === 'td_open') {
      token.attrSet('data-label', names[column] ?? '');
      column += 1;
    }
  }
}

const MARK = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

/** `> [!NOTE]` becomes a callout with its name. */
function markCallouts(tokens: Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'blockquote_open') continue;
    const inline = tokens[index + 2];
    const first = inline?.children?.[0];
    const mark = first?.type === 'text' ? MARK.exec(first.content) : null;
    if (inline?.children === undefined || inline.children === null || mark === null) continue;
    const name = (mark[1] ?? 'NOTE').toLowerCase();
    token.meta = { callout: name === 'important' ? 'note' : name };
    const rest = first?.content.slice(mark[0].length) ?? '';
    if (first !== undefined) first.content = rest;
    if (rest === '' && inline.children[1]?.type === 'softbreak') inline.children.splice(0, 2);
  }
}

function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}
