// Renders code blocks: the frame that clients look for, and the class names of Pygments for colours.
import { createRequire } from 'node:module';
import type { HLJSApi, HLJSOptions } from 'highlight.js';
import { escapeHtml } from '../../../platform/std/html.ts';
import { open } from './html.ts';
import { findLanguageName, grammarOf } from './languages.ts';
import { MAX_CODE_DEPTH } from './limits.ts';

/** The highlighter's name of each part of code, and the class in style sheets. */
const CLASSES: Readonly<Record<string, string>> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'p',
  'char.escape': 'se',
  code: 's',
  comment: 'c1',
  deletion: 'gd',
  doctag: 'cs',
  emphasis: 'ge',
  formula: 'm',
  keyword: 'k',
  link: 'na',
  literal: 'kc',
  meta: 'cp',
  'meta.prompt': 'gp',
  name: 'nt',
  number: 'mi',
  operator: 'o',
  property: 'py',
  punctuation: 'p',
  quote: 'c1',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'na',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  string: 's',
  strong: 'gs',
  subst: 'si',
  symbol: 'ss',
  tag: 'p',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  'title.class': 'nc',
  'title.class.inherited': 'nc',
  'title.function': 'nf',
  'title.function.invoke': 'nf',
  type: 'kt',
  variable: 'nv',
  'variable.constant': 'no',
  'variable.language': 'bp',
};

/** Collects the highlighter's output as HTML. Only escaped text and known classes get in. */
class PygmentsEmitter {
  private parts: string[] = [];
  private closers: string[] = [];

  addText(text: string): void {
    // The reference escapes both kinds of quotes in code.
    this.parts.push(escapeHtml(text));
  }

  startScope(scope: string): void {
    const isTooDeep = this.closers.length >= MAX_CODE_DEPTH;
    const name = isTooDeep ? undefined : (CLASSES[scope] ?? CLASSES[scope.split('.', 1)[0] ?? '']);
    if (name !== undefined) this.parts.push(open('span', { class: name }));
    this.closers.push(name === undefined ? '' : '</span>');
  }

  endScope(): void {
    this.parts.push(this.closers.pop() ?? '');
  }

  // The highlighter calls each of these by two names.
  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  // The highlighter requires this name.
  __addSublanguage(emitter: PygmentsEmitter): void {
    emitter.finalize();
    this.parts.push(...emitter.parts);
  }

  finalize(): void {
    while (this.closers.length > 0) this.endScope();
  }

  toHTML(): string {
    return this.parts.join('');
  }
}

let highlighter: HLJSApi | undefined;

/** Loaded for the first code block: most processes never need its two hundred grammars. */
function loadHighlighter(): HLJSApi {
  if (highlighter === undefined) {
    const shared = createRequire(import.meta.url)('highlight.js') as HLJSApi;
    // The option is public, but its type is that of the highlighter's own emitter.
    const options: { readonly __emitter: unknown } = { __emitter: PygmentsEmitter };
    shared.configure(options as Partial<HLJSOptions>);
    highlighter = shared;
  }
  return highlighter;
}

/** A code block in a language; an empty `language` means none. */
export function renderCode(code: string, language: string, isColoured: boolean): string {
  const body = code.endsWith('\n') ? code : `${code}\n`;
  const grammar = grammarOf(language);
  const known = language === '' ? undefined : loadHighlighter().getLanguage(grammar);
  const name = findLanguageName(language) ?? known?.name ?? language;
  const frame = open('div', {
    class: 'codehilite',
    'data-code-language': language === '' ? undefined : name,
  });
  const html = known === undefined || !isColoured ? escapeHtml(body) : colour(body, grammar);
  return `${frame}<pre><span></span><code>${html}</code></pre></div>`;
}

function colour(code: string, grammar: string): string {
  try {
    return loadHighlighter().highlight(code, { language: grammar, ignoreIllegals: true }).value;
  } catch {
    return escapeHtml(code);
  }
}
