// Parses fences: code, and the three words with a meaning of their own: quote, spoiler and math. Inside quotes and
// spoilers, a fence with a word opens another, and a bare one closes the innermost.
import type { StateBlock } from 'markdown-it';
import { MAX_NESTING } from './limits.ts';
import { workOf } from './work.ts';

interface Fence {
  readonly marks: string;
  /** The language, or one of the three words. */
  readonly word: string;
  /** Everything after the word: a spoiler's heading. */
  readonly rest: string;
}

const FENCE = /^(`{3,}|~{3,})[ \t]*(?:\{?\.?([^\s`~{}]*)\}?)(?:[ \t]+([^`~]*))?$/;
const QUOTES: ReadonlySet<string> = new Set(['quote', 'quoted']);
const isContainer = (word: string): boolean => QUOTES.has(word) || word === 'spoiler';

export function fence(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const opening = parseFence(state, startLine);
  if (opening === undefined) return false;
  if (silent) return true;
  const closing = findClosing(state, startLine, endLine, opening);
  const [from, to] = [startLine + 1, closing];
  const isClosed = closing < endLine && bareFence(state, closing) === opening.marks;
  if (isContainer(opening.word) && state.level < MAX_NESTING)
    parseContainer(state, opening, from, to);
  else parseCode(state, opening, startLine, to);
  state.line = to + (isClosed ? 1 : 0);
  return true;
}

function parseCode(state: StateBlock, { word }: Fence, startLine: number, to: number): void {
  const token = state.push(word === 'math' ? 'math_block' : 'code_block', '', 0);
  token.info = word;
  token.content = state.getLines(startLine + 1, to, state.sCount[startLine] ?? 0, true);
}

function parseContainer(state: StateBlock, { word, rest }: Fence, from: number, to: number): void {
  const isSpoiler = word === 'spoiler';
  state.push(isSpoiler ? 'spoiler_open' : 'blockquote_open', '', 1);
  if (isSpoiler) {
    const heading = state.push('inline', '', 0);
    heading.content = rest.trim();
    heading.children = [];
    state.push('spoiler_middle', '', 0);
  }
  const { lineMax, parentType } = state;
  state.parentType = 'blockquote';
  state.lineMax = to;
  workOf(state.env).blockStarts.add(from);
  state.md.block.tokenize(state, from, to);
  state.lineMax = lineMax;
  state.parentType = parentType;
  state.push(isSpoiler ? 'spoiler_close' : 'blockquote_close', '', -1);
}

/** The line of the closing fence, or the end of the enclosing block. */
function findClosing(
  state: StateBlock,
  startLine: number,
  endLine: number,
  opening: Fence,
): number {
  const stack = [opening];
  for (let line = startLine + 1; line < endLine; line += 1) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return line;
    const top = stack.at(-1) ?? opening;
    if (bareFence(state, line) === top.marks) {
      stack.pop();
      if (stack.length === 0) return line;
    } else if (isContainer(top.word)) {
      const inner = parseFence(state, line);
      if (inner !== undefined) stack.push(inner);
    }
  }
  return endLine;
}

function lineText(state: StateBlock, line: number): string {
  // Four spaces make the line code, whatever it says.
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return '';
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

const bareFence = (state: StateBlock, line: number): string => lineText(state, line).trimEnd();

function parseFence(state: StateBlock, line: number): Fence | undefined {
  const text = lineText(state, line);
  if (!text.startsWith('```') && !text.startsWith('~~~')) return undefined;
  const match = FENCE.exec(text.trimEnd());
  if (match === null) return undefined;
  const [, marks = '', word = '', rest = ''] = match;
  return { marks, word: word.toLowerCase(), rest };
}
