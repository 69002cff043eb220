// Marks what a search found, without touching the page: the browser draws ranges of text in a colour of their own.
import { useEffect, type RefObject } from 'react';
import type { Term } from '../narrow/terms.ts';

const NAME = 'found';
/** One screen has far fewer; what is beyond is not in sight. */
const RANGES_MAX = 500;

/** Letters that are one letter to a reader. Each has the length of its twin, so that places stay the same. */
const TWINS: Readonly<Record<string, string>> = { ي: 'ی', ى: 'ی', ك: 'ک' };
const alike = (text: string): string => text.replace(/[يىك]/g, (letter) => TWINS[letter] ?? letter);

export function highlightsIn(text: string, words: readonly string[]): [number, number][] {
  const wanted = words.map(alike).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (wanted.length === 0) return [];
  const anyOf = wanted.map((word) => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf})`, 'giu');
  return Array.from(alike(text).matchAll(pattern), ({ index, 0: found }) => [
    index,
    index + found.length,
  ]);
}

/** The words of a search: each counts, phrases in quotation marks as a whole. */
export function wordsOf(terms: readonly Term[]): string[] {
  return terms
    .filter(({ operator, negated }) => operator === 'search' && !negated)
    .flatMap(({ operand }) => String(operand).match(/"[^"]+"|\S+/g) ?? [])
    .map((word) => word.replaceAll('"', '').trim());
}

/** Keeps the highlights up to date while rows come and go. A browser without highlights shows plain text. */
export function useHighlights(
  container: RefObject<HTMLElement | null>,
  words: readonly string[],
): void {
  const wanted = words.join('\n');
  useEffect(() => {
    const root = container.current;
    if (root === null || wanted === '' || !('highlights' in CSS)) return;
    let frame = 0;
    const draw = () => {
      frame = 0;
      CSS.highlights.set(NAME, new Highlight(...rangesIn(root, wanted.split('\n'))));
    };
    const observer = new MutationObserver(() => {
      if (frame === 0) frame = requestAnimationFrame(draw);
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    draw();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [container, wanted]);
}

function rangesIn(root: HTMLElement, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (const [from, to] of highlightsIn(node.nodeValue ?? '', words)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      ranges.push(range);
      if (ranges.length === RANGES_MAX) return ranges;
    }
  }
  return ranges;
}
