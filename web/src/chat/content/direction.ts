// The direction of a block. The browser's `auto` looks at the first letter alone and skips what has a direction of its
// own: names, code, formulas. We say `rtl` where that letter misleads: "BTC امروز بالا رفت" is a Persian sentence.
import type { Direction, Inline, Side } from './nodes.ts';

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LETTER = /[\p{L}\u200e\u200f\u061c]/gu;
const isRightToLeft = (letter: string): boolean => letter === '\u200f' || RTL.test(letter);

interface Letters {
  first: 'ltr' | 'rtl' | undefined;
  ltr: number;
  rtl: number;
}

function count(letters: Letters, text: string): void {
  for (const [letter] of text.matchAll(LETTER)) {
    const direction = isRightToLeft(letter) ? 'rtl' : 'ltr';
    letters.first ??= direction;
    letters[direction] += 1;
  }
}

const none = (): Letters => ({ first: undefined, ltr: 0, rtl: 0 });

/** Counts the letters of the running text, and those of names apart. */
function countAll(nodes: readonly Inline[], text: Letters, names: Letters): void {
  for (const node of nodes) {
    if (node.kind === 'text' || node.kind === 'unknown') count(text, node.text);
    else if (node.kind === 'mention') count(names, node.text);
    else if (node.kind === 'link' && (node.isReference || isAddress(node.children)))
      countAll(node.children, names, names);
    else if ('children' in node && node.kind !== 'code') countAll(node.children, text, names);
  }
}

/** Where the nodes begin; undefined if no letter says so. */
export function sideOf(nodes: readonly Inline[]): Side {
  const [text, names] = [none(), none()];
  countAll(nodes, text, names);
  // Where there are names alone, they decide.
  const { first, ltr, rtl } = text.first === undefined ? names : text;
  return first === 'ltr' && rtl > ltr ? 'rtl' : first;
}

/** The attribute `dir` for them: `auto` wherever the browser finds the same by itself. */
export function directionOf(nodes: readonly Inline[]): Direction {
  const text = none();
  countAll(nodes, text, none());
  const side = sideOf(nodes);
  // Without letters outside of names `auto` means ltr.
  return side === 'rtl' && text.first !== 'rtl' ? 'rtl' : side && 'auto';
}

/** Whether the text of a link is an address, which always runs from left to right. */
export function isAddress(children: readonly Inline[]): boolean {
  const [only] = children;
  return (
    children.length === 1 &&
    only?.kind === 'text' &&
    /^(?:[a-z][a-z0-9+.-]*:|\/|#)[^\s]*$|^[^\s/]+\.[^\s/]+(?:\/\S*)?$/i.test(only.text)
  );
}
