// Tags, attributes and plain paragraphs, with every text in them escaped.
import { escapeAttribute, escapeText } from '../../../platform/std/html.ts';

/** Reverses `escapeAttribute`. */
export const unescapeAttribute = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An opening tag. Attributes are written in the given order; those without a value are left out. */
export function open(tag: string, attributes: Attributes = {}): string {
  let html = `<${tag}`;
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) html += ` ${name}="${escapeAttribute(String(value))}"`;
  return `${html}>`;
}

/** A whole element with text in it. */
export const element = (tag: string, attributes: Attributes, text: string): string =>
  `${open(tag, attributes)}${escapeText(text)}</${tag}>`;

/** Text without any formatting, as paragraphs. */
export function plainHtml(text: string): string {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs
    .map((paragraph) => `<p>${escapeText(paragraph.trim()).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n');
}
