// Channels as a process remembers them, for statements that would otherwise look them up for every message. Only a
// statement that checks what it relied on may use them (decision 0089).
import { sql, type RawBuilder } from 'kysely';
import type { ChannelForReader } from './channels-for-reader.ts';

/** Lists of the same length: what belongs to one channel stands at the same place in each. */
export interface KnownChannels {
  readonly conversationIds: readonly number[];
  readonly channelIds: readonly number[];
  readonly names: readonly string[];
  readonly subscribed: readonly boolean[];
  /** The reader received the messages from this number on, and before the other; null for no end. */
  readonly from: readonly number[];
  readonly before: readonly (number | null)[];
}

/** A list is searched from its beginning for each new place of a page, and goes along with each statement. */
const KNOWN_MAX = 200;

const NONE: KnownChannels = {
  conversationIds: [],
  channelIds: [],
  names: [],
  subscribed: [],
  from: [],
  before: [],
};

/** Those of the channels that fit: of the others the statement finds out by itself. */
export function knownOf(channels: readonly ChannelForReader[]): KnownChannels {
  if (channels.length > KNOWN_MAX) return NONE;
  const known = channels.filter(({ received }) => received.length <= 1);
  return {
    conversationIds: known.map(({ conversationId }) => conversationId),
    channelIds: known.map(({ channelId }) => channelId),
    names: known.map(({ name }) => name),
    subscribed: known.map(({ isSubscribed }) => isSubscribed),
    from: known.map(({ received: [range] }) => range?.[0] ?? 1),
    before: known.map(({ received: [range] }) => {
      if (range === undefined) return 1;
      return range[1] === Infinity ? null : range[1] + 1;
    }),
  };
}

/** Where the conversation stands in the lists, or null. */
const placeOf = (
  { conversationIds }: KnownChannels,
  conversation: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`array_position(${[...conversationIds]}::int[], ${conversation})`;

/** In place of the channel that a message `m` is in: its `id` alone. */
export const joinKnownChannel = (
  known: KnownChannels,
): RawBuilder<unknown> => sql`LEFT JOIN LATERAL (
    SELECT CASE WHEN k.place IS NULL THEN (SELECT id FROM channels WHERE conversation_id = m.conversation_id)
                ELSE (${[...known.channelIds]}::int[])[k.place] END AS id
      FROM (SELECT ${placeOf(known, sql`m.conversation_id`)} AS place) k OFFSET 0) c ON true`;

/** In place of the reader's subscription where a message `m` was sent: what they `received` there. */
export const joinKnownReceived = (
  known: KnownChannels,
  readerId: number,
): RawBuilder<unknown> => sql`LEFT JOIN LATERAL (
    SELECT CASE WHEN k.place IS NULL THEN (
             SELECT at_home.received FROM channels home JOIN subscriptions at_home ON at_home.channel_id = home.id
              WHERE home.conversation_id = m.home_id AND at_home.user_id = ${readerId})
           ELSE int8multirange(int8range((${[...known.from]}::bigint[])[k.place],
                                         (${[...known.before]}::bigint[])[k.place])) END AS received
      FROM (SELECT ${placeOf(known, sql`m.home_id`)} AS place) k OFFSET 0) hs ON true`;

/**
 * The channel and the reader's subscription of each conversation in `places`: `conversation_id`, the channel's `id` and
 * `name`, `is_active` and `received`.
 */
export const selectPlaces = (
  places: RawBuilder<unknown>,
  readerId: number,
  known: KnownChannels = NONE,
): RawBuilder<unknown> => sql`
  SELECT p.conversation_id, coalesce(k.id, c.id) AS id, coalesce(k.name, c.name) AS name,
         coalesce(k.is_active, s.is_active) AS is_active,
         CASE WHEN k.id IS NULL THEN s.received ELSE int8multirange(int8range(k.first, k.before)) END AS received
    FROM ${places} p
    LEFT JOIN unnest(${[...known.conversationIds]}::int[], ${[...known.channelIds]}::int[], ${[...known.names]}::text[],
                     ${[...known.subscribed]}::boolean[], ${[...known.from]}::bigint[], ${[...known.before]}::bigint[])
           AS k (conversation_id, id, name, is_active, first, before) ON k.conversation_id = p.conversation_id
    LEFT JOIN LATERAL (
      SELECT * FROM channels WHERE k.id IS NULL AND conversation_id = p.conversation_id OFFSET 0) c ON true
    LEFT JOIN LATERAL (
      SELECT * FROM subscriptions WHERE channel_id = c.id AND user_id = ${readerId} OFFSET 0) s ON true`;
