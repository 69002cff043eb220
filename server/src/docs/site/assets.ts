// The files that pages load: the style, the scripts, the icon. The name of each changes with its content.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const JAVASCRIPT = 'text/javascript; charset=utf-8';
export const CSS = 'text/css; charset=utf-8';

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

export interface Assets {
  readonly style: Asset;
  readonly icon: Asset;
  readonly theme: Asset;
  readonly site: Asset;
  readonly words: Asset;
  readonly minisearch: Asset;
  readonly search: Asset;
  readonly signing: Asset;
  readonly visit: Asset;
  readonly try: Asset;
}

const read = (url: URL): string => readFileSync(url, 'utf8');

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

export function asset(name: string, extension: string, type: string, text: string): Asset {
  return { path: `assets/${name}-${hashOf(text)}.${extension}`, type, text };
}

export function readAssets(): Assets {
  const script = (name: string, text: string) => asset(name, 'js', JAVASCRIPT, text);
  const words = script('words', read(new URL('client/words.js', import.meta.url)));
  const minisearch = script(
    'minisearch',
    // Its map of the source is not served.
    readFileSync(fileURLToPath(import.meta.resolve('minisearch')), 'utf8').replace(
      /\/\/# sourceMappingURL=.*\s*$/,
      '',
    ),
  );
  const visit = script('visit', read(new URL('client/visit.js', import.meta.url)));
  const signing = script('signing', read(new URL('client/signing.js', import.meta.url)));
  return {
    style: asset('style', 'css', CSS, brandTokens() + readStyles()),
    icon: asset(
      'icon',
      'svg',
      'image/svg+xml',
      read(new URL('../../web/favicon.svg', import.meta.url)),
    ),
    theme: script('theme', read(new URL('client/theme.js', import.meta.url))),
    site: script('site', read(new URL('client/site.js', import.meta.url))),
    words,
    minisearch,
    search: script(
      'search',
      linked(read(new URL('client/search.js', import.meta.url)), { words, minisearch }),
    ),
    signing,
    visit,
    try: script('try', linked(read(new URL('client/try.js', import.meta.url)), { signing, visit })),
  };
}

/** In this order: a later rule wins over an earlier one of the same weight. */
const STYLES = [
  'page',
  'head',
  'columns',
  'text',
  'code',
  'operations',
  'front',
  'small-screens',
  'print',
];

/** Named as a whole: the package takes along what is named literally. */
const STYLES_FOLDER = new URL('styles/', import.meta.url);

const readStyles = (): string =>
  STYLES.map((name) => read(new URL(`${name}.css`, STYLES_FOLDER))).join('\n');

/** A script imports others by the names under which they are served. */
function linked(text: string, imports: Readonly<Record<string, Asset>>): string {
  let result = text;
  for (const [name, { path }] of Object.entries(imports)) {
    const [own = ''] = path.split('/').slice(-1);
    result = result
      .replaceAll(`'./${name}.js'`, `'./${own}'`)
      .replaceAll(`'${name}'`, `'./${own}'`);
  }
  return result;
}

/** The colours of the front page, which also serve the switch between light and dark. */
export function brandTokens(css = read(new URL('../../web/style.css', import.meta.url))): string {
  const [light, dark] = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, body = '']) =>
    body.replace(/color-scheme:[^;]*;/, '').trim(),
  );
  if (light === undefined || dark === undefined) throw new Error('The brand has two palettes.');
  return `:root { color-scheme: light; ${light} }
@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) { color-scheme: dark; ${dark} } }
:root[data-theme='dark'] { color-scheme: dark; ${dark} }
`;
}

/** The picture of the front page. */
export const readPicture = (): string =>
  read(new URL('../../web/bridge.svg', import.meta.url)).trim();
