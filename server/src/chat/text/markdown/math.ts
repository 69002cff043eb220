// Renders formulas with KaTeX. Without its option `trust`, authors can make no links, images or attributes.
import { createRequire } from 'node:module';
import type { KatexOptions } from 'katex';
import { element } from './html.ts';
import { MAX_EXPANSIONS, MAX_FORMULA_DEPTH } from './limits.ts';

interface Katex {
  renderToString(tex: string, options: KatexOptions): string;
}

let katex: Katex | undefined;

/** Loaded for the first formula. */
function loadKatex(): Katex {
  katex ??= createRequire(import.meta.url)('katex') as Katex;
  return katex;
}

/** KaTeX warns about characters that its fonts lack; messages must not fill our log. */
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
        // In em, so that a formula cannot cover the page.
        maxSize: 20,
      }),
    );
    return depthOf(html) > MAX_FORMULA_DEPTH ? renderTexSource(tex, isDisplayed) : html;
  } catch {
    // Invalid TeX, or nested so deeply that the stack overflowed.
    return renderTexSource(tex, isDisplayed);
  }
}

/** The maximum nesting of its elements. */
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
