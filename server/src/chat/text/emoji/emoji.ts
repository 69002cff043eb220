// Looks up the standard emoji by name and by code. Custom emoji belong to the organization and are not in this table.
// names.json holds facts of the protocol: a code has the same names on every server of the feature level that we
// advertise.
import table from './names.json' with { type: 'json' };

const split = (names: string): readonly string[] => names.split(' ');
const NAMES_BY_CODE = new Map(
  Object.entries(table.names).map(([code, names]) => [code, split(names)] as const),
);
const CODE_BY_NAME = new Map<string, string>();
for (const [code, names] of NAMES_BY_CODE) for (const name of names) CODE_BY_NAME.set(name, code);
const OLDER_BY_CODE = new Map(
  Object.entries(table.older).map(([code, names]) => [code, split(names)] as const),
);
const CODE_BY_OLDER = new Map<string, string>();
for (const [code, names] of OLDER_BY_CODE) for (const name of names) CODE_BY_OLDER.set(name, code);

/** The file that clients download: `{code_to_names: {code: [names]}}`. */
export const EMOJI_DATA = JSON.stringify({ code_to_names: Object.fromEntries(NAMES_BY_CODE) });

/** The code of a name in a text. */
export const findEmojiCode = (name: string): string | undefined => CODE_BY_NAME.get(name);

/** The code of a name that comes without one: obsolete names still have theirs. */
export const findEmojiCodeOrOlder = (name: string): string | undefined =>
  CODE_BY_NAME.get(name) ?? CODE_BY_OLDER.get(name);

/** The name that is shown for a code. */
export const findEmojiName = (code: string): string | undefined => NAMES_BY_CODE.get(code)?.[0];

export const isEmojiCode = (code: string): boolean => NAMES_BY_CODE.has(code);

/** Whether `name` is or was a name of `code`. A reaction that gives both must pass this. */
export const isEmojiNamed = (code: string, name: string): boolean =>
  CODE_BY_NAME.get(name) === code || OLDER_BY_CODE.get(code)?.includes(name) === true;

// One emoji: a pictograph, perhaps coloured, perhaps joined to others; a flag of two letters; or a keycap. Bounded,
// so that a run of joiners cannot make one endless emoji.
const CLUSTER =
  /\p{Regional_Indicator}{2}|[#*0-9]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){0,7}[\u{e0020}-\u{e007f}]{0,8}\ufe0e?/gu;

export interface FoundEmoji {
  readonly index: number;
  readonly length: number;
  readonly code: string;
  readonly name: string;
}

/** Below this, pictographs such as © and ↔ are plain text unless a variation selector asks for a picture. */
const FIRST_PICTURE = 0x2300;

/** The emoji characters in a text. A sequence without a name is left alone as a whole. */
export function findEmoji(text: string): FoundEmoji[] {
  const found: FoundEmoji[] = [];
  for (const match of text.matchAll(CLUSTER)) {
    const [cluster] = match;
    if (cluster.endsWith('\ufe0e')) continue;
    const points = Array.from(cluster, (character) => character.codePointAt(0) ?? 0);
    const [first = 0] = points;
    if (first >= 0x80 && first < FIRST_PICTURE && !cluster.includes('\ufe0f')) continue;
    const code = points
      .filter((point) => point !== 0xfe0f)
      .map((point) => point.toString(16).padStart(4, '0'))
      .join('-');
    const name = findEmojiName(code);
    if (name !== undefined) found.push({ index: match.index, length: cluster.length, code, name });
  }
  return found;
}

/** Emoticons that become emoji for authors who chose that setting. */
const EMOTICONS: ReadonlyMap<string, string> = new Map([
  [':)', 'slight_smile'],
  ['(:', 'slight_smile'],
  [':(', 'frown'],
  ['<3', 'heart'],
  [':|', 'neutral'],
  [':/', 'confused'],
  [';)', 'wink'],
  [':D', 'smile'],
  [':o', 'open_mouth'],
  [':O', 'open_mouth'],
  [':p', 'stuck_out_tongue'],
  [':P', 'stuck_out_tongue'],
]);

const EMOTICON = /(?<![\p{L}\p{N}])(?::\)|\(:|:\(|<3|:\||:\/|;\)|:D|:[oO]|:[pP])(?![\p{L}\p{N}])/gu;

export function findEmoticons(text: string): FoundEmoji[] {
  const found: FoundEmoji[] = [];
  for (const match of text.matchAll(EMOTICON)) {
    const name = EMOTICONS.get(match[0]);
    const code = name === undefined ? undefined : findEmojiCode(name);
    if (name !== undefined && code !== undefined)
      found.push({ index: match.index, length: match[0].length, code, name });
  }
  return found;
}
