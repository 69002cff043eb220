// Writes tokens as HTML. Every element is written here or in the files it calls, with its text escaped.
import type { Token } from 'markdown-it';
import { escapeText } from '../../../platform/std/html.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../limits.ts';
import { renderCode } from './code.ts';
import { element, open } from './html.ts';
import type { ChannelLink, ResolvedEmoji, Media, Mention } from './inlines.ts';
import { renderMath, renderTexSource } from './math.ts';
import { channelPath, messagePath, topicPath } from './narrow-paths.ts';
import { renderPreviews, thumbnailUrl, type PreviewLink } from './previews.ts';
import { relativeUrl, uploadPathOf } from './urls.ts';
import type { Work } from './work.ts';

export interface Output {
  readonly html: string;
  readonly text: string;
}

export function writeOutput(tokens: readonly Token[], work: Work): Output {
  const writer = new Writer(work);
  for (const [index, token] of tokens.entries()) writer.writeBlock(token, tokens[index + 1]);
  return { html: writer.html.join('').trimEnd(), text: writer.text.join('').trim() };
}

class Writer {
  readonly html: string[] = [];
  readonly text: string[] = [];
  private readonly work: Work;
  private quoteDepth = 0;
  /** Links of the current paragraph: their previews follow it. */
  private links: PreviewLink[] = [];

  constructor(work: Work) {
    this.work = work;
  }

  writeBlock(token: Token, next: Token | undefined): void {
    switch (token.type) {
      case 'inline':
        this.writeInlines(token.children ?? []);
        return;
      case 'paragraph_open':
        this.links = [];
        if (!token.hidden) this.html.push('<p>');
        return;
      case 'paragraph_close':
        if (!token.hidden) this.html.push('</p>\n');
        this.endParagraph(token.hidden);
        return;
      case 'list_item_open':
        this.html.push(
          next?.hidden === true || next?.type === 'list_item_close' ? '<li>' : '<li>\n',
        );
        return;
      case 'ol_open':
        this.html.push(`${open('ol', { start: token.attrGet('start') ?? undefined })}\n`);
        return;
      case 'blockquote_open':
        this.quoteDepth += 1;
        this.html.push('<blockquote>\n');
        return;
      case 'blockquote_close':
        this.quoteDepth -= 1;
        this.html.push('</blockquote>\n');
        return;
      case 'spoiler_open':
        this.html.push('<div class="spoiler-block"><div class="spoiler-header">\n');
        if ((next?.content ?? '') !== '') this.html.push('<p>');
        return;
      case 'spoiler_middle':
        this.closeSpoilerHeading();
        return;
      case 'spoiler_close':
        this.html.push('</div></div>\n');
        return;
      case 'code_block':
        this.writeCode(token.content, token.info);
        return;
      case 'math_block':
        this.html.push(`<p>${this.renderFormula(token.content.trim(), true)}</p>\n`);
        this.text.push(`${token.content}\n`);
        return;
      case 'th_open':
      case 'td_open':
        this.html.push(open(token.tag, { style: alignment(token) }));
        return;
      case 'th_close':
      case 'td_close':
        this.text.push(' ');
        this.html.push(`</${token.tag}>\n`);
        return;
      case 'hr':
        this.html.push('<hr>\n');
        return;
      default:
        this.writeTag(token);
    }
  }

  /** Writes an element without attributes: lists, headings, table rows. */
  private writeTag({ tag, nesting }: Token): void {
    if (nesting > 0) {
      this.html.push(/^h\d$/.test(tag) ? `<${tag}>` : `<${tag}>\n`);
      return;
    }
    this.html.push(`</${tag}>\n`);
    this.text.push('\n');
  }

  private closeSpoilerHeading(): void {
    if (this.html.at(-1)?.endsWith('\n') !== true) this.html.push('</p>\n');
    this.html.push('</div><div class="spoiler-content" aria-hidden="true">\n');
    this.text.push('\n');
  }

  private endParagraph(isInItem: boolean): void {
    this.text.push('\n');
    if (this.quoteDepth === 0) {
      const previews = renderPreviews(this.links, this.work);
      if (previews !== '') this.html.push(isInItem ? previews : `${previews}\n`);
    }
    this.links = [];
  }

  private writeCode(code: string, word: string): void {
    const { budget, env } = this.work;
    const language = word === '' ? env.defaultCodeLanguage : word;
    budget.highlighted -= code.length;
    const lines = code
      .replaceAll(/(?<![ \t])[ \t]+$/gm, '')
      .replace(/^\n+/, '')
      .replace(/(?<!\n)\n+$/, '');
    this.html.push(`${renderCode(lines, language, budget.highlighted >= 0)}\n`);
    this.text.push(`${code}\n`);
  }

  private renderFormula(tex: string, isDisplayed: boolean): string {
    const { budget } = this.work;
    budget.formulas -= 1;
    budget.formulaCharacters -= tex.length;
    if (budget.formulas < 0 || budget.formulaCharacters < 0)
      return renderTexSource(tex, isDisplayed);
    return renderMath(tex, isDisplayed);
  }

  private writeInlines(tokens: readonly Token[]): void {
    for (const [index, token] of tokens.entries()) {
      this.writeInline(token);
      if (token.type === 'link_open') this.beginLink(token, tokens.slice(index + 1, index + 3));
    }
  }

  private writeInline(token: Token): void {
    switch (token.type) {
      case 'text':
        this.writeText(token.content);
        return;
      case 'softbreak':
      case 'hardbreak':
        this.html.push('<br>\n');
        this.text.push('\n');
        return;
      case 'code_inline':
        this.html.push(element('code', {}, token.content));
        this.text.push(token.content);
        return;
      case 'math_inline': {
        const { tex } = token.meta as { tex: string };
        this.html.push(this.renderFormula(tex, false));
        this.text.push(`$$${tex}$$`);
        return;
      }
      case 'mention':
        this.writeMention(token.meta as Mention);
        return;
      case 'channel_link':
        this.writeChannelLink(token.meta as unknown as ChannelLink);
        return;
      case 'emoji':
        this.writeEmoji(token.meta as ResolvedEmoji);
        return;
      case 'media':
        this.writeMedia(token.meta as Media);
        return;
      case 'time':
        this.writeTime(token.meta as { datetime: string | undefined; text: string });
        return;
      case 'link_open':
        return;
      default:
        // Emphasis, and the ends of links.
        this.html.push(token.nesting > 0 ? `<${token.tag}>` : `</${token.tag}>`);
    }
  }

  private writeText(text: string): void {
    this.html.push(escapeText(text));
    this.text.push(text);
  }

  /** A link without text shows its URL. */
  private beginLink(token: Token, following: readonly Token[]): void {
    const { env, found } = this.work;
    const href = relativeUrl(String(token.attrGet('href') ?? ''), env.origin);
    const title = token.attrGet('title') ?? undefined;
    found.links.add(href);
    const path = uploadPathOf(href);
    if (path !== undefined) found.uploadPaths.add(path);
    this.html.push(open('a', { href, title }));
    const [first, second] = following;
    const isBlank =
      first?.type === 'link_close' ||
      (first?.type === 'text' && first.content.trim() === '' && second?.type === 'link_close');
    if (isBlank) {
      this.writeText(href);
      if (first?.type === 'text') first.content = '';
    }
    const label = first?.type === 'text' ? first.content.trim() : '';
    this.links.push({ href, label });
  }

  private writeMention(mention: Mention): void {
    const { found } = this.work;
    const at = mention.isSilent ? '' : '@';
    const silent = mention.isSilent ? ' silent' : '';
    let name: string;
    if (mention.kind === 'user') {
      name = mention.user.fullName;
      if (!mention.isSilent) found.userIds.add(mention.user.id);
      this.writeSpan(`user-mention${silent}`, { 'data-user-id': mention.user.id }, at + name);
    } else if (mention.kind === 'wildcard') {
      ({ name } = mention);
      if (!mention.isSilent) found.hasChannelWildcard = true;
      const kind = `user-mention channel-wildcard-mention${silent}`;
      this.writeSpan(kind, { 'data-user-id': '*' }, at + name);
    } else if (mention.kind === 'topic') {
      name = 'topic';
      if (!mention.isSilent) found.hasTopicWildcard = true;
      this.writeSpan(`topic-mention${silent}`, {}, at + name);
    } else {
      ({ name } = mention);
      if (!mention.isSilent) found.groupIds.add(mention.id);
      const attributes = { 'data-user-group-id': mention.id };
      this.writeSpan(`user-group-mention${silent}`, attributes, at + name);
    }
    this.text.push(at + name);
  }

  private writeSpan(kind: string, data: Record<string, string | number>, text: string): void {
    this.html.push(element('span', { class: kind, ...data }, text));
  }

  private writeChannelLink(link: ChannelLink): void {
    const { channelId, channelName, topic, latestMessageId, messageId } = link;
    const channel = channelPath(channelId, channelName);
    const id = { 'data-stream-id': channelId };
    let href = channel;
    let opening: string;
    if (topic === undefined) {
      opening = open('a', { class: 'stream', ...id, href });
    } else if (messageId === undefined) {
      href = topicPath(channel, topic, latestMessageId);
      opening = open('a', { class: 'stream-topic', ...id, href });
    } else {
      href = messagePath(channel, topic, messageId);
      opening = open('a', { class: 'message-link', href });
    }
    this.work.found.links.add(href);
    this.html.push(opening);
    this.writeText(`#${channelName}`);
    if (topic !== undefined) {
      this.writeText(' > ');
      if (topic !== '') this.writeText(topic);
      else this.html.push(element('em', {}, EMPTY_TOPIC_DISPLAY_NAME));
    }
    if (messageId !== undefined) this.writeText(' @ 💬');
    this.html.push('</a>');
  }

  private writeEmoji(emoji: ResolvedEmoji): void {
    const { name } = emoji;
    const title = name.replaceAll('_', ' ');
    this.text.push(`:${name}:`);
    if ('code' in emoji) {
      const kind = `emoji emoji-${emoji.code}`;
      const attributes = { 'aria-label': title, class: kind, role: 'img', title };
      this.html.push(element('span', attributes, `:${name}:`));
      return;
    }
    const source = { alt: `:${name}:`, class: 'emoji', src: emoji.sourceUrl, title };
    this.html.push(open('img', source));
  }

  private writeTime({ datetime, text }: { datetime: string | undefined; text: string }): void {
    if (datetime !== undefined) this.html.push(element('time', { datetime }, text));
    else this.writeSpan('timestamp-error', {}, `Invalid time format: ${text}`);
    this.text.push(text);
  }

  private writeMedia(media: Media): void {
    const { url, alt } = media;
    this.work.found.links.add(url);
    this.text.push(alt);
    if ('source' in media) {
      this.writeAudio({ 'data-original-url': url, src: media.source, title: alt });
      return;
    }
    this.work.found.uploadPaths.add(media.upload.path);
    if (media.upload.contentType.startsWith('audio/')) {
      this.writeAudio({ src: url, title: alt });
      return;
    }
    this.work.found.hasImage = true;
    const source = { 'data-original-src': url, src: thumbnailUrl(media.upload) };
    this.html.push(open('img', { alt, class: 'inline-image', ...source }));
  }

  private writeAudio(attributes: Readonly<Record<string, string>>): void {
    const tag = open('audio', { controls: '', preload: 'metadata', ...attributes });
    this.html.push(`${tag.replace(' controls=""', ' controls')}</audio>`);
  }
}

const ALIGNMENT = /^text-align:(left|center|right)$/;

function alignment(token: Token): string | undefined {
  const side = ALIGNMENT.exec(String(token.attrGet('style') ?? ''))?.[1];
  return side === undefined ? undefined : `text-align: ${side};`;
}
