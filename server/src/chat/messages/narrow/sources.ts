// Where the messages of a narrow can be, when that is little beside all messages: the topics that the reader follows,
// the stretches that are unread. A page then begins there, and does not read through messages until it is full.
import { sql, type RawBuilder } from 'kysely';
import { VISIBILITY } from '../../conversations/topics/automatic-rules.ts';
import type { ChannelForReader } from '../message/channels-for-reader.ts';
import { FLAG, SHOWN_BITS } from '../message/flags.ts';
import { selectReadSpans, selectUnreadSpans } from '../unread/lists.ts';
import type { Term } from './terms.ts';

/**
 * Statements that list the places of a narrow. Every message of the narrow is in one of them; that the other messages
 * of a place are left out, and those that may not be read, is the work of the narrow's condition.
 */
export interface Source {
  /** Rows of `conversation_id` and `topic`, its key. */
  readonly topics?: RawBuilder<unknown>;
  /** Rows of `conversation_id`. */
  readonly conversations?: RawBuilder<unknown>;
  /** Rows of `home_id`, and `first` and `last` of the numbers there; `last` may be null. */
  readonly spans?: RawBuilder<unknown>;
  /** Messages on which the reader has one of these flags. */
  readonly flags?: number;
}

export interface Scope {
  readonly channels: readonly ChannelForReader[];
  readonly withDirect: boolean;
}

/** The conversations of the scope; undefined if direct ones are among them. */
export const conversationIdsOf = ({ channels, withDirect }: Scope): number[] | undefined =>
  withDirect ? undefined : channels.map(({ conversationId }) => conversationId);

/** Undefined if a scan of the messages is as good: it has an index, or finds enough soon. */
export function chooseSource(
  readerId: number,
  terms: readonly Term[],
  scope: Scope,
): Source | undefined {
  // A search has an index of its own.
  if (terms.some(({ operator }) => operator === 'search')) return undefined;
  const plain = terms.filter(({ negated }) => !negated);
  const has = (operator: Term['operator']) => plain.some((term) => term.operator === operator);
  const is = (what: string) => plain.some((term) => term.operator === 'is' && term.what === what);
  const topic = plain.find((term) => term.operator === 'topic');
  if (topic !== undefined) {
    return has('channel') ? undefined : { topics: topicInAll(topic.topic, scope) };
  }
  if (is('followed')) return { topics: followedTopics(readerId) };
  if (is('muted')) return mutedPlaces(readerId);
  if (asksForUnread(terms)) {
    return { spans: selectUnreadSpans(readerId, conversationIdsOf(scope)) };
  }
  if (is('dm') || has('dm-including') || has('group-dm-including')) {
    return { conversations: directConversations(readerId) };
  }
  return asksForRead(terms) ? readPlaces(readerId, scope) : undefined;
}

/** Terms that leave most of a stretch in the narrow. */
export const isWide = (term: Term): boolean =>
  term.operator === 'channel' ||
  term.operator === 'in' ||
  (term.operator === 'is' && (term.negated || term.what === 'unread'));

const isUnreadTerm = (term: Term): boolean => term.operator === 'is' && term.what === 'unread';

/** Whether a narrow is about what is unread, and about little else. */
const asksForUnread = (terms: readonly Term[]): boolean =>
  terms.some((term) => isUnreadTerm(term) && !term.negated) && terms.every(isWide);

const asksForRead = (terms: readonly Term[]): boolean =>
  terms.some((term) => isUnreadTerm(term) && term.negated) && terms.every(isWide);

const topicInAll = (topic: string, { channels }: Scope) => sql`
  SELECT id AS conversation_id, topic_key(id, ${topic}::text) AS topic FROM unnest(${channels
    .filter(({ mayRead }) => mayRead)
    .map(({ conversationId }) => conversationId)}::int[]) AS id`;

const followedTopics = (readerId: number) => sql`
  SELECT k.conversation_id, lower(u.topic) AS topic
    FROM user_topics u JOIN channels k ON k.id = u.channel_id
   WHERE u.user_id = ${readerId} AND u.visibility_policy = ${sql.lit(VISIBILITY.followed)}`;

/** A topic of a muted channel is among the messages of that channel already. */
const mutedPlaces = (readerId: number): Source => ({
  topics: sql`
    SELECT k.conversation_id, lower(u.topic) AS topic
      FROM user_topics u JOIN channels k ON k.id = u.channel_id
     WHERE u.user_id = ${readerId} AND u.visibility_policy = ${sql.lit(VISIBILITY.muted)}
       AND NOT EXISTS (SELECT FROM subscriptions o WHERE o.user_id = ${readerId}
                          AND o.channel_id = u.channel_id AND o.is_muted)`,
  conversations: sql`
    SELECT k.conversation_id FROM subscriptions o JOIN channels k ON k.id = o.channel_id
     WHERE o.user_id = ${readerId} AND o.is_muted`,
});

const directConversations = (readerId: number) => sql`
  SELECT id AS conversation_id FROM conversations
   WHERE kind = 'direct' AND people @> ARRAY[${readerId}]::int[]`;

/** What is not unread: read, in a channel that the reader has left, or never received but flagged. */
const readPlaces = (readerId: number, scope: Scope): Source => ({
  spans: selectReadSpans(readerId, conversationIdsOf(scope)),
  conversations: sql`SELECT id AS conversation_id FROM unnest(${scope.channels
    .filter(({ isSubscribed }) => !isSubscribed)
    .map(({ conversationId }) => conversationId)}::int[]) AS id`,
  flags: SHOWN_BITS | FLAG.called,
});
