// Queries for messages as one reader sees them. They are shared, so that every route shows the same message with the
// same flags.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { VISIBILITY } from '../../conversations/topics/automatic-rules.ts';
import { NAME, selectTitles } from '../../conversations/topics/names.ts';
import { FLAG, MENTION_BITS, SHOWN_BITS } from './flags.ts';
import {
  EDITS_SHOWN_BYTES,
  MESSAGE_FRAME_BYTES,
  REACTION_BYTES,
  SUBMESSAGES_BYTES,
  SUBMESSAGE_FRAME_BYTES,
} from './limits.ts';
import {
  ATTACHED,
  ATTACHED_TABLES,
  openAttached,
  type Attached,
  type EditRow,
  type PersonBrief,
  type ReactionRow,
  type SubmessageRow,
} from './attached.ts';
import type { ChannelForReader } from './channels-for-reader.ts';
import { fromMessagesById } from './joins.ts';
import { selectPlaces, type KnownChannels } from './known-channels.ts';
import { CAME, isSince } from './renames.ts';

/** The reader was subscribed when it was sent. In a direct conversation this is always true. */
export const IS_RECEIVED = sql<boolean>`(c.id IS NULL OR coalesce(hs.received @> m.seq, false))`;

/** The reader is a bot that was called to it, and the message has not moved since. */
export const IS_CALLED = sql<boolean>`(coalesce(f.flags & ${sql.lit(FLAG.called)}, 0) <> 0
  AND m.conversation_id = m.home_id)`;

const IS_READ = sql<boolean>`(CASE WHEN b.bits IS NULL THEN m.seq <= coalesce(w.read_through, 0)
  ELSE get_bit(b.bits, m.seq % 8192) = 1 END)`;

/** A message that the reader did not receive is never unread; nor is one in a channel without a subscription. */
export const IS_UNREAD = sql<boolean>`(${IS_RECEIVED} AND NOT ${IS_READ}
  AND (c.id IS NULL OR coalesce(s.is_active, false)))`;

/** The reader received it, has a flag on it, or was called to it. */
export const IS_OWN = sql<boolean>`(${IS_RECEIVED}
  OR coalesce(f.flags & ${sql.lit(SHOWN_BITS | FLAG.called)}, 0) <> 0)`;

/** Muted as a topic, or with its channel unless the topic is not. `t` is what the reader set for the topic. */
export const isTopicMuted = (isChannelMuted: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(coalesce(t.visibility_policy, 0) = ${sql.lit(VISIBILITY.muted)}
    OR (${isChannelMuted} AND coalesce(t.visibility_policy, 0)
      NOT IN (${sql.lit(VISIBILITY.unmuted)}, ${sql.lit(VISIBILITY.followed)})))`;

export const IS_MUTED = sql<boolean>`(c.id IS NOT NULL
  AND ${isTopicMuted(sql`coalesce(s.is_muted, false)`)})`;

/** `t` is what the reader set for the topic. */
export const IS_FOLLOWED = sql<boolean>`(coalesce(t.visibility_policy, 0) = ${sql.lit(VISIBILITY.followed)})`;

export const IS_MENTIONED = sql<boolean>`(coalesce(f.flags & ${sql.lit(MENTION_BITS)}, 0) <> 0
  OR (m.mentions_everyone AND ${IS_RECEIVED}))`;

/** Messages that may be read besides those in readable channels. */
export interface Beside {
  /** All direct conversations of the reader. */
  readonly direct?: boolean;
  /** Messages to which the reader, a bot, was called. */
  readonly called?: boolean;
}

/** Whether a message is in one of `channels` and readable there, or is covered by `beside`. */
export function isVisible(
  readerId: number,
  channels: readonly ChannelForReader[],
  { direct = false, called = false }: Beside,
): RawBuilder<boolean> {
  const ids = (wanted: (channel: ChannelForReader) => boolean) =>
    channels
      .filter((channel) => channel.mayRead && wanted(channel))
      .map((channel) => channel.conversationId);
  const open = ids((channel) => !channel.isProtected);
  const kept = ids((channel) => channel.isProtected);
  const parts: RawBuilder<boolean>[] = [];
  if (open.length > 0) parts.push(sql<boolean>`m.conversation_id = ANY (${open}::int[])`);
  if (kept.length > 0) {
    parts.push(sql<boolean>`(m.conversation_id = ANY (${kept}::int[])
      AND coalesce(s.received @> m.place_seq, false))`);
  }
  if (direct) {
    parts.push(sql<boolean>`m.conversation_id IN (SELECT id FROM conversations
      WHERE kind = 'direct' AND people @> ARRAY[${readerId}]::int[])`);
  }
  if (called) parts.push(IS_CALLED);
  if (parts.length === 0) return sql<boolean>`false`;
  return sql<boolean>`(${sql.join(parts, sql` OR `)})`;
}

/** What the message object and its flags are made of. */
export interface ShownRow {
  readonly id: number;
  readonly conversationId: number;
  /** Null for a direct message. */
  readonly channelId: number | null;
  readonly channelName: string | null;
  /** Everybody in a direct conversation, by id; null for a channel message. */
  readonly people: readonly PersonBrief[] | null;
  readonly senderId: number;
  readonly sender: PersonBrief;
  readonly senderAvatarVersion: number;
  readonly topic: string;
  readonly topicLinks: readonly { readonly text: string; readonly url: string }[];
  readonly content: string;
  readonly rendered: string;
  readonly client: string;
  readonly sentAt: Date;
  readonly editedAt: Date | null;
  readonly movedAt: Date | null;
  readonly mentionsEveryone: boolean;
  readonly reactions: readonly ReactionRow[];
  readonly submessages: readonly SubmessageRow[];
  /** Oldest first; if there are many, only the newest ones. */
  readonly edits: readonly EditRow[];
  readonly isReceived: boolean;
  readonly isUnread: boolean;
  readonly bits: number;
}

export interface MessageRow extends ShownRow {
  readonly homeId: number;
  readonly seq: number;
  readonly placeSeq: number;
}

/**
 * The approximate size in an answer of each of these messages, as `found_id` and `bytes`; `ids` is an array in SQL. The
 * lengths of stored texts are known without reading them; attached rows count up to the limits at which they are cut.
 */
export const selectSizes = (ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  SELECT m.id AS found_id,
         (${sql.lit(MESSAGE_FRAME_BYTES)} + octet_length(m.content) + octet_length(m.rendered)
           + ${sql.lit(REACTION_BYTES)} * coalesce(r.count, 0)
           + least(${sql.lit(SUBMESSAGES_BYTES)}, coalesce(x.bytes, 0))
           + CASE WHEN m.edited_at IS NULL THEN 0 ELSE ${sql.lit(EDITS_SHOWN_BYTES)} END)::int AS bytes
    FROM messages m
    LEFT JOIN (SELECT message_id, count(*) AS count FROM reactions
                WHERE message_id = ANY (${ids}) GROUP BY message_id) r ON r.message_id = m.id
    LEFT JOIN (SELECT message_id, sum(octet_length(content) + ${sql.lit(SUBMESSAGE_FRAME_BYTES)}) AS bytes
                 FROM submessages WHERE message_id = ANY (${ids}) GROUP BY message_id) x ON x.message_id = m.id
   WHERE m.id = ANY (${ids})`;

/** As the database returns it: what is attached to all of them comes with one of them. */
type RawRow = Omit<
  MessageRow,
  | 'id'
  | 'seq'
  | 'placeSeq'
  | 'people'
  | 'sender'
  | 'senderAvatarVersion'
  | 'topicLinks'
  | 'reactions'
  | 'submessages'
  | 'edits'
> & {
  readonly id: bigint;
  readonly seq: bigint;
  readonly placeSeq: bigint;
  /** Null if there are none. */
  readonly topicLinks: MessageRow['topicLinks'] | null;
  readonly attached: Attached | null;
};

/** The message was in its topic at the last rename that was no resolving. */
const WAS_RENAMED = isSince(sql`title.came`, sql`title.moved_rename_id`, sql`title.moved_last_id`);

/**
 * The statement for messages as the reader sees them; `ids` is an array of ids in SQL. The caller has checked that they
 * may be read. What depends on the place of a message is read once for each place: most pages have few.
 */
export const selectMessageRows = (
  readerId: number,
  ids: RawBuilder<unknown>,
  known?: KnownChannels,
): RawBuilder<RawRow> => sql<RawRow>`
    WITH asked AS MATERIALIZED (
      SELECT id, conversation_id, home_id, seq, place_seq, sender_id, topic, topic_links, content, rendered, client,
             sent_at, edited_at, moved_at, mentions_everyone
        FROM messages WHERE id = ANY (${ids})
    ), places AS MATERIALIZED (
      SELECT p.*, w.read_through
        FROM (${selectPlaces(sql`(SELECT conversation_id FROM asked UNION SELECT home_id FROM asked)`, readerId, known)}) p
        LEFT JOIN LATERAL (
          SELECT * FROM read_marks WHERE user_id = ${readerId} AND home_id = p.conversation_id OFFSET 0) w ON true
    ), titles AS MATERIALIZED (
      ${selectTitles(sql`(SELECT DISTINCT conversation_id, lower(topic) AS key FROM asked)`)}
    ), titled AS MATERIALIZED (
      SELECT m.id, n.name, n.links, n.last_id, n.moved_at, n.moved_rename_id, n.moved_last_id, ${CAME} AS came
        FROM titles n JOIN asked m ON m.conversation_id = n.conversation_id AND lower(m.topic) = n.key
    ), ${ATTACHED_TABLES}
    SELECT m.id, m.conversation_id, m.home_id, m.seq, m.place_seq,
           c.id AS channel_id, c.name AS channel_name, m.sender_id,
           ${NAME} AS topic,
           nullif(CASE WHEN m.id <= title.last_id THEN title.links ELSE m.topic_links END, '[]') AS topic_links,
           m.content, m.rendered, m.client, m.sent_at, m.edited_at,
           greatest(m.moved_at, CASE WHEN ${WAS_RENAMED} THEN title.moved_at END) AS moved_at, m.mentions_everyone,
           (${IS_RECEIVED} OR ${IS_CALLED}) AS is_received, ${IS_UNREAD} AS is_unread, coalesce(f.flags, 0) AS bits,
           CASE WHEN m.id = (SELECT min(id) FROM asked) THEN ${ATTACHED} END AS attached
      FROM asked m
      LEFT JOIN places c ON c.conversation_id = m.conversation_id
      LEFT JOIN LATERAL (SELECT c.is_active) s ON true
      LEFT JOIN titled title ON title.id = m.id
      LEFT JOIN places hs ON hs.conversation_id = m.home_id
      LEFT JOIN LATERAL (SELECT hs.read_through) w ON true
      LEFT JOIN LATERAL (SELECT * FROM read_blocks WHERE user_id = ${readerId} AND home_id = m.home_id
         AND block = (m.seq / 8192)::int OFFSET 0) b ON true
      LEFT JOIN LATERAL (
        SELECT * FROM message_flags WHERE user_id = ${readerId} AND message_id = m.id OFFSET 0) f ON true`;

/** The messages of one statement. */
function messageRowsOf(rows: readonly RawRow[]): MessageRow[] {
  const attached = rows.find((row) => row.attached !== null)?.attached;
  if (attached === null || attached === undefined) return [];
  const of = openAttached(attached);
  return rows.map((row) => {
    const id = Number(row.id);
    return {
      id,
      conversationId: row.conversationId,
      homeId: row.homeId,
      seq: Number(row.seq),
      placeSeq: Number(row.placeSeq),
      channelId: row.channelId,
      channelName: row.channelName,
      people: row.channelId === null ? of.peopleIn(row.conversationId) : null,
      senderId: row.senderId,
      sender: of.person(row.senderId),
      senderAvatarVersion: of.avatarVersion(row.senderId),
      topic: row.topic,
      topicLinks: row.topicLinks ?? [],
      content: row.content,
      rendered: row.rendered,
      client: row.client,
      sentAt: row.sentAt,
      editedAt: row.editedAt,
      movedAt: row.movedAt,
      mentionsEveryone: row.mentionsEveryone,
      reactions: of.reactions(id),
      submessages: of.submessages(id),
      edits: of.edits(id),
      isReceived: row.isReceived,
      isUnread: row.isUnread,
      bits: row.bits,
    };
  });
}

/** These messages as the reader sees them, ascending. The caller has checked that they may be read. */
export async function listMessageRows(
  db: Db,
  readerId: number,
  ids: readonly number[],
): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<RawRow>`
    ${selectMessageRows(readerId, sql`${[...ids]}::bigint[]`)} ORDER BY m.id`.execute(db);
  return messageRowsOf(rows);
}

/** Where these messages were sent to, each home once. */
export async function listHomes(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ homeId: number }>`
    SELECT DISTINCT home_id FROM messages WHERE id = ANY (${[...ids]}::bigint[])`.execute(db);
  return rows.map(({ homeId }) => homeId);
}

/** What it takes to mark a message as read or unread, and to tell of it. */
export interface ReadState {
  readonly id: number;
  readonly homeId: number;
  readonly seq: number;
  readonly channelId: number | null;
  readonly isSubscribed: boolean;
  readonly people: readonly number[] | null;
  readonly topic: string;
  readonly isUnread: boolean;
  readonly isReceived: boolean;
  readonly isMentioned: boolean;
  readonly isMuted: boolean;
}

/** The columns of a ReadState, from `fromMessages` with the direct conversation as `d`. */
export const READ_STATE: RawBuilder<unknown> = sql`
  m.id, m.home_id, m.seq, c.id AS channel_id, coalesce(s.is_active, false) AS is_subscribed,
  d.people, ${NAME} AS topic, ${IS_UNREAD} AS is_unread, ${IS_RECEIVED} AS is_received,
  ${IS_MENTIONED} AS is_mentioned, ${IS_MUTED} AS is_muted`;

/** These messages as the reader has marked them, ascending. */
export async function listReadStates(
  db: Db,
  readerId: number,
  ids: readonly number[],
): Promise<ReadState[]> {
  const { rows } = await sql<Omit<ReadState, 'id' | 'seq'> & { id: bigint; seq: bigint }>`
    SELECT ${READ_STATE}
      FROM ${fromMessagesById(readerId, ids)}
      LEFT JOIN conversations d ON d.id = m.conversation_id AND d.kind = 'direct'
     ORDER BY m.id`.execute(db);
  return rows.map((row) => ({ ...row, id: Number(row.id), seq: Number(row.seq) }));
}
