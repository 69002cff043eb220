// How an emoji gets its code and its names. Used when the table is generated, not while serving.
import { RENAMES } from './renames.ts';

/** What we read of a row of the datasource. */
export interface SourceEmoji {
  readonly unified: string;
  readonly name: string;
  readonly short_names: readonly string[];
  readonly category: string;
  readonly sort_order: number;
}

const SKIN_TONE = /^1f3f[b-f]$/;

/** Lower-case code points joined by dashes, without the selector that only asks for a coloured picture. */
export const codeOf = (unified: string): string =>
  unified
    .toLowerCase()
    .split('-')
    .filter((point) => point !== 'fe0f')
    .join('-');

/** Code → names. Every name belongs to one code only; the first of a code's names is the one shown. */
export function nameEmoji(source: readonly SourceEmoji[]): Record<string, string[]> {
  const rows = source
    .map((row) => ({ ...row, code: codeOf(row.unified) }))
    // A skin tone alone is not something one says.
    .filter(({ code }) => !SKIN_TONE.test(code))
    .sort((left, right) => left.sort_order - right.sort_order);
  const taken = new Set<string>();
  const names = new Map<string, string[]>(rows.map(({ code }) => [code, []]));
  const give = (code: string, name: string): void => {
    if (taken.has(name)) return;
    taken.add(name);
    names.get(code)?.push(name);
  };
  for (const [code, text] of Object.entries(RENAMES)) {
    if (!names.has(code)) throw new Error(`renames.ts names ${code}, which is no emoji.`);
    for (const name of text.split(' ')) {
      if (taken.has(name)) throw new Error(`renames.ts gives the name ${name} twice.`);
      give(code, name);
    }
  }
  for (const { code, category, name, short_names: shortNames } of rows) {
    if (category === 'Flags' && name.endsWith(' Flag')) give(code, plain(name.slice(0, -5)));
    for (const shortName of shortNames) give(code, plain(shortName));
    // All its names were taken: its description is left, which no other has.
    if (names.get(code)?.length === 0) give(code, plain(name));
  }
  return Object.fromEntries(names);
}

/** Lower-case ASCII words joined by underscores; `+1`, `-1` and `e-mail` come from our own table. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9+]+/g, '_')
    .replaceAll(/^_+|(?<!_)_+$/g, '');
