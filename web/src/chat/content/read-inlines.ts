// Reads what runs inside a line. Every node is built from values that were checked here; no attribute passes through.
import { linkedAddress, loadedAddress } from './addresses.ts';
import { readFormula } from './math.ts';
import type { Inline, Mark, Mentioned } from './nodes.ts';
import { classOf, textOf, type Element, type Tree } from './tree.ts';

export const unknown = (tree: Tree): { kind: 'unknown'; text: string } => ({
  kind: 'unknown',
  text: textOf(tree).trim(),
});

export function readInlines(children: readonly Tree[]): readonly Inline[] {
  const read: Inline[] = [];
  for (const child of children) {
    // Since the server writes a new line after each break.
    const text =
      typeof child === 'string' && read.at(-1)?.kind === 'break' ? child.replace(/^\n/, '') : child;
    if (typeof text !== 'string') read.push(...readInline(text));
    else if (text !== '') read.push({ kind: 'text', text });
  }
  return read;
}

const WRAPPERS: Readonly<Record<string, 'emphasis' | 'strong' | 'strike' | 'code'>> = {
  em: 'emphasis',
  strong: 'strong',
  del: 'strike',
  code: 'code',
};

function readInline(element: Element): readonly Inline[] {
  const { name, children } = element;
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper !== undefined) {
    if (classOf(element) !== '') return [unknown(element)];
    return [{ kind: wrapper, children: readInlines(children) }];
  }
  switch (name) {
    case 'br':
      return [{ kind: 'break' }];
    case 'a':
      return [readLink(element)];
    case 'span':
      return readSpan(element);
    case 'img':
      return [readPicture(element)];
    case 'audio':
      return [readAudio(element)];
    case 'time':
      return [readTime(element)];
    default:
      return [unknown(element)];
  }
}

const REFERENCES: ReadonlySet<string> = new Set(['stream', 'stream-topic', 'message-link']);

function readLink(element: Element): Inline {
  const href = linkedAddress(element.attributes['href'] ?? '');
  const kind = classOf(element);
  const isReference = REFERENCES.has(kind);
  if (href === undefined || (kind !== '' && !isReference)) return unknown(element);
  const children = readInlines(element.children);
  return { kind: 'link', href, title: element.attributes['title'], isReference, children };
}

const MARKS: Readonly<Record<string, Mark>> = {
  highlight: 'found',
  highlight_text_inserted: 'inserted',
  highlight_text_deleted: 'deleted',
};

export const markOf = (name: string): Mark | undefined =>
  Object.hasOwn(MARKS, name) ? MARKS[name] : undefined;

function readSpan(element: Element): readonly Inline[] {
  const names = classOf(element);
  if (names === '') return readInlines(element.children);
  const mark = markOf(names);
  if (mark !== undefined) return [{ kind: 'mark', mark, children: readInlines(element.children) }];
  const of = readMentioned(element, names.replace(/(?:^| )silent(?= |$)/, ''));
  if (of !== undefined) {
    const isSilent = names.split(' ').includes('silent');
    return [{ kind: 'mention', of, isSilent, text: textOf(element) }];
  }
  if (names === 'katex' || names === 'katex-display') {
    const formula = readFormula(element);
    return [formula === undefined ? unknown(element) : { kind: 'formula', formula }];
  }
  if (names === 'timestamp-error') {
    return [{ kind: 'invalid', what: 'time', text: textOf(element) }];
  }
  if (names === 'tex-error') return [{ kind: 'invalid', what: 'formula', text: textOf(element) }];
  return [readEmoji(element, names) ?? unknown(element)];
}

function readMentioned(element: Element, names: string): Mentioned | undefined {
  const id = (attribute: string) => readId(element.attributes[attribute]);
  switch (names.trim()) {
    case 'user-mention':
    case 'channel-wildcard-mention user-mention': {
      if (element.attributes['data-user-id'] === '*') return { what: 'everybody' };
      const person = id('data-user-id');
      return person === undefined ? undefined : { what: 'person', id: person };
    }
    case 'user-group-mention': {
      const group = id('data-user-group-id');
      return group === undefined ? undefined : { what: 'group', id: group };
    }
    case 'topic-mention':
      return { what: 'topic' };
    default:
      return undefined;
  }
}

const readId = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** The class has the characters of the emoji as hexadecimal numbers. */
function readEmoji(element: Element, names: string): Inline | undefined {
  const codes = /^emoji emoji-([0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,15})$/.exec(names)?.[1];
  const points = codes?.split('-').map((code) => Number.parseInt(code, 16));
  if (points === undefined || points.some((point) => point > 0x10_ffff)) return undefined;
  return { kind: 'emoji', name: emojiName(textOf(element)), text: String.fromCodePoint(...points) };
}

/** `:thumbs_up:` is thumbs up. */
const emojiName = (text: string): string =>
  text.replaceAll(/^:|:$/g, '').replaceAll('_', ' ').slice(0, 100);

function readPicture(element: Element): Inline {
  const { attributes } = element;
  const src = loadedAddress(attributes['src'] ?? '');
  const alt = attributes['alt'] ?? '';
  if (src !== undefined && classOf(element) === 'emoji') {
    return { kind: 'picture-emoji', name: emojiName(alt), src };
  }
  const href = linkedAddress(attributes['data-original-src'] ?? attributes['src'] ?? '');
  if (href === undefined || !['', 'inline-image'].includes(classOf(element))) {
    return { kind: 'unknown', text: alt };
  }
  if (src === undefined) return linkTo(href, alt);
  return { kind: 'picture', src, href, alt };
}

function readAudio({ attributes }: Element): Inline {
  const title = attributes['title'] ?? '';
  const href = linkedAddress(attributes['data-original-url'] ?? attributes['src'] ?? '');
  const src = loadedAddress(attributes['src'] ?? '');
  if (href === undefined) return { kind: 'unknown', text: title };
  return src === undefined ? linkTo(href, title) : { kind: 'audio', src, href, title };
}

/** What may not be loaded here can still be opened. */
const linkTo = (href: string, text: string): Inline => ({
  kind: 'link',
  href,
  title: undefined,
  isReference: false,
  children: [{ kind: 'text', text: text === '' ? href : text }],
});

function readTime(element: Element): Inline {
  const at = Date.parse(element.attributes['datetime'] ?? '');
  const text = textOf(element);
  return Number.isNaN(at) ? { kind: 'invalid', what: 'time', text } : { kind: 'time', at, text };
}
