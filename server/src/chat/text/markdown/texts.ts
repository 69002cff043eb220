// Handles text that no other rule has taken: finds bare addresses, the organization's linkifiers, and
// emoji that were typed as characters.
import type { StateCore, Token } from 'markdown-it';
import { findEmoji, findEmoticons, type FoundEmoji } from '../emoji/emoji.ts';
import { findLinkified, type FoundLink } from './linkifiers.ts';
import { safeUrl, urlEnd } from './urls.ts';
import { workOf, type Work } from './work.ts';

const LABELS = String.raw`(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}([a-z]{2,24})`;
const HOST = new RegExp(
  String.raw`(?<![\p{L}\p{N}_@./:-])${LABELS}(?:(?=:\d{1,5}[/?#\s]|[/?#])|(?![\p{L}\p{N}_@:-]|\.[\p{L}\p{N}]))`,
  'giu',
);
const EMAIL = new RegExp(
  String.raw`(?<![\p{L}\p{N}._%+/@-])[a-z0-9][a-z0-9._%+-]{0,63}@${LABELS}(?![\p{L}\p{N}_@/-]|\.[\p{L}\p{N}])`,
  'giu',
);

/** Two-letter domains that are more often file extensions. */
const NOT_DOMAINS: ReadonlySet<string> = new Set([
  'md',
  'py',
  'sh',
  'rs',
  'pl',
  'ps',
  'so',
  'ts',
  'cc',
]);
const LONG_DOMAINS: ReadonlySet<string> = new Set(
  (
    'com org net edu gov mil int info biz name pro aero coop museum jobs mobi travel asia tel cat post ' +
    'app dev page cloud blog shop store online site tech space website xyz live news media agency digital ' +
    'design studio group team work works company business finance financial exchange markets market trading ' +
    'money bank capital fund crypto network systems solutions services software engineering academy education ' +
    'university school science health care legal social chat community club events world global international ' +
    'today life zone email support help guide wiki docs tools run example'
  ).split(' '),
);

const isDomain = (ending: string): boolean => {
  const lower = ending.toLowerCase();
  return lower.length === 2 ? !NOT_DOMAINS.has(lower) : LONG_DOMAINS.has(lower);
};

/** Goes through every text of the message once; inside links it looks only for emoji. */
export function parseTexts(state: StateCore): void {
  const work = workOf(state.env);
  for (const block of state.tokens) {
    if (block.type !== 'inline' || block.children === null) continue;
    const children: Token[] = [];
    let link: Token | undefined;
    for (const token of block.children) {
      if (token.type === 'link_open') link = token;
      else if (token.type === 'link_close') link = undefined;
      // The text of a bare URL stays the URL.
      if (token.type !== 'text' || link?.info === 'auto') children.push(token);
      else children.push(...parseText(state, work, token.content, link !== undefined));
    }
    block.children = children;
  }
}

function parseText(state: StateCore, work: Work, text: string, isInLink: boolean): Token[] {
  const links = isInLink ? [] : findLinks(text, work);
  const tokens: Token[] = [];
  let from = 0;
  for (const { index, length, url } of links) {
    tokens.push(...parseEmoji(state, work, text.slice(from, index)));
    const opening = new state.Token('link_open', 'a', 1);
    opening.attrs = [['href', url]];
    tokens.push(opening, textToken(state, text.slice(index, index + length)));
    tokens.push(new state.Token('link_close', 'a', -1));
    from = index + length;
  }
  tokens.push(...parseEmoji(state, work, text.slice(from)));
  return tokens;
}

/** URLs first; linkifiers get the rest. */
function findLinks(text: string, work: Work): FoundLink[] {
  const addresses = findAddresses(text);
  if (work.env.linkifiers.length === 0) return addresses;
  const links: FoundLink[] = [];
  let from = 0;
  for (const link of [...addresses, undefined]) {
    const part = text.slice(from, link?.index);
    for (const found of findLinkified(part, work.env.linkifiers, work.budget.patterns))
      links.push({ ...found, index: found.index + from });
    if (link === undefined) break;
    links.push(link);
    from = link.index + link.length;
  }
  return links;
}

/** Host names and email addresses without a scheme. */
export function findAddresses(text: string): FoundLink[] {
  const found: FoundLink[] = [];
  if (!text.includes('.')) return found;
  for (const match of text.matchAll(EMAIL)) {
    const url = isDomain(match[1] ?? '') ? safeUrl(`mailto:${match[0]}`) : undefined;
    if (url !== undefined) found.push({ index: match.index, length: match[0].length, url });
  }
  const emails = found.length;
  let last = 0;
  for (const match of text.matchAll(HOST)) {
    if (!isDomain(match[1] ?? '') || match.index < last) continue;
    const end = hostEnd(text, match.index + match[0].length);
    const length = end - match.index;
    const isInEmail = found
      .slice(0, emails)
      .some((email) => match.index < email.index + email.length && email.index < end);
    const url = isInEmail ? undefined : safeUrl(`https://${text.slice(match.index, end)}`);
    if (url === undefined) continue;
    found.push({ index: match.index, length, url });
    last = end;
  }
  return found.sort((left, right) => left.index - right.index);
}

/** The end of the port, path and query after a host. */
function hostEnd(text: string, at: number): number {
  return /[:/?#]/.test(text[at] ?? '') ? Math.max(at, urlEnd(text, at, text.length)) : at;
}

function parseEmoji(state: StateCore, work: Work, text: string): Token[] {
  if (text === '') return [];
  const found: FoundEmoji[] = findEmoji(text);
  if (work.env.translatesEmoticons) found.push(...findEmoticons(text));
  const tokens: Token[] = [];
  let from = 0;
  for (const { index, length, code, name } of found.sort((a, b) => a.index - b.index)) {
    if (index > from) tokens.push(textToken(state, text.slice(from, index)));
    const token = new state.Token('emoji', '', 0);
    token.meta = { code, name };
    tokens.push(token);
    from = index + length;
  }
  if (from < text.length) tokens.push(textToken(state, text.slice(from)));
  return tokens;
}

function textToken(state: StateCore, text: string): Token {
  const token = new state.Token('text', '', 0);
  token.content = text;
  return token;
}
