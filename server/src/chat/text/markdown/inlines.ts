// The inline rules of the dialect. Each looks at one character first, reads by a bounded pattern, and leaves
// a token; output.ts turns tokens into HTML.
import type { MarkdownIt, StateInline } from 'markdown-it';
import { findEmojiCode } from '../emoji/emoji.ts';
import {
  CHANNEL_LINK,
  CHANNEL_WILDCARDS,
  EMOJI_NAME,
  GROUP_MENTION,
  TIME,
  TOPIC_WILDCARD,
  USER_MENTION,
  WITH_ID,
  WITH_MESSAGE,
  foldMention,
  isBeforeMention,
} from './syntax.ts';
import type { EnvUpload, EnvUser } from './env.ts';
import { AUDIO_PATH, externalAddress, pathOfUrl } from './external.ts';
import { parseTime } from './times.ts';
import { safeUrl, uploadPathOf, urlEnd } from './urls.ts';
import { workOf, type Work } from './work.ts';

type InlineRule = (state: StateInline, silent: boolean) => boolean;

export function useInlines(md: MarkdownIt): void {
  const { ruler, ruler2 } = md.inline;
  ruler.at('linkify', address);
  ruler.at('backticks', backticks(findRule(md, 'backticks')));
  ruler.at('emphasis', starsOnly(findRule(md, 'emphasis')));
  ruler.at('strikethrough', strikethrough);
  ruler.at('image', image);
  ruler.at('link', link(findRule(md, 'link')));
  const ours: Record<string, InlineRule> = { math, mention, channelLink, time, emoji };
  for (const [name, rule] of Object.entries(ours)) ruler.before('strikethrough', name, rule);
  ruler.enableOnly([
    'text',
    'linkify',
    'newline',
    'backticks',
    ...Object.keys(ours),
    'strikethrough',
    'emphasis',
    'link',
    'image',
    'entity',
  ]);
  ruler2.enableOnly(['balance_pairs', 'emphasis', 'fragments_join']);
}

function findRule(md: MarkdownIt, name: string): InlineRule {
  const { ruler } = md.inline;
  ruler.enableOnly([name]);
  const [found] = ruler.getRules('');
  if (found === undefined) throw new Error(`The Markdown parser has no inline rule "${name}".`);
  return found;
}

/** The match at the current position, if it ends within the current range. */
function matchHere(state: StateInline, sticky: RegExp): RegExpExecArray | null {
  sticky.lastIndex = state.pos;
  const match = sticky.exec(state.src);
  return match !== null && state.pos + match[0].length <= state.posMax ? match : null;
}

/** Skips `length` characters, and pushes a token unless the parser only looks ahead. */
function accept(
  state: StateInline,
  silent: boolean,
  length: number,
  type: string,
  meta: object,
): true {
  if (!silent) state.push(type, '', 0).meta = { ...meta };
  state.pos += length;
  return true;
}

const isAt = (state: StateInline, character: string): boolean => state.src[state.pos] === character;

/** A URL with its scheme. The parser has already taken the scheme as text, so the rule takes it back. */
const address: InlineRule = (state, silent) => {
  if (state.linkLevel > 0 || !state.src.startsWith('://', state.pos)) return false;
  const scheme = /(?<![\p{L}\p{N}+.-])https?$/iu.exec(state.pending.slice(-7))?.[0];
  if (scheme === undefined) return false;
  const start = state.pos - scheme.length;
  const end = urlEnd(state.src, start, state.posMax);
  if (end <= state.pos + 3) return false;
  const text = state.src.slice(start, end);
  const url = safeUrl(text);
  if (url === undefined) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    const opening = state.push('link_open', 'a', 1);
    opening.attrs = [['href', url]];
    opening.info = 'auto';
    state.push('text', '', 0).content = text;
    state.push('link_close', 'a', -1);
  }
  state.pos = end;
  return true;
};

/** Keeps the author's spaces inside code. */
const backticks =
  (original: InlineRule): InlineRule =>
  (state, silent) => {
    const start = state.pos;
    if (!original(state, silent)) return false;
    const token = state.tokens.at(-1);
    if (!silent && token?.type === 'code_inline' && state.pending === '') {
      const width = token.markup.length;
      token.content = state.src.slice(start + width, state.pos - width);
    }
    return true;
  };

/**
 * Only stars emphasise: `_x_` is a name with underscores. Emphasis ends with the line, so a star that is alone in its
 * line means nothing.
 */
const starsOnly =
  (original: InlineRule): InlineRule =>
  (state, silent) => {
    if (!isAt(state, '*')) return false;
    const { src, pos, delimiters } = state;
    const known = delimiters.length;
    if (!original(state, silent)) return false;
    const last = pos === 0 ? -1 : src.lastIndexOf('*', pos - 1);
    const next = src.indexOf('*', state.pos);
    const isFirst = last < 0 || src.slice(last, pos).includes('\n');
    const isLast = next < 0 || src.slice(state.pos, next).includes('\n');
    for (const delimiter of delimiters.slice(known)) {
      delimiter.open &&= !isLast;
      delimiter.close &&= !isFirst;
    }
    return true;
  };

/** The last position where a link could begin; later brackets are plain text. */
const lastLinks = new WeakMap<StateInline, number>();

const link =
  (original: InlineRule): InlineRule =>
  (state, silent) => {
    if (!isAt(state, '[')) return false;
    let last = lastLinks.get(state);
    if (last === undefined) lastLinks.set(state, (last = state.src.lastIndexOf('](')));
    return state.pos < last && original(state, silent);
  };

const STRUCK = /~~([^~\n]+)~~(?!~)/y;

const strikethrough: InlineRule = (state, silent) => {
  if (!isAt(state, '~') || state.src[state.pos - 1] === '~') return false;
  const match = matchHere(state, STRUCK);
  if (match === null) return false;
  const end = state.pos + match[0].length;
  if (!silent) {
    const { posMax } = state;
    state.pos += 2;
    state.posMax = end - 2;
    state.push('s_open', 'del', 1);
    state.md.inline.tokenize(state);
    state.push('s_close', 'del', -1);
    state.posMax = posMax;
  }
  state.pos = end;
  return true;
};

const FORMULA = /\$\$((?:[^\n_$\\]|\\[^\n])(?:\\[^\n]|[^$\n\\])*)\$\$(?!\$)/y;

const math: InlineRule = (state, silent) => {
  if (!isAt(state, '$') || /[\p{L}\p{N}_$]/u.test(state.src[state.pos - 1] ?? '')) return false;
  const match = matchHere(state, FORMULA);
  if (match === null) return false;
  return accept(state, silent, match[0].length, 'math_inline', { tex: match[1] ?? '' });
};

export type Mention =
  | { readonly kind: 'user'; readonly user: EnvUser; readonly isSilent: boolean }
  | { readonly kind: 'wildcard'; readonly name: string; readonly isSilent: boolean }
  | { readonly kind: 'topic'; readonly isSilent: boolean }
  | {
      readonly kind: 'group';
      readonly id: number;
      readonly name: string;
      readonly isSilent: boolean;
    };

const mention: InlineRule = (state, silent) => {
  if (!isAt(state, '@') || !isBeforeMention(state.src[state.pos - 1])) return false;
  const work = workOf(state.env);
  const isQuoted = work.quoteDepth > 0;
  const match = matchHere(state, USER_MENTION);
  if (match !== null) {
    const found = resolveUserMention(work, match[2] ?? '', match[1] === '_' || isQuoted);
    return found !== undefined && accept(state, silent, match[0].length, 'mention', found);
  }
  const groupMatch = matchHere(state, GROUP_MENTION);
  const group = groupMatch === null ? undefined : work.findGroup(groupMatch[2] ?? '');
  if (groupMatch === null || group === undefined) return false;
  const found: Mention = {
    kind: 'group',
    id: group.id,
    name: group.displayName ?? group.name,
    isSilent: groupMatch[1] === '_' || isQuoted || !group.isActive,
  };
  return accept(state, silent, groupMatch[0].length, 'mention', found);
};

function resolveUserMention(work: Work, name: string, isSilent: boolean): Mention | undefined {
  if (CHANNEL_WILDCARDS.has(name)) return { kind: 'wildcard', name, isSilent };
  if (name === TOPIC_WILDCARD) return { kind: 'topic', isSilent };
  const user = resolveUser(work, name);
  return user && { kind: 'user', user, isSilent: isSilent || !user.isActive };
}

function resolveUser(work: Work, name: string): EnvUser | undefined {
  const [, fullName = '', id] = WITH_ID.exec(name) ?? [];
  const user = id === undefined ? undefined : work.findUser(Number(id));
  if (
    user !== undefined &&
    (fullName === '' || foldMention(fullName) === foldMention(user.fullName))
  )
    return user;
  return work.findUserNamed(name);
}

export interface ChannelLink {
  readonly channelId: number;
  readonly channelName: string;
  readonly topic: string | undefined;
  readonly latestMessageId: number | undefined;
  readonly messageId: number | undefined;
}

const channelLink: InlineRule = (state, silent) => {
  if (!isAt(state, '#') || !isBeforeMention(state.src[state.pos - 1])) return false;
  const match = state.linkLevel > 0 ? null : matchHere(state, CHANNEL_LINK);
  const work = workOf(state.env);
  const channel = match === null ? undefined : work.findChannel(match[1] ?? '');
  if (match === null || channel === undefined) return false;
  const written = match[2];
  const [, named, messageId] = (written !== undefined && WITH_MESSAGE.exec(written)) || [];
  const topic = named ?? written;
  const found: ChannelLink = {
    channelId: channel.id,
    channelName: channel.name,
    topic,
    latestMessageId:
      topic === undefined ? undefined : work.findTopic(channel.id, topic)?.latestMessageId,
    messageId: messageId === undefined ? undefined : Number(messageId),
  };
  return accept(state, silent, match[0].length, 'channel_link', found);
};

const time: InlineRule = (state, silent) => {
  if (!isAt(state, '<')) return false;
  const match = matchHere(state, TIME);
  if (match === null) return false;
  const [whole, text = ''] = match;
  return accept(state, silent, whole.length, 'time', { datetime: parseTime(text.trim()), text });
};

const LOGO_EMOJI = '/static/generated/emoji/images/emoji/unicode/zulip.png';

export type ResolvedEmoji = { readonly name: string } & (
  { readonly code: string } | { readonly sourceUrl: string }
);

const emoji: InlineRule = (state, silent) => {
  if (!isAt(state, ':')) return false;
  const match = matchHere(state, EMOJI_NAME);
  const found = match === null ? undefined : resolveEmoji(workOf(state.env), match[1] ?? '');
  if (match === null || found === undefined) return false;
  return accept(state, silent, match[0].length, 'emoji', found);
};

/** Custom emoji come first, so that they can replace standard ones. */
function resolveEmoji(work: Work, name: string): ResolvedEmoji | undefined {
  const sourceUrl = work.customEmoji.get(name) ?? (name === 'zulip' ? LOGO_EMOJI : undefined);
  if (sourceUrl !== undefined) return { name, sourceUrl };
  const code = findEmojiCode(name);
  return code === undefined ? undefined : { name, code };
}

const IMAGE = /!\[([^[\]\n]{0,500})\]\(([^\s()<>]{1,2000})\)/y;

export type Media =
  | { readonly url: string; readonly alt: string; readonly upload: EnvUpload }
  | { readonly url: string; readonly alt: string; readonly source: string };

/** Shows our own images and audio files, and audio of other servers, within the text. */
const image: InlineRule = (state, silent) => {
  if (!isAt(state, '!') || state.linkLevel > 0) return false;
  const match = matchHere(state, IMAGE);
  const url = match === null ? undefined : safeUrl(match[2] ?? '');
  if (match === null || url === undefined) return false;
  const media = findMedia(workOf(state.env), url, match[1] ?? '');
  return media !== undefined && accept(state, silent, match[0].length, 'media', media);
};

function findMedia(work: Work, url: string, alt: string): Media | undefined {
  const path = uploadPathOf(url);
  if (path !== undefined) {
    const upload = work.findUpload(path);
    const isShown = upload !== undefined && /^(?:image|audio)\//.test(upload.contentType);
    return isShown ? { url, alt, upload } : undefined;
  }
  if (!work.env.hasImagePreviews || !AUDIO_PATH.test(pathOfUrl(url))) return undefined;
  const source = externalAddress(url, work.env.external);
  return source === undefined ? undefined : { url, alt, source };
}
