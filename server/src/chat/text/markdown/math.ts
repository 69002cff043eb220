// Formulas. KaTeX writes the HTML; without `trust` it makes no links, images or attributes of the author's.
import { createRequire } from 'node:module';
import type { KatexOptions } from 'katex';
import { element } from './html.ts';
import { MAX_EXPANSIONS, MAX_FORMULA_DEPTH } from './limits.ts';

interface Katex {
  renderToString(tex: string, options: KatexOptions): string;
}

let katex: Katex | undefined;

/** Loaded when the first formula comes. */
function loadKatex(): Katex {
  katex ??= createRequire(import.meta.url)('katex') as Katex;
  return katex;
}

/** KaTeX warns of characters that its fonts lack: what people write must not fill our log. */
function quietly<T>(work: () => T): T {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return work();
  } finally {
    console.warn = warn;
  }
}

/** The formula as HTML with MathML, or its source marked as an error. */
export function renderMath(tex: string, isDisplayed: boolean): string {
  try {
    const html = quietly(() =>
      loadKatex().renderToString(tex, {
        displayMode: isDisplayed,
        throwOnError: true,
        trust: false,
        strict: 'ignore',
        maxExpand: MAX_EXPANSIONS,
        // In em: a formula cannot cover the page.
        maxSize: 20,
      }),
    );
    return depthOf(html) > MAX_FORMULA_DEPTH ? renderTexSource(tex, isDisplayed) : html;
  } catch {
    // Wrong TeX, or nested so deeply that the stack ended.
    return renderTexSource(tex, isDisplayed);
  }
}

/** How many elements stand inside each other at most. */
function depthOf(html: string): number {
  let [depth, deepest] = [0, 0];
  for (const [, slash, selfClosing] of html.matchAll(/<(\/?)[a-z][^<>]*?(\/?)>/g)) {
    if (slash === '/') depth -= 1;
    else if (selfClosing === '') depth += 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

export const renderTexSource = (tex: string, isDisplayed: boolean): string =>
  element('span', { class: 'tex-error' }, isDisplayed ? tex : `$$${tex}$$`);
