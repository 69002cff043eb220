// Reads paragraphs, lists, quotes, tables and what else stands by itself.
import { readCode } from './read-code.ts';
import { directionOf, sideOf } from './direction.ts';
import type { Block, Cell, Inline, Side } from './nodes.ts';
import { readInlines, unknown } from './read-inlines.ts';
import { readEmbed, readPreview } from './read-previews.ts';
import { classOf, isBlank, type Element, type Tree } from './tree.ts';

const BLOCKS: ReadonlySet<string> = new Set(
  'p div ul ol li blockquote h1 h2 h3 h4 h5 h6 table hr pre'.split(' '),
);

/** Text between blocks is a paragraph without space around it, as in an item of a list. */
export function readBlocks(children: readonly Tree[]): readonly Block[] {
  const blocks: Block[] = [];
  let run: Tree[] = [];
  const endRun = () => {
    if (!run.every(isBlank)) blocks.push(paragraph(trimmed(readInlines(run)), true));
    run = [];
  };
  for (const child of children) {
    if (typeof child === 'string' || !BLOCKS.has(child.name)) run.push(child);
    else {
      endRun();
      blocks.push(readBlock(child));
    }
  }
  endRun();
  return blocks;
}

function paragraph(children: readonly Inline[], isTight: boolean): Block {
  const [only] = children;
  if (children.length === 1 && only?.kind === 'formula' && only.formula.isDisplayed) {
    return { kind: 'formula-block', formula: only.formula };
  }
  return { kind: 'paragraph', isTight, direction: directionOf(children), children };
}

/** Without the line breaks that the server writes between elements. */
function trimmed(nodes: readonly Inline[]): readonly Inline[] {
  return nodes.flatMap((node, index): readonly Inline[] => {
    if (node.kind !== 'text') return [node];
    let { text } = node;
    if (index === 0) text = text.trimStart();
    if (index === nodes.length - 1) text = text.trimEnd();
    return text === '' ? [] : [{ ...node, text }];
  });
}

function readBlock(element: Element): Block {
  const { name, children } = element;
  const names = classOf(element);
  if (name === 'div') return readDivision(element, names);
  if (names !== '') return unknown(element);
  switch (name) {
    case 'p':
      return paragraph(readInlines(children), false);
    case 'hr':
      return { kind: 'rule' };
    case 'blockquote': {
      const blocks = readBlocks(children);
      return { kind: 'quote', side: sideOfBlocks(blocks), children: blocks };
    }
    case 'ul':
    case 'ol':
      return readList(element);
    case 'table':
      return readTable(element);
    case 'pre':
    case 'li':
      return unknown(element);
    default: {
      const inlines = readInlines(children);
      const level = Number(name.slice(1));
      return { kind: 'heading', level, direction: directionOf(inlines), children: inlines };
    }
  }
}

/** A quote's bar and a list's marks stand at the side where their first text begins. */
function sideOfBlocks(blocks: readonly Block[]): Side {
  for (const block of blocks) {
    const isText = block.kind === 'paragraph' || block.kind === 'heading';
    const side = isText ? sideOf(block.children) : 'side' in block ? block.side : undefined;
    if (side !== undefined) return side;
  }
  return undefined;
}

function readDivision(element: Element, names: string): Block {
  switch (names) {
    case 'codehilite':
      return readCode(element) ?? unknown(element);
    case 'spoiler-block':
      return readSpoiler(element) ?? unknown(element);
    case 'message_inline_image':
    case 'message_inline_image message_inline_video':
    case 'message_inline_image youtube-video':
      return readPreview(element, names) ?? unknown(element);
    case 'message_embed':
      return readEmbed(element) ?? unknown(element);
    default:
      return unknown(element);
  }
}

function readSpoiler(element: Element): Block | undefined {
  const [header, content, ...rest] = element.children.filter((child) => !isBlank(child));
  if (typeof header !== 'object' || typeof content !== 'object' || rest.length > 0)
    return undefined;
  if (classOf(header) !== 'spoiler-header' || classOf(content) !== 'spoiler-content') {
    return undefined;
  }
  return {
    kind: 'spoiler',
    header: readBlocks(header.children),
    children: readBlocks(content.children),
  };
}

function readList(element: Element): Block {
  const items: (readonly Block[])[] = [];
  for (const child of element.children) {
    if (isBlank(child)) continue;
    if (typeof child === 'string' || child.name !== 'li') return unknown(element);
    items.push(readBlocks(child.children));
  }
  const start = element.attributes['start'] ?? '1';
  return {
    kind: 'list',
    isOrdered: element.name === 'ol',
    start: /^\d{1,9}$/.test(start) ? Number(start) : 1,
    side: sideOfBlocks(items.flat()),
    items,
  };
}

function readTable(element: Element): Block {
  const parts: Record<string, (readonly Cell[])[]> = { thead: [], tbody: [] };
  for (const part of element.children) {
    if (isBlank(part)) continue;
    const rows = typeof part === 'object' ? parts[part.name] : undefined;
    if (typeof part !== 'object' || rows === undefined) return unknown(element);
    for (const row of part.children) {
      if (isBlank(row)) continue;
      const cells = typeof row === 'object' && row.name === 'tr' ? readRow(row) : undefined;
      if (cells === undefined) return unknown(element);
      rows.push(cells);
    }
  }
  const { thead: head = [], tbody: body = [] } = parts;
  const sides = [...head, ...body].flat().map((cell) => sideOf(cell.children));
  return { kind: 'table', side: sides.find((side) => side !== undefined), head, body };
}

const ALIGN: Readonly<Record<string, Cell['align']>> = {
  left: 'start',
  center: 'center',
  right: 'end',
};

function readRow(row: Element): readonly Cell[] | undefined {
  const cells: Cell[] = [];
  for (const cell of row.children) {
    if (isBlank(cell)) continue;
    if (typeof cell !== 'object' || (cell.name !== 'td' && cell.name !== 'th')) return undefined;
    const side = /^text-align: (left|center|right);$/.exec(cell.attributes['style'] ?? '')?.[1];
    const children = readInlines(cell.children);
    const align = side === undefined ? undefined : ALIGN[side];
    cells.push({ align, direction: directionOf(children), children });
  }
  return cells;
}

/** The emoji of a message that has nothing else: they are drawn larger. */
export function isOnlyEmoji(blocks: readonly Block[]): boolean {
  const [only] = blocks;
  if (blocks.length !== 1 || only?.kind !== 'paragraph') return false;
  const shown = only.children.filter((node) => node.kind !== 'text' || node.text.trim() !== '');
  const isEmoji = ({ kind }: Inline) => kind === 'emoji' || kind === 'picture-emoji';
  return shown.length > 0 && shown.length <= JUMBO_MAX && shown.every(isEmoji);
}

const JUMBO_MAX = 6;
