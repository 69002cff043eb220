// From the server's HTML to nodes. Kept for the messages that were shown last, for rows come and go while one scrolls.
import { parseHtml } from './dom.ts';
import type { Block } from './nodes.ts';
import { readBlocks } from './read-blocks.ts';

/** Longer than any message of the server. */
const HTML_MAX = 600_000;
const KEPT_MAX = 500;

const kept = new Map<string, readonly Block[]>();

export function parseContent(html: string): readonly Block[] {
  const known = kept.get(html);
  if (known !== undefined) {
    // The newest are at the end.
    kept.delete(html);
    kept.set(html, known);
    return known;
  }
  const blocks = readBlocks(parseHtml(html.slice(0, HTML_MAX)));
  kept.set(html, blocks);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return blocks;
}
