// Queries for messages as one reader sees them. They are shared, so that every route shows the same message with the
// same flags.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { VISIBILITY } from '../../conversations/topics/automatic-rules.ts';
import { FLAG, MENTION_BITS, SHOWN_BITS } from './flags.ts';
import {
  EDITS_SHOWN,
  EDITS_SHOWN_BYTES,
  MESSAGE_FRAME_BYTES,
  REACTION_BYTES,
  REACTIONS_MAX,
  SUBMESSAGES_BYTES,
  SUBMESSAGES_MAX,
  SUBMESSAGE_FRAME_BYTES,
} from './limits.ts';
import type { ChannelForReader } from './channels-for-reader.ts';
import { fromMessagesById, fromMessagesIn } from './joins.ts';

/** The reader was subscribed when it was sent. In a direct conversation this is always true. */
export const IS_RECEIVED = sql<boolean>`(c.id IS NULL OR coalesce(hs.received @> m.seq, false))`;

/** The reader is a bot that was called to it, and the message has not moved since. */
const IS_CALLED = sql<boolean>`(coalesce(f.flags & ${sql.lit(FLAG.called)}, 0) <> 0
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

/** A person as stored; what a reader sees of them is decided in object.ts. */
export interface PersonBrief {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly emailVisibility: number;
}

export interface ReactionRow {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user_id: number;
  readonly user: PersonBrief;
}

export interface SubmessageRow {
  readonly id: number;
  readonly message_id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  readonly content: string;
}

/** One change of a message, without HTML: only the history shows that. */
export interface EditRow {
  readonly user_id: number;
  readonly timestamp: number;
  readonly prev_content: string | null;
  readonly prev_topic: string | null;
  readonly topic: string | null;
  readonly prev_channel_id: number | null;
  readonly channel_id: number | null;
}

export interface MessageRow {
  readonly id: number;
  readonly conversationId: number;
  readonly homeId: number;
  readonly seq: number;
  readonly placeSeq: number;
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

/**
 * The approximate size of a message `m` in an answer. The lengths of stored texts are known without reading them;
 * attached rows count up to the limits at which they are cut.
 */
export const BYTES_OF_MESSAGE = sql<number>`(
  ${sql.lit(MESSAGE_FRAME_BYTES)} + octet_length(m.content) + octet_length(m.rendered)
  + ${sql.lit(REACTION_BYTES)} * (SELECT count(*) FROM reactions r WHERE r.message_id = m.id)
  + (SELECT least(${sql.lit(SUBMESSAGES_BYTES)},
            coalesce(sum(octet_length(x.content) + ${sql.lit(SUBMESSAGE_FRAME_BYTES)}), 0))
       FROM submessages x WHERE x.message_id = m.id)
  + CASE WHEN m.edited_at IS NULL THEN 0 ELSE ${sql.lit(EDITS_SHOWN_BYTES)} END)::int`;

/** As the database returns it. */
export type RawRow = Omit<MessageRow, 'id' | 'seq' | 'placeSeq'> & {
  readonly id: bigint;
  readonly seq: bigint;
  readonly placeSeq: bigint;
};

/** The row of a person under this name. */
const brief = (users: RawBuilder<unknown>): RawBuilder<unknown> => sql`jsonb_build_object(
  'id', ${users}.id, 'email', ${users}.email, 'fullName', ${users}.full_name,
  'emailVisibility', ${users}.email_visibility)`;
const PERSON = brief(sql`u`);

/**
 * The statement for messages as the reader sees them; `ids` is an array of ids in SQL. The caller has checked that they
 * may be read. Attached rows are cut at their limits, because an earlier release let them grow beyond.
 */
export const selectMessageRows = (
  readerId: number,
  ids: RawBuilder<unknown>,
): RawBuilder<RawRow> => sql<RawRow>`
    SELECT m.id, m.conversation_id, m.home_id, m.seq, m.place_seq,
           c.id AS channel_id, c.name AS channel_name,
           CASE WHEN c.id IS NULL THEN
             (SELECT jsonb_agg(${PERSON} ORDER BY u.id) FROM conversations d
                JOIN users u ON u.id = ANY (d.people) WHERE d.id = m.conversation_id) END AS people,
           m.sender_id, ${brief(sql`sender`)} AS sender,
           sender.avatar_version AS sender_avatar_version,
           m.topic, m.topic_links, m.content, m.rendered, m.client, m.sent_at, m.edited_at, m.moved_at,
           m.mentions_everyone,
           coalesce((SELECT jsonb_agg(jsonb_build_object('emoji_name', r.emoji_name,
                              'emoji_code', r.emoji_code, 'reaction_type', r.reaction_type,
                              'user_id', r.user_id, 'user', ${PERSON}) ORDER BY r.id)
                       FROM (SELECT * FROM reactions WHERE message_id = m.id
                              ORDER BY id LIMIT ${REACTIONS_MAX}) r
                       JOIN users u ON u.id = r.user_id), '[]') AS reactions,
           coalesce((SELECT jsonb_agg(jsonb_build_object('id', x.id, 'message_id', x.message_id,
                              'sender_id', x.sender_id, 'msg_type', x.msg_type,
                              'content', x.content) ORDER BY x.id)
                       FROM (SELECT *, sum(octet_length(content) + ${SUBMESSAGE_FRAME_BYTES})
                                         OVER (ORDER BY id) AS bytes
                               FROM submessages WHERE message_id = m.id
                              ORDER BY id LIMIT ${SUBMESSAGES_MAX}) x
                      WHERE x.bytes <= ${SUBMESSAGES_BYTES}), '[]') AS submessages,
           CASE WHEN m.edited_at IS NULL AND m.moved_at IS NULL
                 AND NOT EXISTS (SELECT FROM message_edits e WHERE e.message_id = m.id) THEN '[]'::jsonb
           ELSE coalesce((SELECT jsonb_agg(jsonb_build_object('user_id', e.user_id,
                            'timestamp', floor(extract(epoch FROM e.at))::bigint,
                            'prev_content', e.prev_content,
                            'prev_topic', e.prev_topic, 'topic', e.topic,
                            'prev_channel_id', e.prev_channel_id,
                            'channel_id', e.channel_id) ORDER BY e.id)
                       FROM (SELECT *, row_number() OVER (ORDER BY id DESC) AS nth,
                                    sum(coalesce(octet_length(prev_content), 0))
                                      OVER (ORDER BY id DESC) AS bytes
                               FROM message_edits WHERE message_id = m.id
                              ORDER BY id DESC LIMIT ${EDITS_SHOWN}) e
                      WHERE e.nth = 1 OR e.bytes <= ${EDITS_SHOWN_BYTES}), '[]') END AS edits,
           (${IS_RECEIVED} OR ${IS_CALLED}) AS is_received, ${IS_UNREAD} AS is_unread, coalesce(f.flags, 0) AS bits
      FROM ${fromMessagesIn(readerId, ids, ['c', 's', 'hs', 'w', 'b', 'f'])}
      JOIN users sender ON sender.id = m.sender_id`;

export const messageRowOf = (row: RawRow): MessageRow => ({
  ...row,
  id: Number(row.id),
  seq: Number(row.seq),
  placeSeq: Number(row.placeSeq),
});

/** These messages as the reader sees them, ascending. The caller has checked that they may be read. */
export async function listMessageRows(
  db: Db,
  readerId: number,
  ids: readonly number[],
): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<RawRow>`
    ${selectMessageRows(readerId, sql`${[...ids]}::bigint[]`)} ORDER BY m.id`.execute(db);
  return rows.map(messageRowOf);
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

/** These messages as the reader has marked them, ascending. */
export async function listReadStates(
  db: Db,
  readerId: number,
  ids: readonly number[],
): Promise<ReadState[]> {
  const { rows } = await sql<Omit<ReadState, 'id' | 'seq'> & { id: bigint; seq: bigint }>`
    SELECT m.id, m.home_id, m.seq, c.id AS channel_id, coalesce(s.is_active, false) AS is_subscribed,
           d.people, m.topic, ${IS_UNREAD} AS is_unread, ${IS_RECEIVED} AS is_received,
           ${IS_MENTIONED} AS is_mentioned, ${IS_MUTED} AS is_muted
      FROM ${fromMessagesById(readerId, ids)}
      LEFT JOIN conversations d ON d.id = m.conversation_id AND d.kind = 'direct'
     ORDER BY m.id`.execute(db);
  return rows.map((row) => ({ ...row, id: Number(row.id), seq: Number(row.seq) }));
}
