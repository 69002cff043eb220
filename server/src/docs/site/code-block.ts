// Code on a page: single blocks, and blocks of one example in several languages, as tabs. Tabs are radio buttons, so
// that they work without a script and with a keyboard.
import { escapeHtml } from '../../platform/std/html.ts';
import { highlight } from './highlight.ts';
import type { Texts } from './texts.ts';

export interface CodeBlock {
  readonly language: string;
  readonly tab?: string;
  readonly title?: string;
  readonly code: string;
}

/** `json title="Answer"` or `sh tab=curl`; other words of it are for those who run the examples. */
export function parseInfo(info: string): Omit<CodeBlock, 'code'> {
  const [language = ''] = info.trim().split(/\s+/, 1);
  const facts = new Map(
    [...info.matchAll(/(?:^|\s)(\w+)=(?:"([^"]*)"|(\S+))/g)].map(
      ([, name = '', quoted, plain]) => [name, quoted ?? plain ?? ''] as const,
    ),
  );
  const tab = facts.get('tab');
  const title = facts.get('title');
  return { language, ...(tab !== undefined && { tab }), ...(title !== undefined && { title }) };
}

export function renderCodeBlock(block: CodeBlock, texts: Texts): string {
  const caption =
    block.title === undefined ? '' : `<figcaption>${escapeHtml(block.title)}</figcaption>`;
  return `<figure class="code">${caption}${renderCode(block, block.title, texts)}</figure>\n`;
}

/** `name` must be the only one of its kind on the page. */
export function renderTabs(blocks: readonly CodeBlock[], name: string, texts: Texts): string {
  const inputs = blocks.map(({ tab = '' }, index) => {
    const id = `${name}-${index}`;
    const checked = index === 0 ? ' checked' : '';
    return `<input type="radio" name="${name}" id="${id}" value="${escapeHtml(tab)}"${checked}><label for="${id}">${escapeHtml(tab)}</label>`;
  });
  const panels = blocks.map(
    (block) => `<div class="panel">${renderCode(block, block.tab, texts)}</div>`,
  );
  return `<fieldset class="tabs code" dir="ltr"><legend class="away">${texts.exampleIn}</legend>${inputs.join('')}${panels.join('')}</fieldset>\n`;
}

/** A wide line scrolls in its own box, which must therefore be focusable. */
function renderCode(
  { code, language }: CodeBlock,
  label: string | undefined,
  texts: Texts,
): string {
  const name = escapeHtml(label ?? texts.code);
  return `<div class="box"><pre tabindex="0" role="region" aria-label="${name}" dir="ltr"><code>${highlight(code.replace(/\n$/, ''), language)}</code></pre><button type="button" class="copy" hidden>${texts.copy}</button></div>`;
}
