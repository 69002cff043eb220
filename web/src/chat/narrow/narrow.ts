// The narrows that views and links are made of.
import { sortIds } from './parse.ts';
import type { Asked, IsOperand, Narrow } from './terms.ts';

const narrowOf = (...asked: readonly Asked[]): Narrow => ({
  terms: asked.map((one) => ({ ...one, negated: false })),
});

export const channelNarrow = (channelId: number): Narrow =>
  narrowOf({ operator: 'channel', operand: channelId });

/** With the id of a message of the topic, the narrow still finds it after the topic was moved. */
export function topicNarrow(channelId: number, topic: string, withId?: number): Narrow {
  const { terms } = narrowOf(
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
    ...(withId === undefined ? [] : [{ operator: 'with', operand: withId } as const]),
  );
  return { terms };
}

/** The conversation of these people; the reader may be among them or not. */
export const directNarrow = (userIds: readonly number[]): Narrow =>
  narrowOf({ operator: 'dm', operand: sortIds(userIds) });

const isNarrow = (what: IsOperand): Narrow => narrowOf({ operator: 'is', operand: what });

/** The combined feed: everything but what the reader muted. */
export const allNarrow = (): Narrow => narrowOf({ operator: 'in', operand: 'home' });
export const mentionsNarrow = (): Narrow => isNarrow('mentioned');
export const starredNarrow = (): Narrow => isNarrow('starred');
export const directsNarrow = (): Narrow => isNarrow('dm');
export const searchNarrow = (text: string): Narrow =>
  narrowOf({ operator: 'search', operand: text });
export const senderNarrow = (userId: number): Narrow =>
  narrowOf({ operator: 'sender', operand: userId });

/** The same narrow, opened at a message. */
export const nearMessage = (narrow: Narrow, messageId: number): Narrow => ({
  terms: narrow.terms,
  near: messageId,
});

/** Where a message is: in a topic of a channel, or among people. */
export type MessagePlace =
  | { readonly id: number; readonly channelId: number; readonly topic: string }
  | { readonly id: number; readonly userIds: readonly number[] };

/** The narrow of a message's link: its conversation, opened at it. */
export function fromMessage(place: MessagePlace): Narrow {
  const conversation =
    'userIds' in place ? directNarrow(place.userIds) : topicNarrow(place.channelId, place.topic);
  return nearMessage(conversation, place.id);
}

/** What a view is, for its heading, its compose box and its keys. */
export type View =
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }
  | { readonly kind: 'all' | 'mentions' | 'starred' | 'directs' }
  | { readonly kind: 'search' };

/** Two narrows of one conversation are one view, whether or not they have `with` or `near`. */
export function viewOf(narrow: Narrow): View {
  const terms = narrow.terms.filter(({ operator }) => operator !== 'with');
  const [first, second] = terms;
  const search = { kind: 'search' } as const;
  if (terms.some(({ negated }) => negated) || terms.length > 2) return search;
  if (first === undefined) return { kind: 'all' };
  if (first.operator === 'channel' && typeof first.operand === 'number') {
    if (second === undefined) return { kind: 'channel', channelId: first.operand };
    if (second.operator !== 'topic') return search;
    return { kind: 'topic', channelId: first.operand, topic: second.operand };
  }
  if (second !== undefined) return search;
  if (first.operator === 'dm' && typeof first.operand !== 'string') {
    return { kind: 'direct', userIds: first.operand };
  }
  if (first.operator === 'in') return first.operand === 'home' ? { kind: 'all' } : search;
  if (first.operator !== 'is') return search;
  const kinds = { mentioned: 'mentions', starred: 'starred', dm: 'directs' } as const;
  const kind = first.operand in kinds ? kinds[first.operand as keyof typeof kinds] : undefined;
  return kind === undefined ? search : { kind };
}

/** The same conversation for its reader: without the reader, who is in every one, unless it is a talk with oneself. */
export function withoutReader(narrow: Narrow, readerId: number): Narrow {
  const terms = narrow.terms.map((term) => {
    if (term.operator !== 'dm' || typeof term.operand === 'string') return term;
    const others = term.operand.filter((id) => id !== readerId);
    return others.length === 0 ? term : { ...term, operand: others };
  });
  return { ...narrow, terms };
}

export interface ApiTerm {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated: boolean;
}

/** For `narrow` of the API. `near` is not a term there: it is the anchor. */
export const toApiNarrow = (narrow: Narrow): readonly ApiTerm[] =>
  narrow.terms.map(({ operator, operand, negated }) => ({ operator, operand, negated }));
