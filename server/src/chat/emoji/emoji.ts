// The emoji that have a name and a code here. Custom emoji are the organization's, and not in this table.
import data from './emoji.generated.json' with { type: 'json' };

const NAMES_BY_CODE = new Map<string, readonly string[]>(Object.entries(data.code_to_names));
const CODE_BY_NAME = new Map<string, string>();
for (const [code, names] of NAMES_BY_CODE) for (const name of names) CODE_BY_NAME.set(name, code);

/** What clients download: `{code_to_names: {code: [names]}}`. */
export const EMOJI_DATA = JSON.stringify(data);

export const findEmojiCode = (name: string): string | undefined => CODE_BY_NAME.get(name);

/** The name that is shown for a code. */
export const findEmojiName = (code: string): string | undefined => NAMES_BY_CODE.get(code)?.[0];

export const isEmojiCode = (code: string): boolean => NAMES_BY_CODE.has(code);

/** Whether `name` is one of the names of `code`: what a reaction must show when it gives both. */
export const isEmojiNamed = (code: string, name: string): boolean =>
  CODE_BY_NAME.get(name) === code;

// A picture, perhaps coloured, perhaps joined to others; a flag of two letters; a keycap. Bounded, so
// that a run of joiners cannot make one endless emoji.
const CLUSTER =
  /\p{Regional_Indicator}{2}|[#*0-9]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){0,7}[\u{e0020}-\u{e007f}]{0,8}\ufe0e?/gu;

export interface FoundEmoji {
  readonly index: number;
  readonly length: number;
  readonly code: string;
  readonly name: string;
}

/** Below this, pictographs such as © and ↔ are letters unless the text asks for a picture. */
const FIRST_PICTURE = 0x2300;

/** The emoji in a text, as characters. A sequence that has no name is left alone as a whole. */
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

/** What people type instead, when their setting asks for it to be translated. */
const EMOTICONS: ReadonlyMap<string, string> = new Map([
  [':)', 'smile'],
  ['(:', 'smile'],
  [':(', 'frown'],
  ['<3', 'heart'],
  [':|', 'expressionless'],
  [':/', 'confused'],
  [';)', 'wink'],
  [':D', 'grinning'],
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
