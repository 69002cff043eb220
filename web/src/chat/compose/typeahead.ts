// What a person means while typing a name: where it began, and who or what fits best. Pure.
import { fold } from '../../i18n/fold.ts';

export type Kind = 'person' | 'channel' | 'topic' | 'emoji';

export interface Trigger {
  readonly kind: Kind;
  /** What was typed of the name. */
  readonly query: string;
  /** Where the text to be replaced begins. */
  readonly start: number;
  /** A mention that notifies nobody. */
  readonly isSilent: boolean;
  /** The channel whose topics are meant. */
  readonly channel: string | undefined;
}

/** Nobody types a longer name before choosing it. */
const LOOKBACK = 64;
const TOPIC = /(?:^|[\s([])#\*\*([^*>\n]{1,60})>([^*\n]{0,60})$/u;
const NAME = /(?:^|[\s([{"'،؛])(@_?|#)(?:\*{0,2})([^\s@#*][^@#*\n]{0,40}|)$/u;
const EMOJI = /(?:^|[\s([{])(:)([\p{L}\p{N}_+-]{2,32})$/u;

/** What is being typed before the cursor, if it is a name of something. */
export function triggerAt(text: string, cursor: number): Trigger | undefined {
  const from = Math.max(0, cursor - LOOKBACK);
  const before = text.slice(from, cursor);
  if (isInCode(text.slice(0, cursor))) return undefined;
  const topic = TOPIC.exec(before);
  if (topic !== null) {
    const [whole, channel = '', query = ''] = topic;
    const start = from + topic.index + whole.indexOf('#');
    return { kind: 'topic', query, start, isSilent: false, channel };
  }
  const match = EMOJI.exec(before) ?? NAME.exec(before);
  if (match === null) return undefined;
  const [whole, sign = '', query = ''] = match;
  const start = from + match.index + whole.indexOf(sign);
  const kind = sign === ':' ? 'emoji' : sign === '#' ? 'channel' : 'person';
  return { kind, query, start, isSilent: sign === '@_', channel: undefined };
}

/** An odd number of fences, or of backticks on the line, is open at the cursor. */
function isInCode(before: string): boolean {
  const fences = before.match(/^(?:```|~~~)/gm)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return (line.match(/`/g)?.length ?? 0) % 2 === 1;
}

export interface Candidate<T> {
  readonly value: T;
  /** The name that is shown, and others that it is found by. */
  readonly names: readonly string[];
  /** More is nearer: the same topic, the same channel, people one writes to. */
  readonly nearness: number;
  readonly isBot?: boolean;
}

/** 0 exact, 1 prefix, 2 the prefix of a later word, 3 not at all. */
export function fitOf(name: string, query: string): 0 | 1 | 2 | 3 {
  const folded = fold(name);
  if (folded === query) return 0;
  if (folded.startsWith(query)) return 1;
  return folded.split(/[\s_.\-/]+/).some((word) => word.startsWith(query)) ? 2 : 3;
}

/** The best ones first: how well the name fits, then how near it is, then people before bots, then the name. */
export function rankCandidates<T>(
  candidates: Iterable<Candidate<T>>,
  query: string,
  max: number,
): readonly T[] {
  const wanted = fold(query);
  const found: { readonly fit: number; readonly one: Candidate<T> }[] = [];
  for (const one of candidates) {
    const fit = Math.min(3, ...one.names.map((name) => fitOf(name, wanted)));
    if (fit < 3) found.push({ fit, one });
  }
  return found
    .sort(
      (a, b) =>
        a.fit - b.fit ||
        b.one.nearness - a.one.nearness ||
        Number(a.one.isBot === true) - Number(b.one.isBot === true) ||
        compare(a.one.names[0] ?? '', b.one.names[0] ?? ''),
    )
    .slice(0, max)
    .map(({ one }) => one.value);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Puts the chosen one in the place of what was typed, with a space after it. */
export function complete(
  text: string,
  cursor: number,
  { start }: Trigger,
  replacement: string,
): { readonly text: string; readonly cursor: number } {
  const after = text.slice(cursor);
  const space = after.startsWith(' ') ? '' : ' ';
  return {
    text: text.slice(0, start) + replacement + space + after,
    cursor: start + replacement.length + 1,
  };
}
