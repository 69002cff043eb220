// Joins a message with what one reader has set and read. The conditions in rows.ts use these names.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { JOIN_TITLE } from '../../conversations/topics/names.ts';
import { joinKnownChannel, joinKnownReceived, type KnownChannels } from './known-channels.ts';

/** A message `m` with the reader's subscription where it is (`s`) and where it was sent (`hs`), and the reader's flags. */
export const fromMessages = (readerId: number): RawBuilder<unknown> => sql`
  messages m
  LEFT JOIN channels c ON c.conversation_id = m.conversation_id
  LEFT JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = ${readerId}
  LEFT JOIN channels hc ON hc.conversation_id = m.home_id
  LEFT JOIN subscriptions hs ON hs.channel_id = hc.id AND hs.user_id = ${readerId}
  LEFT JOIN read_marks w ON w.user_id = ${readerId} AND w.home_id = m.home_id
  LEFT JOIN read_blocks b ON b.user_id = ${readerId} AND b.home_id = m.home_id
                         AND b.block = (m.seq / 8192)::int
  LEFT JOIN message_flags f ON f.user_id = ${readerId} AND f.message_id = m.id
  LEFT JOIN user_topics t ON t.user_id = ${readerId} AND t.channel_id = c.id
                         AND lower(t.topic) = lower(m.topic)`;

/**
 * Each part is fenced (OFFSET 0). Otherwise the planner would compare thousands of join orders, at ten times the cost
 * of the query, although only one order makes sense: from the messages on, as far as the page reaches.
 */
const JOINS: readonly (readonly [string, (readerId: number) => RawBuilder<unknown>])[] = [
  [
    'c',
    () => sql`LEFT JOIN LATERAL (
    SELECT * FROM channels WHERE conversation_id = m.conversation_id OFFSET 0) c ON true`,
  ],
  [
    's',
    (readerId) => sql`LEFT JOIN LATERAL (
    SELECT * FROM subscriptions WHERE channel_id = c.id AND user_id = ${readerId} OFFSET 0) s ON true`,
  ],
  [
    'hs',
    (readerId) => sql`LEFT JOIN LATERAL (
    SELECT at_home.* FROM channels home JOIN subscriptions at_home ON at_home.channel_id = home.id
     WHERE home.conversation_id = m.home_id AND at_home.user_id = ${readerId} OFFSET 0) hs ON true`,
  ],
  [
    'w',
    (readerId) => sql`LEFT JOIN LATERAL (
    SELECT * FROM read_marks WHERE user_id = ${readerId} AND home_id = m.home_id OFFSET 0) w ON true`,
  ],
  [
    'b',
    (readerId) => sql`LEFT JOIN LATERAL (
    SELECT * FROM read_blocks WHERE user_id = ${readerId} AND home_id = m.home_id
       AND block = (m.seq / 8192)::int OFFSET 0) b ON true`,
  ],
  [
    'f',
    (readerId) => sql`LEFT JOIN LATERAL (
    SELECT * FROM message_flags WHERE user_id = ${readerId} AND message_id = m.id OFFSET 0) f ON true`,
  ],
  ['title', () => JOIN_TITLE],
  [
    't',
    (readerId) => sql`LEFT JOIN LATERAL (
    SELECT * FROM user_topics WHERE user_id = ${readerId} AND channel_id = c.id
       AND lower(topic) = lower(m.topic) OFFSET 0) t ON true`,
  ],
];

/** What `fromMessages` joins, for these messages. */
export const fromMessagesById = (
  readerId: number,
  ids: readonly number[],
): RawBuilder<unknown> => sql`
  (SELECT * FROM messages WHERE id = ANY (${[...ids]}::bigint[]) OFFSET 0) m
  ${sql.join(
    JOINS.map(([, join]) => join(readerId)),
    sql` `,
  )}`;

/** Joined to `m` before the others, because they refer to the channel. */
const OF_CHANNEL = /\b[st]\./;
const MORE_OF_CHANNEL = /\bc\.(?!id\b)/;

/**
 * The joins that a condition on `m` needs: those whose names are in its text. A text of ours has no values in it, so a
 * name before a dot is always one of these.
 */
export function joinsFor(
  db: Db,
  readerId: number,
  condition: RawBuilder<unknown>,
  known?: KnownChannels,
): RawBuilder<unknown> {
  const text = condition.compile(db).sql;
  const isNamed = (name: string) =>
    new RegExp(`\\b${name}\\.`).test(text) || (name === 'c' && OF_CHANNEL.test(text));
  const wanted = JOINS.filter(([name]) => isNamed(name)).map(([name, join]) => {
    if (known !== undefined && name === 'hs') return joinKnownReceived(known, readerId);
    // More than the id of a channel is not known.
    if (known !== undefined && name === 'c' && !MORE_OF_CHANNEL.test(text)) {
      return joinKnownChannel(known);
    }
    return join(readerId);
  });
  return wanted.length === 0 ? sql`` : sql.join(wanted, sql` `);
}
