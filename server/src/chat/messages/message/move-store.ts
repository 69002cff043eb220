// Finds the messages that an edit moves, and writes the move. No row of any reader is touched.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { JOIN_TITLE, keyOf, NAME } from '../../conversations/topics/names.ts';
import type { ChannelForReader } from './channels-for-reader.ts';
import { fromMessages } from './joins.ts';
import { CAME, renamesOf } from './renames.ts';
import { isVisible } from './rows.ts';

/** Which messages of the topic move with the one that was named. */
export type PropagateMode = 'change_one' | 'change_later' | 'change_all';

export interface Movable {
  readonly id: number;
  readonly sentAt: Date;
  readonly placeSeq: number;
}

/** A message, its channel as the actor has it, and which messages of its topic move with it. */
export interface Asked {
  readonly actorId: number;
  readonly message: {
    readonly id: number;
    readonly conversationId: number;
    readonly topic: string;
  };
  readonly channel: ChannelForReader;
  readonly mode: PropagateMode;
}

/** The named message and those of its topic that move with it and that the actor may read. */
function areAsked({ actorId, message, channel, mode }: Asked): RawBuilder<boolean> {
  const which =
    mode === 'change_one'
      ? sql<boolean>`m.id = ${message.id}`
      : sql<boolean>`m.conversation_id = ${message.conversationId}
          AND lower(m.topic) = ${keyOf(message.conversationId, message.topic)}
          AND ${mode === 'change_later' ? sql<boolean>`m.id >= ${message.id}` : sql<boolean>`true`}`;
  return sql<boolean>`${which} AND ${isVisible(actorId, [channel], {})}`;
}

/** The numbers of the messages that somebody may read in a channel, as PostgreSQL writes them; null for all. */
export type Readable = string | null;

export const readableIn = ({
  isProtected,
  received,
}: Pick<ChannelForReader, 'isProtected' | 'received'>): Readable =>
  isProtected
    ? `{${received.map(([from, through]) => `[${from},${through === Infinity ? '' : through + 1})`).join(',')}}`
    : null;

export interface Stretch {
  readonly conversationId: number;
  readonly topic: string;
  readonly afterId: number;
  readonly readable: Readable;
}

/**
 * The first messages of the stretch, at most `limit`, ascending. Locks their rows. The caller has locked the topic's
 * conversation, so no message is added meanwhile.
 */
export async function listNextOfTopic(
  tx: Tx,
  { conversationId, topic, afterId, readable }: Stretch,
  limit: number,
): Promise<Movable[]> {
  const { rows } = await sql<{ id: bigint; sentAt: Date; placeSeq: bigint }>`
    SELECT id, sent_at, place_seq
      FROM next_of_topic(${conversationId}, ${topic}, ${afterId}, ${readable}::int8multirange, ${limit})
     ORDER BY id`.execute(tx);
  return rows.map((row) => ({
    id: Number(row.id),
    sentAt: row.sentAt,
    placeSeq: Number(row.placeSeq),
  }));
}

export interface Counted {
  readonly total: number;
  /** How many of them were sent since the given time, and the first of those. */
  readonly since: number;
  readonly firstSince: number | undefined;
}

/** Counts all messages that move. It may take long, so the caller holds no lock. */
export async function countMovable(db: Db, asked: Asked, since: Date): Promise<Counted> {
  const { rows } = await sql<{ total: number; since: number; firstSince: bigint | null }>`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE m.sent_at >= ${since})::int AS since,
           min(m.id) FILTER (WHERE m.sent_at >= ${since}) AS first_since
      FROM ${fromMessages(asked.actorId)} WHERE ${areAsked(asked)}`.execute(db);
  const { firstSince = null, ...counts } = rows[0] ?? { total: 0, since: 0 };
  return { ...counts, firstSince: firstSince === null ? undefined : Number(firstSince) };
}

export interface MessageMove {
  readonly ids: readonly number[];
  /** Undefined if the topic stays the same. */
  readonly topic: string | undefined;
  readonly topicLinks: readonly unknown[];
  readonly fromChannelId: number;
  /** Undefined if the channel stays the same. */
  readonly to:
    | { readonly channelId: number; readonly conversationId: number; readonly placeSeq: number }
    | undefined;
  /** Resolving a topic does not count as moving its messages. */
  readonly isResolveToggle: boolean;
}

export interface Recorded {
  readonly actorId: number;
  readonly at: Date;
  /** The message whose text changes. */
  readonly reworded: number | undefined;
  readonly move: MessageMove | undefined;
}

/**
 * Writes one row of history for each message that changes, and locks the messages. Must run before they change. Returns
 * false if one of them was deleted meanwhile: no foreign key would notice it.
 */
export async function recordEdit(
  tx: Tx,
  { actorId, at, reworded, move }: Recorded,
): Promise<boolean> {
  const ids = [...new Set([...(reworded === undefined ? [] : [reworded]), ...(move?.ids ?? [])])];
  const isReworded = sql<boolean>`m.id = ${reworded ?? null}::bigint`;
  const isMoved = sql<boolean>`m.id = ANY (${[...(move?.ids ?? [])]}::bigint[])`;
  const topic = move?.topic ?? null;
  const from = move?.to === undefined ? null : move.fromChannelId;
  if (move !== undefined) await keepRenames(tx, move.ids);
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO message_edits (message_id, user_id, at, prev_content, prev_rendered, prev_topic, topic,
                               prev_channel_id, channel_id)
    SELECT m.id, ${actorId}, ${at},
           CASE WHEN ${isReworded} THEN m.content END, CASE WHEN ${isReworded} THEN m.rendered END,
           CASE WHEN ${isMoved} AND ${topic}::text IS NOT NULL THEN ${NAME} END,
           CASE WHEN ${isMoved} THEN ${topic}::text END,
           CASE WHEN ${isMoved} THEN ${from}::int END,
           CASE WHEN ${isMoved} THEN ${move?.to?.channelId ?? null}::int END
      FROM messages m ${JOIN_TITLE} WHERE m.id = ANY (${ids}::bigint[])
     ORDER BY m.id FOR NO KEY UPDATE OF m`.execute(tx);
  return Number(numAffectedRows) === ids.length;
}

/** Messages that leave their topic take its renames along: each becomes a row of their own history. */
async function keepRenames(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`
    INSERT INTO message_edits (message_id, user_id, at, prev_topic, topic, rename_id)
    SELECT m.id, r.user_id, r.at, r.prev_name, r.name, r.id
      FROM (SELECT m.id, m.conversation_id, m.topic, ${CAME} AS came
              FROM messages m ${JOIN_TITLE} WHERE m.id = ANY (${[...ids]}::bigint[]) AND title.key IS NOT NULL) m
     CROSS JOIN LATERAL ${renamesOf(sql`m.came`, sql`ALL`)}
     ORDER BY m.id, r.id`.execute(tx);
}

export async function writeMove(tx: Tx, move: MessageMove, at: Date): Promise<void> {
  const { ids, topic, to } = move;
  // The last rename, other than resolving, that a message takes along.
  const renamedAt = sql`(
    SELECT max(r.at) FROM message_edits e JOIN topic_renames r ON r.id = e.rename_id
     WHERE e.message_id = m.id AND NOT r.is_resolve_toggle)`;
  await sql`
    WITH moved AS MATERIALIZED (
      SELECT m.id, ${topic === undefined ? NAME : sql`${topic}::text`} AS name,
             ${topic === undefined ? sql`CASE WHEN m.id <= title.last_id THEN title.links ELSE m.topic_links END` : sql`${JSON.stringify(move.topicLinks)}::jsonb`} AS links,
             ${move.isResolveToggle ? sql`CASE WHEN title.key IS NULL THEN m.moved_at ELSE greatest(m.moved_at, ${renamedAt}) END` : sql`${at}::timestamptz`} AS moved_at,
             coalesce(${to?.conversationId ?? null}::int, m.conversation_id) AS conversation_id
        FROM messages m ${JOIN_TITLE} WHERE m.id = ANY (${[...ids]}::bigint[])
    ), places AS MATERIALIZED (
      SELECT d.conversation_id, d.name, p.stored
        FROM (SELECT DISTINCT conversation_id, name FROM moved) d
       CROSS JOIN LATERAL take_topic(d.conversation_id, d.name) AS p
    )
    UPDATE messages m SET topic = p.stored, topic_links = v.links, conversation_id = v.conversation_id,
           place_seq = coalesce(${to?.placeSeq ?? null}::bigint, m.place_seq), moved_at = v.moved_at
      FROM moved v JOIN places p USING (conversation_id, name)
     WHERE m.id = v.id AND m.id = ANY (${[...ids]}::bigint[])`.execute(tx);
}

export interface ContentEdit {
  readonly id: number;
  readonly at: Date;
  readonly content: string;
  readonly rendered: string;
  readonly text: string;
  readonly mentionsEveryone: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
}

export async function writeContent(tx: Tx, edit: ContentEdit): Promise<void> {
  await sql`
    UPDATE messages SET content = ${edit.content}, rendered = ${edit.rendered}, edited_at = ${edit.at},
           content_words = words_of(${edit.text}), mentions_everyone = ${edit.mentionsEveryone},
           has_link = ${edit.hasLink}, has_image = ${edit.hasImage},
           has_attachment = ${edit.hasAttachment}
     WHERE id = ${edit.id}`.execute(tx);
}

/** The HTML of the message. Locks it until the transaction ends. */
export async function lockRendered(
  tx: Tx,
  messageId: number,
): Promise<{ readonly rendered: string; readonly senderId: number } | undefined> {
  return tx
    .selectFrom('messages')
    .select(['rendered', 'senderId'])
    .where('id', '=', BigInt(messageId))
    .forUpdate()
    .executeTakeFirst();
}

export async function writeRendered(tx: Tx, messageId: number, html: string): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ rendered: html })
    .where('id', '=', BigInt(messageId))
    .execute();
}

/** As it is stored now. */
export async function doesMentionEveryone(db: Db, messageId: number): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('mentionsEveryone')
    .where('id', '=', BigInt(messageId))
    .executeTakeFirst();
  return row?.mentionsEveryone === true;
}

/** Who has which flags on the message, grouped by flags. */
export async function listHolders(
  db: Db,
  messageId: number,
  limit: number,
): Promise<{ bits: number; user_ids: number[] }[]> {
  const { rows } = await sql<{ bits: number; userIds: number[] }>`
    SELECT flags AS bits, array_agg(user_id ORDER BY user_id) AS user_ids
      FROM (SELECT flags, user_id FROM message_flags
             WHERE message_id = ${messageId} LIMIT ${limit}) AS held
     GROUP BY flags ORDER BY flags`.execute(db);
  return rows.map(({ bits, userIds }) => ({ bits, user_ids: userIds }));
}

/** People with an open queue who received the message and have not read it. */
export async function listUnreadBy(db: Db, messageId: number): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    SELECT q.user_id
      FROM messages m
      JOIN conversations d ON d.id = m.conversation_id
      CROSS JOIN (SELECT DISTINCT user_id FROM event_queues) AS q
      LEFT JOIN channels hc ON hc.conversation_id = m.home_id
      LEFT JOIN subscriptions hs ON hs.channel_id = hc.id AND hs.user_id = q.user_id
      LEFT JOIN channels c ON c.conversation_id = m.conversation_id
      LEFT JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = q.user_id
      LEFT JOIN read_marks w ON w.user_id = q.user_id AND w.home_id = m.home_id
      LEFT JOIN read_blocks b ON b.user_id = q.user_id AND b.home_id = m.home_id
                             AND b.block = (m.seq / 8192)::int
     WHERE m.id = ${messageId}
       AND CASE WHEN c.id IS NULL THEN q.user_id = ANY (d.people)
                ELSE coalesce(s.is_active, false) AND coalesce(hs.received @> m.seq, false) END
       AND CASE WHEN b.bits IS NULL THEN m.seq > coalesce(w.read_through, 0)
                ELSE get_bit(b.bits, m.seq % 8192) = 0 END
     ORDER BY q.user_id`.execute(db);
  return rows.map(({ userId }) => userId);
}
