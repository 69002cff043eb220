// Lists of the chat dialect: two spaces nest, all three bullets are equal, and a list may directly follow a
// paragraph. Replaces the parser's own list rule, whose nesting depends on the width of the marker.
import type { StateBlock } from 'markdown-it';
import { MAX_NESTING } from './limits.ts';

interface Marker {
  readonly isOrdered: boolean;
  /** The number of an ordered item. */
  readonly value: number;
  /** Where the text after the marker and its spaces begins. */
  readonly contentStart: number;
}

const MARKER = /(?:[*+-]|(\d{1,9})\.)(?=[ \t\n]|$)/y;
const NESTED_BY = 2;

export function list(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  if (state.level >= MAX_NESTING || indentOf(state, startLine) >= 4) return false;
  const first = parseMarker(state, startLine);
  if (first === undefined) return false;
  // An empty item does not end a paragraph: a lone dash is usually a dash.
  const isEmpty = first.contentStart >= at(state.eMarks, startLine);
  if (silent) return !(isEmpty && state.parentType === 'paragraph');

  const tag = first.isOrdered ? 'ol' : 'ul';
  const opening = state.push(`${tag}_open`, tag, 1);
  if (first.isOrdered && first.value !== 1) opening.attrSet('start', String(first.value));
  const openingIndex = state.tokens.length - 1;
  const oldParentType = state.parentType;
  state.parentType = 'list';
  let isTight = true;
  let endedEmpty = false;
  let line = startLine;
  for (let marker: Marker | undefined = first; marker !== undefined;) {
    isTight = parseItem(state, line, endLine, marker) && isTight && !endedEmpty;
    endedEmpty = state.line - line > 1 && state.isEmpty(state.line - 1);
    line = state.line;
    marker = nextMarker(state, line, endLine, first.isOrdered);
  }
  state.push(`${tag}_close`, tag, -1);
  state.parentType = oldParentType;
  state.line = line;
  if (isTight) hideParagraphs(state, openingIndex);
  return true;
}

/** Parses one item and everything nested in it; returns whether there is no blank line between its blocks. */
function parseItem(state: StateBlock, line: number, endLine: number, marker: Marker): boolean {
  state.push('list_item_open', 'li', 1);
  const { blkIndent, tight, listIndent } = state;
  const [bMark, tShift, sCount] = [state.bMarks, state.tShift, state.sCount].map((table) =>
    at(table, line),
  ) as [number, number, number];
  state.listIndent = blkIndent;
  state.blkIndent = sCount + NESTED_BY;
  state.tight = true;
  // Treats the marker as two columns wide, so that further spaces after it do not make the text code.
  state.bMarks[line] = marker.contentStart;
  state.tShift[line] = 0;
  state.sCount[line] = state.blkIndent;
  if (marker.contentStart >= at(state.eMarks, line)) {
    // An item without text is one line: text after a blank line does not belong to it.
    state.line = line + 1;
    if (
      line + 1 < endLine &&
      !state.isEmpty(line + 1) &&
      at(state.sCount, line + 1) >= state.blkIndent
    )
      state.md.block.tokenize(state, line + 1, endLine);
  } else state.md.block.tokenize(state, line, endLine);
  const isTight = state.tight;
  state.blkIndent = blkIndent;
  state.listIndent = listIndent;
  state.tight = tight;
  state.bMarks[line] = bMark;
  state.tShift[line] = tShift;
  state.sCount[line] = sCount;
  state.push('list_item_close', 'li', -1);
  return isTight;
}

/** The next item of the same list, if the line begins one. */
function nextMarker(
  state: StateBlock,
  line: number,
  endLine: number,
  isOrdered: boolean,
): Marker | undefined {
  if (line >= endLine || indentOf(state, line) < 0 || indentOf(state, line) >= 4) return undefined;
  for (const rule of state.md.block.ruler.getRules('list'))
    if (rule(state, line, endLine, true)) return undefined;
  const marker = parseMarker(state, line);
  return marker?.isOrdered === isOrdered ? marker : undefined;
}

function parseMarker(state: StateBlock, line: number): Marker | undefined {
  const start = at(state.bMarks, line) + at(state.tShift, line);
  const end = at(state.eMarks, line);
  MARKER.lastIndex = start;
  const match = MARKER.exec(state.src);
  if (match === null) return undefined;
  let contentStart = start + match[0].length;
  while (contentStart < end && /[ \t]/.test(state.src[contentStart] ?? '')) contentStart += 1;
  const value = Number(match[1] ?? 0);
  return { isOrdered: match[1] !== undefined, value, contentStart };
}

/** In a list without blank lines, the items have no paragraphs of their own. */
function hideParagraphs(state: StateBlock, openingIndex: number): void {
  const level = (state.tokens[openingIndex]?.level ?? 0) + 2;
  for (let index = openingIndex + 1; index < state.tokens.length; index += 1) {
    const token = state.tokens[index];
    if (token?.level !== level) continue;
    if (token.type === 'paragraph_open' || token.type === 'paragraph_close') token.hidden = true;
  }
}

const indentOf = (state: StateBlock, line: number): number =>
  at(state.sCount, line) - state.blkIndent;

/** The parser's tables have one entry per line. */
const at = (table: readonly number[], line: number): number => table[line] ?? 0;
