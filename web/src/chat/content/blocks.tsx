// Draws paragraphs, lists, quotes, tables and what else stands by itself.
import { Fragment, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { classes } from '../../ui/classes.ts';
import { CodeBlock } from './code-block.tsx';
import { FormulaBlock } from './formula.tsx';
import { drawInlines, UnknownView } from './inlines.tsx';
import { splitLines } from './lines.ts';
import { PageView, PreviewView } from './media.tsx';
import type { Block, Cell, Inline } from './nodes.ts';
import { Spoiler } from './spoiler.tsx';
import { contentTexts } from './texts.ts';

export function drawBlocks(blocks: readonly Block[]): ReactNode {
  return gather(blocks).map((group, index) => {
    const [first] = group;
    if (first?.kind !== 'preview') {
      return <Fragment key={index}>{first && drawBlock(first)}</Fragment>;
    }
    return (
      <div key={index} className="my-1 flex flex-wrap items-start gap-2">
        {group.map((block, place) => (
          <Fragment key={place}>{drawBlock(block)}</Fragment>
        ))}
      </div>
    );
  });
}

/** Pictures that follow each other stand in one row. */
function gather(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind === 'preview' && last?.[0]?.kind === 'preview') last.push(block);
    else groups.push([block]);
  }
  return groups;
}

const HEADINGS = ['text-[1.4em]', 'text-[1.25em]', 'text-[1.12em]', '', '', ''];
/** The page has two levels above the headings of a message. */
const LEVELS_ABOVE = 2;

function drawBlock(block: Block): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return block.isTight ? (
        <div dir={block.direction}>{drawLines(block.children)}</div>
      ) : (
        <p dir={block.direction}>{drawLines(block.children)}</p>
      );
    case 'heading':
      return (
        <div
          role="heading"
          aria-level={Math.min(6, block.level + LEVELS_ABOVE)}
          dir={block.direction}
          className={classes('mt-1 leading-snug font-semibold', HEADINGS[block.level - 1])}
        >
          {drawInlines(block.children)}
        </div>
      );
    case 'list':
      return <List {...block} />;
    case 'quote':
      return (
        <blockquote
          dir={block.side}
          className="content-blocks border-s-4 border-line ps-3 text-muted"
        >
          {drawBlocks(block.children)}
        </blockquote>
      );
    case 'code-block':
      return <CodeBlock language={block.language} code={block.code} parts={block.parts} />;
    case 'formula-block':
      return <FormulaBlock formula={block.formula} />;
    case 'table':
      return <Table {...block} />;
    case 'rule':
      return <hr className="my-2 border-line" />;
    case 'spoiler':
      return (
        <Spoiler header={block.header.length === 0 ? undefined : drawBlocks(block.header)}>
          {drawBlocks(block.children)}
        </Spoiler>
      );
    case 'preview':
      return <PreviewView preview={block} />;
    case 'page':
      return <PageView {...block} />;
    case 'unknown':
      return (
        <p dir="auto" className="whitespace-pre-wrap">
          <UnknownView text={block.text} />
        </p>
      );
  }
}

/** Lines of different directions stand each at its own side. */
function drawLines(nodes: readonly Inline[]): ReactNode {
  const lines = splitLines(nodes);
  if (lines === undefined) return drawInlines(nodes);
  return lines.map((line, index) => (
    <span key={index} dir={line.direction} className="block min-h-[1lh]">
      {drawInlines(line.children)}
    </span>
  ));
}

function List({ isOrdered, start, side, items }: Extract<Block, { kind: 'list' }>) {
  const drawn = items.map((item, index) => (
    <li key={index} className="content-blocks">
      {drawBlocks(item)}
    </li>
  ));
  return isOrdered ? (
    <ol start={start} dir={side} className="list-decimal ps-8">
      {drawn}
    </ol>
  ) : (
    <ul dir={side} className="list-disc ps-6">
      {drawn}
    </ul>
  );
}

const ALIGN = { start: 'text-start', center: 'text-center', end: 'text-end' } as const;

function Table({ side, head, body }: Extract<Block, { kind: 'table' }>) {
  const t = useTexts(contentTexts);
  return (
    // In the order of tabs, for the keyboard has to scroll it.
    <div
      role="group"
      aria-label={t.table}
      tabIndex={0}
      className="my-1 w-fit max-w-full overflow-x-auto rounded-control border border-line"
    >
      <table dir={side} className="border-collapse">
        <thead className="bg-hover">{drawRows(head, 'th')}</thead>
        <tbody>{drawRows(body, 'td')}</tbody>
      </table>
    </div>
  );
}

const drawRows = (rows: readonly (readonly Cell[])[], name: 'th' | 'td'): ReactNode =>
  rows.map((row, index) => (
    <tr key={index} className="border-b border-line last:border-b-0">
      {row.map((cell, place) => (
        <CellView key={place} cell={cell} name={name} />
      ))}
    </tr>
  ));

/** A cell that its author aligned keeps to the column, whatever its own direction is. */
function CellView({ cell, name: Part }: { cell: Cell; name: 'th' | 'td' }) {
  const isAligned = cell.align !== undefined;
  const text = drawInlines(cell.children);
  return (
    <Part
      {...(Part === 'th' && { scope: 'col' })}
      {...(!isAligned && { dir: cell.direction })}
      className={classes(
        'border-e border-line px-2.5 py-1 align-top last:border-e-0',
        Part === 'th' && 'font-semibold',
        cell.align === undefined ? 'text-start' : ALIGN[cell.align],
      )}
    >
      {isAligned ? <bdi dir={cell.direction}>{text}</bdi> : text}
    </Part>
  );
}
