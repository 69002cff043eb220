// Pasted HTML as Markdown, as far as our Markdown has the same things. What it has not becomes its text: nothing that a
// reader saw is lost.
import { isBlank, type Element, type Tree } from '../../content/tree.ts';
import { fenceFor } from '../markdown.ts';
import { inlinesOf, isUnseen } from './inline.ts';

const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol optgroup option p pre section summary table tbody td tfoot th thead
  tr ul`.split(/\s+/),
);
const HEADING = /^h([1-6])$/;
const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'menu']);

export const toMarkdown = (trees: readonly Tree[]): string => blocksOf(trees).join('\n\n').trim();

/** Each block by itself; lines between blocks are paragraphs. */
function blocksOf(trees: readonly Tree[]): readonly string[] {
  const blocks: string[] = [];
  let line: Tree[] = [];
  const flush = () => {
    const text = tidy(inlinesOf(line));
    line = [];
    if (text !== '') blocks.push(text);
  };
  for (const tree of trees) {
    if (typeof tree === 'string' || !hasBlock(tree)) line.push(tree);
    else {
      flush();
      blocks.push(...blockOf(tree));
    }
  }
  flush();
  return blocks;
}

/** An element of a line that has blocks in it cannot stand in a line: it becomes its blocks. */
const hasBlock = (tree: Tree): boolean =>
  typeof tree === 'object' &&
  !isUnseen(tree) &&
  (BLOCKS.has(tree.name) || tree.children.some(hasBlock));

function blockOf(element: Element): readonly string[] {
  const { name, children } = element;
  const level = Number(HEADING.exec(name)?.[1] ?? 0);
  if (level > 0) return headingOf(level, element);
  if (LISTS.has(name)) return linesOrNone(listOf(element));
  if (name === 'li') return linesOrNone(itemOf('- ', children));
  if (name === 'blockquote') return quoteOf(children);
  if (name === 'pre') return codeOf(element);
  if (name === 'table') return tableOf(element);
  if (name === 'hr') return ['---'];
  return blocksOf(children);
}

const linesOrNone = (text: string): readonly string[] => (text === '' ? [] : [text]);

/** White space at the ends of lines says nothing, and at their beginning it would mean code. */
const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

function headingOf(level: number, { children }: Element): readonly string[] {
  const text = blocksOf(children).join(' ').replaceAll('\n', ' ');
  return text === '' ? [] : [`${'#'.repeat(level)} ${text}`];
}

function quoteOf(children: readonly Tree[]): readonly string[] {
  const text = blocksOf(children).join('\n\n');
  if (text === '') return [];
  return [text.replaceAll(/^(?=.)/gm, '> ').replaceAll(/^$/gm, '>')];
}

function codeOf(element: Element): readonly string[] {
  const text = preformatted(element).replace(/^\n/, '').trimEnd();
  if (text.trim() === '') return [];
  const fence = fenceFor(text);
  return [`${fence}${languageOf(element)}\n${text}\n${fence}`];
}

const preformatted = (tree: Tree): string => {
  if (typeof tree === 'string') return tree.replaceAll('\u00a0', ' ');
  if (tree.name === 'br') return '\n';
  const inner = tree.children.map(preformatted).join('');
  // Some editors write each line as an element of its own.
  return tree.name === 'div' || tree.name === 'p' ? `${inner.replace(/\n$/, '')}\n` : inner;
};

function languageOf(element: Element): string {
  const classes = [element, ...element.children].flatMap((tree) =>
    typeof tree === 'object' ? [tree.attributes['class'] ?? ''] : [],
  );
  return /\b(?:language|lang)-([\w+#-]+)/.exec(classes.join(' '))?.[1] ?? '';
}

function listOf({ name, attributes, children }: Element): string {
  let number = Math.max(1, Number(attributes['start'] ?? 1) || 1);
  const items = children
    .filter((child) => !isBlank(child))
    .map((child) => {
      if (typeof child === 'object' && LISTS.has(child.name)) return indent(listOf(child), '  ');
      const marker = name === 'ol' ? `${number}. ` : '- ';
      const item = itemOf(
        marker,
        typeof child === 'object' && child.name === 'li' ? child.children : [child],
      );
      if (item !== '') number += 1;
      return item;
    });
  return items.filter((item) => item !== '').join('\n');
}

function itemOf(marker: string, children: readonly Tree[]): string {
  const text = blocksOf(children).join('\n');
  if (text === '') return '';
  return `${marker}${indent(text, ' '.repeat(marker.length)).trimStart()}`;
}

const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);

function tableOf({ children }: Element): readonly string[] {
  const [first, ...others] = children.filter((child) => !isBlank(child));
  const caption = isNamed(first, 'caption') ? blocksOf([first]) : [];
  const rows = rowsOf(isNamed(first, 'caption') ? others : children);
  const columns = Math.max(0, ...(rows ?? []).map(({ length }) => length));
  // A table that only lays out a page is no table; nor is one whose cells hold more than a line.
  if (rows === undefined || columns < 2 || rows.some((row) => row.some(isTooMuch))) {
    return blocksOf(children);
  }
  const [head = '', ...body] = rows.map((row) => {
    const cells = Array.from({ length: columns }, (_, index) => cellOf(row[index]));
    return `| ${cells.join(' | ')} |`;
  });
  const rule = `|${' --- |'.repeat(columns)}`;
  return [...caption, [head, rule, ...body].join('\n')];
}

const isNamed = (tree: Tree | undefined, ...names: readonly string[]): tree is Element =>
  typeof tree === 'object' && names.includes(tree.name);

/** Each row as its cells; undefined if something else is among them. */
function rowsOf(children: readonly Tree[]): readonly (readonly Element[])[] | undefined {
  const rows: (readonly Element[])[] = [];
  for (const child of children) {
    if (isBlank(child) || isNamed(child, 'colgroup')) continue;
    if (isNamed(child, 'tr')) {
      const cells = child.children.filter((cell) => !isBlank(cell));
      if (!cells.every((cell) => isNamed(cell, 'td', 'th'))) return undefined;
      rows.push(cells);
    } else if (isNamed(child, 'thead', 'tbody', 'tfoot')) {
      const inner = rowsOf(child.children);
      if (inner === undefined) return undefined;
      rows.push(...inner);
    } else return undefined;
  }
  return rows;
}

const isTooMuch = (cell: Element): boolean =>
  cell.children.some(
    (child) =>
      typeof child === 'object' &&
      (['table', 'ul', 'ol', 'pre', 'blockquote'].includes(child.name) || isTooMuch(child)),
  );

const cellOf = (cell: Element | undefined): string =>
  cell === undefined
    ? ''
    : blocksOf(cell.children)
        .join(' ')
        .replaceAll('\n', ' ')
        .replaceAll('|', String.raw`\|`);

/** For comparing: whether two texts say the same to a reader. */
export const wordsOf = (text: string): string => text.replaceAll(/[\s\u00a0]+/g, ' ').trim();
