// When two names are the same to a reader, though they are written differently.
import { looksLike } from './lookalikes.ts';

/** Marks that writers of Arabic script may leave out, and the stroke that only stretches a word. */
const OPTIONAL_MARKS = /[\u{0640}\u{064B}-\u{065F}\u{0670}]/gu;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

const simplify = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .replaceAll(OPTIONAL_MARKS, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();

/** Equal for names that differ in case, in composition or in invisible characters, such as a half-space. */
export const foldName = (name: string): string => simplify(name).toLowerCase();

/** ASCII letters and digits that only a careful reader can tell apart. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[i1|]/g, 'l'],
  [/0/g, 'o'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/**
 * Equal for names that look alike. Capitals are mapped before lowering: a capital Greek nu looks like N, and a
 * small one like v.
 */
export function skeletonOf(name: string): string {
  let skeleton = Array.from(simplify(name), looksLike).join('').toLowerCase();
  for (const [alike, one] of ALIKE) skeleton = skeleton.replaceAll(alike, one);
  return skeleton;
}

/** Two names are alike if they have a key in common. */
export const nameKeys = (name: string): string[] => [
  `same ${foldName(name)}`,
  `like ${skeletonOf(name)}`,
];

export const areNamesAlike = (a: string, b: string): boolean =>
  nameKeys(a).some((key) => nameKeys(b).includes(key));
