// Changes when some of the parser's own block rules apply, as the chat dialect wants.
import type { MarkdownIt, StateBlock } from 'markdown-it';
import { fence } from './fences.ts';
import { MAX_NESTING } from './limits.ts';
import { list } from './lists.ts';
import { workOf } from './work.ts';

type BlockRule = (
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
) => boolean;

const INTERRUPTS = ['paragraph', 'blockquote', 'list'];

export function useBlocks(md: MarkdownIt): void {
  const { ruler } = md.block;
  ruler.at('fence', fence, { alt: INTERRUPTS });
  ruler.at('list', list, { alt: ['paragraph', 'blockquote'] });
  ruler.at('blockquote', blockquote(findRule(md, 'blockquote')), { alt: INTERRUPTS });
  // A line of dashes under a paragraph is neither a heading nor a rule.
  ruler.at('hr', rule(findRule(md, 'hr')), { alt: [] });
  ruler.at('heading', heading(findRule(md, 'heading')), { alt: ['paragraph', 'blockquote'] });
  ruler.at('table', table(findRule(md, 'table')), { alt: ['paragraph'] });
  ruler.enableOnly(['table', 'code', 'fence', 'blockquote', 'hr', 'list', 'heading', 'paragraph']);
}

/** The parser's own rule, which ours calls. */
function findRule(md: MarkdownIt, name: string): BlockRule {
  const { ruler } = md.block;
  ruler.enableOnly([name]);
  const [found] = ruler.getRules('');
  if (found === undefined) throw new Error(`The Markdown parser has no block rule "${name}".`);
  return found;
}

const blockquote =
  (original: BlockRule): BlockRule =>
  (state, startLine, endLine, silent) => {
    if (state.level >= MAX_NESTING) return false;
    const text = textOf(state, startLine);
    // A lone `>` quotes nothing.
    if (/^>\s*$/.test(text) && (startLine + 1 >= endLine || state.isEmpty(startLine + 1)))
      return false;
    return original(state, startLine, endLine, silent);
  };

const rule =
  (original: BlockRule): BlockRule =>
  (state, startLine, endLine, silent) => {
    const isFirst = workOf(state.env).blockStarts.has(startLine) || state.isEmpty(startLine - 1);
    const isLast = startLine + 1 >= endLine || state.isEmpty(startLine + 1);
    return isFirst && isLast && original(state, startLine, endLine, silent);
  };

const heading =
  (original: BlockRule): BlockRule =>
  (state, startLine, endLine, silent) =>
    /^#{1,6}\s+[^\s#]/.test(textOf(state, startLine)) &&
    original(state, startLine, endLine, silent);

/** Limits cells: the parser fills up rows with empty ones, so a short text could make a very large table. */
const table =
  (original: BlockRule): BlockRule =>
  (state, startLine, endLine, silent) => {
    const rule = startLine + 1 < endLine ? textOf(state, startLine + 1) : '';
    if (!/^[|:\s-]+$/.test(rule) || !rule.includes('-') || !rule.includes('|')) return false;
    if (silent) return original(state, startLine, endLine, true);
    const columns = rule.split('|').length;
    const { budget } = workOf(state.env);
    let rows = 0;
    for (let line = startLine; line < endLine && !state.isEmpty(line); line += 1) rows += 1;
    if (columns * rows > budget.tableCells) return false;
    if (!original(state, startLine, endLine, false)) return false;
    budget.tableCells -= columns * (state.line - startLine);
    return true;
  };

const textOf = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
