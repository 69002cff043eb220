// Emoji by name: the organization's own, and those of Unicode as the server lists them.
import type { CustomEmoji } from '../../state/entities.ts';

export interface Emoji {
  readonly name: string;
  /** Other names of the same one. */
  readonly others: readonly string[];
  /** Code points in hexadecimal with hyphens, or the id of the organization's own. */
  readonly code: string;
  readonly type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';
  /** The picture of the organization's own. */
  readonly url?: string | undefined;
}

/** The characters of a code such as `1f1ee-1f1f7`; empty for a code that is none. */
export function charactersOf(code: string): string {
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  return points.every((point) => point > 0 && point <= 0x10ffff)
    ? String.fromCodePoint(...points)
    : '';
}

/** The list of the server: names by code, the customary name first. */
export function catalogueFrom(
  namesByCode: Readonly<Record<string, readonly string[]>>,
  custom: Iterable<CustomEmoji>,
): readonly Emoji[] {
  const own: Emoji[] = [];
  for (const { id, name, sourceUrl, isDeactivated } of custom) {
    if (!isDeactivated)
      own.push({ name, others: [], code: id, type: 'realm_emoji', url: sourceUrl });
  }
  const taken = new Set(own.map(({ name }) => name));
  const unicode = Object.entries(namesByCode).flatMap(([code, names]): Emoji[] => {
    const [name, ...others] = names.filter((one) => !taken.has(one));
    return name === undefined ? [] : [{ name, others, code, type: 'unicode_emoji' }];
  });
  return [...own, ...unicode];
}

/** What a grid shows before anything is typed: the ones that most reactions are. */
const CUSTOMARY = [
  '1f44d',
  '1f44e',
  '2764',
  '1f389',
  '1f602',
  '1f642',
  '1f614',
  '1f62e',
  '1f64f',
  '1f44f',
  '1f440',
  '1f680',
  '2705',
  '274c',
  '1f525',
  '1f4af',
  '1f914',
  '1f44c',
  '1f4a1',
  '26a0',
  '1f4c8',
  '1f4c9',
  '1f4b0',
  '2615',
];

export function customaryOf(catalogue: readonly Emoji[]): readonly Emoji[] {
  const byCode = new Map(catalogue.map((one) => [one.code, one]));
  const own = catalogue.filter(({ type }) => type === 'realm_emoji').slice(0, 16);
  return [...CUSTOMARY.flatMap((code) => byCode.get(code) ?? []), ...own];
}
