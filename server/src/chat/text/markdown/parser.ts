// Sets up markdown-it with only the rules of the chat dialect.
import createMarkdownIt from 'markdown-it';
import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { useBlocks } from './blocks.ts';
import { useInlines } from './inlines.ts';
import { parseTexts } from './texts.ts';
import { safeUrl } from './urls.ts';
import { workOf } from './work.ts';

export function createParser(): MarkdownIt {
  const md = createMarkdownIt('zero', { html: false, breaks: true, maxNesting: 100 });
  // A link to a forbidden URL stays plain text, brackets included.
  md.normalizeLink = (address) => safeUrl(address) ?? '';
  md.validateLink = (url) => url !== '';
  useBlocks(md);
  useInlines(md);
  md.core.ruler.at('inline', parseInlines);
  md.core.ruler.push('texts', parseTexts);
  md.core.ruler.enableOnly(['normalize', 'block', 'inline', 'text_join', 'texts']);
  return md;
}

/** Parses the text of every block, and tracks whether it is quoted. */
function parseInlines(state: StateCore): void {
  const work = workOf(state.env);
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') work.quoteDepth += 1;
    else if (token.type === 'blockquote_close') work.quoteDepth -= 1;
    else if (token.type === 'inline') {
      const children: Token[] = [];
      state.md.inline.parse(token.content, state.md, state.env, children);
      token.children = strongOutside(withoutEmptyLinks(children));
    }
  }
}

/** `[x]()` has no target, and stays as it was written. */
function withoutEmptyLinks(tokens: Token[]): Token[] {
  const isEmpty: boolean[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') isEmpty.push(token.attrGet('href') === '');
    const shown = token.type === 'link_open' ? '[' : ']()';
    if (token.type !== 'link_open' && token.type !== 'link_close') continue;
    const isText = token.type === 'link_open' ? isEmpty.at(-1) : isEmpty.pop();
    if (isText !== true) continue;
    token.type = 'text';
    token.nesting = 0;
    token.attrs = null;
    token.content = shown;
  }
  return tokens;
}

/** `***x***` is emphasis inside strong text, not the other way round. */
function strongOutside(tokens: readonly Token[]): Token[] {
  const kept = tokens.filter(({ type, content }) => type !== 'text' || content !== '');
  const strongAt: number[] = [];
  for (const [index, token] of kept.entries()) {
    if (token.type === 'strong_open') strongAt.push(index);
    if (token.type !== 'strong_close') continue;
    const opening = strongAt.pop() ?? 0;
    if (kept[opening - 1]?.type !== 'em_open' || kept[index + 1]?.type !== 'em_close') continue;
    swap(kept, opening - 1, opening);
    swap(kept, index, index + 1);
  }
  return kept;
}

function swap(tokens: Token[], left: number, right: number): void {
  const [first, second] = [tokens[left], tokens[right]];
  if (first !== undefined && second !== undefined) [tokens[left], tokens[right]] = [second, first];
}
