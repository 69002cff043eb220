// What an entry says besides who did what: before and after, within the room that an entry has.
import { canonicalJson } from './entry.ts';

export type Values = Readonly<Record<string, unknown>>;

/** An entry holds 64 KiB. Beyond this, what was changed is told by names and sizes, and never left out in silence. */
const DETAILS_CHARACTERS_MAX = 16_000;
/** Characters of one value, and members of one list, of what is too long as a whole. */
const VALUE_CHARACTERS_MAX = 300;
const LIST_MAX = 50;
const NAMES_MAX = 40;

/** The values that are not the same, as they were and as they are; undefined when all are the same. */
export function differences(
  before: Values,
  after: Values,
): { readonly before: Values; readonly after: Values } | undefined {
  const was: Record<string, unknown> = {};
  const is: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, fresh] = [before[name] ?? null, after[name] ?? null];
    if (canonicalJson(old) === canonicalJson(fresh)) continue;
    was[name] = old;
    is[name] = fresh;
  }
  return Object.keys(was).length === 0 ? undefined : { before: was, after: is };
}

/** Details that fit into an entry. */
export function boundDetails(details: Values): Values {
  if (canonicalJson(details).length <= DETAILS_CHARACTERS_MAX) return details;
  const shortened = { ...(shorten(details, 1) as Values), isShortened: true };
  // Whoever writes characters that take six to write them down still gets an entry.
  if (canonicalJson(shortened).length <= 2 * DETAILS_CHARACTERS_MAX) return shortened;
  return { ...(shorten(details, 0) as Values), isShortened: true };
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length <= VALUE_CHARACTERS_MAX
      ? value
      : `${value.slice(0, VALUE_CHARACTERS_MAX).toWellFormed()}… (${value.length} characters)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  const characters = canonicalJson(value).length;
  if (Array.isArray(value)) {
    if (characters <= VALUE_CHARACTERS_MAX) return value;
    return isNumbers(value) && value.length <= LIST_MAX ? value : `a list of ${value.length}`;
  }
  if (depth < 0) return characters <= VALUE_CHARACTERS_MAX ? value : `${characters} characters`;
  const members = Object.entries(value);
  return Object.fromEntries([
    ...members.slice(0, NAMES_MAX).map(([name, member]) => [name, shorten(member, depth - 1)]),
    ...(members.length > NAMES_MAX ? [['…', `${members.length - NAMES_MAX} more`]] : []),
  ]);
}

const isNumbers = (list: readonly unknown[]): boolean =>
  list.every((member) => typeof member === 'number');
