// The parser of Markdown and its HTML, shared by all pages: making one takes longer than a page.
import createMarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { escapeHtml } from '../../platform/std/html.ts';
import type { Language } from '../../platform/std/language.ts';
import { parseInfo, renderCodeBlock, renderTabs, type CodeBlock } from './code-block.ts';
import { renderOperation } from './operation-form.ts';
import type { Operation } from './operation.ts';
import { TEXTS, type Callout } from './texts.ts';

/** What the rules know of the page that they render. */
interface PageEnv {
  readonly language: Language;
  tabs: number;
}

const envOf = (env: unknown): PageEnv => env as PageEnv;
const textsOf = (env: unknown) => TEXTS[envOf(env).language];

const parser = createMarkdownIt('commonmark', { html: false }).enable(['table', 'strikethrough']);
const { rules } = parser.renderer;

rules['fence'] = (all, index, _options, env) => {
  const token = all[index];
  if (token === undefined || token.hidden) return '';
  const block = blockOf(token);
  if (block.language === 'operation') {
    return renderOperation(JSON.parse(block.code) as Operation);
  }
  if (block.tab === undefined) return renderCodeBlock(block, textsOf(env));
  const group = tabsFrom(all, index);
  if (group.length === 1) return renderCodeBlock({ ...block, title: block.tab }, textsOf(env));
  const own = envOf(env);
  own.tabs += 1;
  return renderTabs(group, `tabs-${own.tabs}`, textsOf(env));
};
rules['code_block'] = (all, index, _options, env) =>
  renderCodeBlock({ language: '', code: all[index]?.content ?? '' }, textsOf(env));
rules['table_open'] = (_all, _index, _options, env) =>
  `<div class="table" tabindex="0" role="region" aria-label="${textsOf(env).table}"><table>\n`;
rules['table_close'] = () => '</table></div>\n';
rules['blockquote_open'] = (all, index, _options, env) => {
  const callout = all[index]?.meta?.['callout'] as Callout | undefined;
  if (callout === undefined) return '<blockquote>\n';
  return `<blockquote class="callout ${callout}"><p class="name">${textsOf(env).callouts[callout]}</p>\n`;
};
rules['heading_close'] = (all, index, _options, env) => {
  const { id = '' } = (all[index]?.meta ?? {}) as { readonly id?: string };
  const label = escapeHtml(textsOf(env).linkTo);
  return ` <a class="anchor" href="#${id}" aria-label="${label}">#</a></${all[index]?.tag ?? 'h2'}>\n`;
};

export const parseTokens = (markdown: string): Token[] => parser.parse(markdown, {});

export const renderTokens = (tokens: Token[], language: Language): string =>
  parser.renderer.render(tokens, parser.options, { language, tabs: 0 } satisfies PageEnv);

const blockOf = ({ info, content }: Token): CodeBlock => ({ ...parseInfo(info), code: content });

/** The fences that follow one another with tabs; all but the first are not rendered again. */
function tabsFrom(tokens: Token[], start: number): CodeBlock[] {
  const group: CodeBlock[] = [];
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.type !== 'fence') break;
    const block = blockOf(token);
    if (block.tab === undefined || group.some(({ tab }) => tab === block.tab)) break;
    group.push(block);
    token.hidden = index > start;
  }
  return group;
}
