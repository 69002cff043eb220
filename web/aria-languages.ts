// react-aria brings its own few words in 34 languages, about 400 kB, and none of them is Persian. The build keeps the
// English ones and adds ours.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { persian } from './src/ui/aria-persian.ts';

const PERSIAN = fileURLToPath(new URL('src/ui/aria-persian.ts', import.meta.url));

/** A module that gathers the languages of one package of react-aria. */
const DICTIONARY = /react-(?:aria|aria-components|stately)\/dist\/.*intlStrings\.mjs$/u;
const ENGLISH = /from "([^"]*\/intl\/(?:(\w+)\/)?en-US\.mjs)"/u;

export function ariaLanguages(): Plugin {
  return {
    name: 'aria-languages',
    transform(code, id) {
      if (!DICTIONARY.test(id)) return undefined;
      const [, english, part = 'components'] = ENGLISH.exec(code) ?? [];
      if (english === undefined)
        throw new Error(
          `${id} has no English texts where they were expected: see aria-languages.ts.`,
        );
      const own = persian[part] === undefined ? '' : `'fa-IR': { ...en, ...persian.${part} }`;
      return {
        code: `import en from ${JSON.stringify(english)};
import { persian } from ${JSON.stringify(PERSIAN)};
export default { 'en-US': en, ${own} };`,
        map: null,
      };
    },
  };
}
