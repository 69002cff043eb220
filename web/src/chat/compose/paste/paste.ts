// What a paste of HTML puts into the text. Fetched with the first one.
import { parseHtml } from '../../content/dom.ts';
import { toMarkdown, wordsOf } from './convert.ts';

/** More is not read: a page that large is no message. */
const HTML_MAX = 500_000;
/** Nobody saw these; the page's content policy would complain about them even where nothing of them happens. */
const UNSEEN = /<(style|script)\b[\s\S]*?<\/\1\s*>/gi;

/** The Markdown of the HTML; the plain text where both say the same, because its lines are those of its writer. */
export function pastedText(html: string, plain: string): string {
  if (html.length > HTML_MAX) return plain;
  const markdown = toMarkdown(parseHtml(html.replaceAll(UNSEEN, '')));
  return wordsOf(markdown) === wordsOf(plain) || markdown === '' ? plain : markdown;
}
