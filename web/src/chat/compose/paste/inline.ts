// What stands in a line of pasted HTML, as Markdown: emphasis, code, links, pictures by their names.
import { textOf, type Element, type Tree } from '../../content/tree.ts';

type Mark = '**' | '*' | '~~';

const MARKS: Readonly<Record<string, Mark>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  cite: '*',
  dfn: '*',
  var: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};
const CODE: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt']);
/** Never shown to a reader of the page that it came from. */
const UNSEEN: ReadonlySet<string> = new Set(
  'script style template head title meta link base svg iframe object audio video canvas input'.split(
    ' ',
  ),
);
const SAFE: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

export const isUnseen = ({ name }: Element): boolean => UNSEEN.has(name);

export function inlinesOf(trees: readonly Tree[], on: readonly Mark[] = []): string {
  return trees.map((tree) => inlineOf(tree, on)).join('');
}

function inlineOf(tree: Tree, on: readonly Mark[]): string {
  // A line of HTML may be broken anywhere; a line of Markdown says so.
  if (typeof tree === 'string') return tree.replaceAll(/[\s\u00a0]+/g, ' ');
  const { name, children } = tree;
  if (isUnseen(tree)) return '';
  if (name === 'br') return '\n';
  if (name === 'img') return pictureOf(tree);
  if (CODE.has(name)) return codeOf(textOf(tree));
  if (name === 'a') return linkOf(inlinesOf(children, on), tree.attributes['href'] ?? '');
  const marks = marksOf(tree).filter((mark) => !on.includes(mark));
  // A star in the text itself would end the emphasis early.
  const isSafe = !/[*~]/.test(textOf(tree));
  const inner = inlinesOf(children, [...on, ...marks]);
  return isSafe ? marks.reduce(surround, inner) : inner;
}

/** By the element, and by the style that editors of documents write instead. */
function marksOf({ name, attributes: { style = '' } }: Element): readonly Mark[] {
  const mark = MARKS[name];
  const isLight = /font-weight:\s*(?:normal|[1-4]00)\b/i.test(style);
  const marks = new Set<Mark>(mark === undefined || (mark === '**' && isLight) ? [] : [mark]);
  if (/font-weight:\s*(?:bold|[6-9]00)\b/i.test(style)) marks.add('**');
  if (/font-style:\s*italic\b/i.test(style)) marks.add('*');
  if (/text-decoration[^;]*line-through/i.test(style)) marks.add('~~');
  return [...marks];
}

/** Marks touch what they mark: white space stays outside, and each line has its own. */
function surround(text: string, mark: Mark): string {
  return text
    .split('\n')
    .map((line) => {
      const inner = line.trim();
      if (inner === '') return line;
      const at = line.indexOf(inner);
      return `${line.slice(0, at)}${mark}${inner}${mark}${line.slice(at + inner.length)}`;
    })
    .join('\n');
}

function codeOf(text: string): string {
  const line = text.replaceAll(/[\s\u00a0]+/g, ' ');
  if (line.trim() === '') return line;
  let longest = 0;
  for (const [run] of line.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  const gap = longest === 0 ? '' : ' ';
  return `${fence}${gap}${line}${gap}${fence}`;
}

function linkOf(text: string, href: string): string {
  const label = text.replaceAll('\n', ' ').trim();
  const url = URL.parse(href);
  if (label === '' || url === null || !SAFE.has(url.protocol)) return text;
  const address = url.href.replaceAll('(', '%28').replaceAll(')', '%29');
  if (label === href || label === url.href) return label;
  // Brackets in the text could end it early.
  return /[[\]]/.test(label) ? `${label} (${address})` : `[${label}](${address})`;
}

function pictureOf({ attributes: { alt = '', src = '' } }: Element): string {
  return alt.trim() === '' ? '' : linkOf(alt.trim(), src);
}
