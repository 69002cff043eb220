// The details of an entry: values before and after, within the size limit of an entry.
import { canonicalJson } from './entry.ts';

export type Values = Readonly<Record<string, unknown>>;

/**
 * An entry holds 64 KiB. Beyond this, changes are given by names and sizes, and never omitted
 * silently.
 */
const DETAILS_CHARACTERS_MAX = 16_000;
/** For details that are too long as a whole: characters of one value, and members of one list. */
const VALUE_CHARACTERS_MAX = 300;
const LIST_MAX = 50;
const NAMES_MAX = 40;

/** The values that differ, before and after; undefined when all are the same. */
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
  // Characters that need six each to be escaped still fit into an entry.
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
