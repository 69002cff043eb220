// Which entries of the palette fit what was typed, the best first. Pure.
import { fold } from '../../i18n/fold.ts';

export type EntryKind = 'person' | 'channel' | 'topic' | 'market' | 'order' | 'view' | 'command';

export interface Entry {
  readonly id: string;
  readonly kind: EntryKind;
  readonly name: string;
  /** Shown beside the name, and searched too: the channel of a topic, the address of a person. */
  readonly detail?: string;
  /** Other words under which people look for it, in either language. */
  readonly words?: readonly string[];
  /** When it was last of use, in milliseconds; breaks ties. */
  readonly usedAt?: number;
}

export const RESULTS_MAX = 50;

/** The lower, the better; undefined for no match. */
type Score = number | undefined;

const EXACT = 0;
const PREFIX = 1;
const WORD_PREFIX = 2;
const INSIDE = 3;
const DETAIL = 4;

/** Typed before the rest, each of these leaves one kind. */
const SIGILS: Readonly<Record<string, readonly EntryKind[]>> = {
  '@': ['person'],
  '#': ['channel', 'topic'],
  $: ['market', 'order'],
  '>': ['command', 'view'],
};

const KIND_ORDER: Readonly<Record<EntryKind, number>> = {
  view: 0,
  channel: 1,
  person: 2,
  market: 3,
  order: 4,
  topic: 5,
  command: 6,
};

export function rank(entries: Iterable<Entry>, typed: string): readonly Entry[] {
  const { kinds, words } = parseTyped(typed);
  const found: { readonly entry: Entry; readonly score: number }[] = [];
  for (const entry of entries) {
    if (kinds !== undefined && !kinds.includes(entry.kind)) continue;
    const score = scoreOf(entry, words);
    if (score !== undefined) found.push({ entry, score });
  }
  return found
    .sort(
      (one, other) =>
        one.score - other.score ||
        (other.entry.usedAt ?? 0) - (one.entry.usedAt ?? 0) ||
        KIND_ORDER[one.entry.kind] - KIND_ORDER[other.entry.kind] ||
        one.entry.name.length - other.entry.name.length ||
        (one.entry.id < other.entry.id ? -1 : 1),
    )
    .slice(0, RESULTS_MAX)
    .map(({ entry }) => entry);
}

function parseTyped(typed: string): { kinds?: readonly EntryKind[]; words: readonly string[] } {
  const text = typed.trimStart();
  const kinds = SIGILS[text.slice(0, 1)];
  const words = fold(kinds === undefined ? text : text.slice(1))
    .split(' ')
    .filter((word) => word !== '');
  return kinds === undefined ? { words } : { kinds, words };
}

/** Every word has to be found; the worst one counts, and then the others. */
function scoreOf(entry: Entry, words: readonly string[]): Score {
  const names = [entry.name, ...(entry.words ?? [])].map(fold);
  const whole = words.join(' ');
  if (words.length > 1 && names.includes(whole)) return EXACT;
  const detail = fold(entry.detail ?? '');
  let worst = 0;
  let sum = 0;
  for (const word of words) {
    const best = Math.min(
      ...names.map((name) => wordScore(name, word)),
      detail.includes(word) ? DETAIL : Infinity,
    );
    if (best === Infinity) return undefined;
    worst = Math.max(worst, best);
    sum += best;
  }
  return words.length === 0 ? 0 : worst + sum / (words.length * 10);
}

function wordScore(name: string, word: string): number {
  if (name === word) return EXACT;
  if (name.startsWith(word)) return PREFIX;
  const at = name.indexOf(word);
  if (at < 0) return Infinity;
  return isWordStart(name, word) ? WORD_PREFIX : INSIDE;
}

function isWordStart(name: string, word: string): boolean {
  return name.split(/[\s/_.-]+/u).some((part) => part.startsWith(word));
}
