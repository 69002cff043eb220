// How a conversation is written down: who, how many minutes after the previous line, and what.
import type { PersonKey } from '../people.ts';

export interface LineMore {
  /** Emoji names, each with the people who reacted. */
  readonly react?: Readonly<Record<string, readonly PersonKey[]>>;
  /** Votes in a poll, by the number of the option. */
  readonly votes?: Readonly<Record<number, readonly PersonKey[]>>;
  readonly starredBy?: readonly PersonKey[];
  /** A name by which a later line quotes this one, as `{{quote name}}`. */
  readonly key?: string;
}

export type Line = readonly [
  who: PersonKey,
  minutesAfter: number,
  text: string,
  more?: LineMore | undefined,
];

/** When it begins: on a day before today, at an hour (UTC), or this many minutes ago. */
export type Start =
  { readonly daysAgo: number; readonly hour: number } | { readonly minutesAgo: number };

export interface Thread {
  readonly start: Start;
  readonly to:
    | { readonly channel: string; readonly topic: string }
    | { readonly people: readonly PersonKey[] };
  readonly lines: readonly Line[];
  /** Who marks the topic as resolved, this many minutes after the last line. */
  readonly resolved?: { readonly by: PersonKey; readonly minutesAfter: number };
}

export const topic = (
  channel: string,
  name: string,
  start: Start,
  lines: readonly Line[],
  resolved?: Thread['resolved'],
): Thread => ({
  start,
  to: { channel, topic: name },
  lines,
  ...(resolved !== undefined && { resolved }),
});

export const direct = (
  people: readonly PersonKey[],
  start: Start,
  lines: readonly Line[],
): Thread => ({ start, to: { people }, lines });
