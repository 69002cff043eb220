// Writes messages with their numbers, and reads and writes the flags on them.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { keyOf } from './renames.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { FLAG, SHOWN_BITS } from './flags.ts';

// Ids and numbers of messages stay far below 2^53, so they are exact as JavaScript numbers.

export interface NewMessage {
  readonly conversationId: number;
  readonly senderId: number;
  readonly topic: string;
  readonly topicLinks: readonly { readonly text: string; readonly url: string }[];
  readonly content: string;
  readonly rendered: string;
  /** The plain text of the rendered message, for search. */
  readonly text: string;
  readonly client: string;
  readonly sentAt: Date;
  readonly mentionsEveryone: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
}

/** Ids for which there is a partition ahead of time. */
const IDS_AHEAD = 10_000_000;

export async function openPartitions(db: Db): Promise<void> {
  await sql`SELECT ensure_message_partitions(${IDS_AHEAD}::bigint)`.execute(db);
}

export interface Drawn {
  readonly id: number;
  readonly seq: number;
}

/** A message that was written, with the name of its topic: one that was renamed has one spelling for all. */
export interface Inserted extends Drawn {
  readonly topic: string;
}

/** Locks the counters of these conversations. Everybody locks in the order of ids, so that nobody deadlocks. */
export async function lockCounters(tx: Tx, conversationIds: readonly number[]): Promise<void> {
  await tx
    .selectFrom('conversationCounters')
    .select('conversationId')
    .where('conversationId', '=', sql<number>`ANY (${[...conversationIds]}::int[])`)
    .orderBy('conversationId')
    .forUpdate()
    .execute();
}

/**
 * Writes the message under the next number of its conversation, and notes it as the channel's first message if it is.
 * Number and id are drawn while the counter is locked, so both follow the order of commits.
 */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<Inserted> {
  const { rows } = await sql<{ id: bigint; seq: bigint; topic: string }>`
    WITH counted AS (
      UPDATE conversation_counters
         SET seq = seq + 1, last_seq = seq + 1, last_id = nextval('message_ids')
       WHERE conversation_id = ${message.conversationId} RETURNING seq, last_id
    ), noted AS (
      UPDATE channels SET first_message_id = counted.last_id FROM counted
       WHERE conversation_id = ${message.conversationId} AND first_message_id IS NULL
    ), placed AS MATERIALIZED (
      SELECT counted.*, p.* FROM counted CROSS JOIN LATERAL take_topic(${message.conversationId}, ${message.topic}) AS p
    ), written AS (
    INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, topic_links,
                          content, rendered, client, sent_at, mentions_everyone, has_link, has_image,
                          has_attachment, content_words)
    SELECT last_id, ${message.conversationId}, ${message.conversationId}, seq, seq,
           ${message.senderId}, stored, ${JSON.stringify(message.topicLinks)}::jsonb,
           ${message.content}, ${message.rendered}, ${message.client}, ${message.sentAt},
           ${message.mentionsEveryone}, ${message.hasLink}, ${message.hasImage},
           ${message.hasAttachment}, words_of(${message.text})
      FROM placed)
    SELECT last_id AS id, seq, shown AS topic FROM placed`.execute(tx);
  const row = rows[0];
  if (row === undefined) {
    throw new Error(`Conversation ${message.conversationId} has no counter.`);
  }
  return { id: Number(row.id), seq: Number(row.seq), topic: row.topic };
}

/** A message's first submessage makes it a poll or a to-do list. */
export async function insertWidget(
  tx: Tx,
  messageId: number,
  senderId: number,
  content: string,
): Promise<void> {
  await tx
    .insertInto('submessages')
    .values({ messageId: BigInt(messageId), senderId, msgType: 'widget', content })
    .execute();
}

/** Draws one number of the conversation, for messages that move there. */
export async function drawPlace(tx: Tx, conversationId: number): Promise<number> {
  const { seq } = await tx
    .updateTable('conversationCounters')
    .set({ seq: sql`seq + 1` })
    .where('conversationId', '=', conversationId)
    .returning('seq')
    .executeTakeFirstOrThrow();
  return Number(seq);
}

/** Claims the client's local id for a message; returns the message that already has it, if any. */
export async function claimEcho(
  tx: Tx,
  senderId: number,
  queueId: string,
  localId: string,
): Promise<number | undefined> {
  // Waits for a duplicate request that is still running, so that only one of them sends.
  const { rows } = await sql<{ messageId: bigint | null }>`
    INSERT INTO local_echoes (sender_id, queue_id, local_id)
    VALUES (${senderId}, ${queueId}, ${localId})
    ON CONFLICT (sender_id, queue_id, local_id) DO UPDATE SET at = local_echoes.at
    RETURNING message_id`.execute(tx);
  const id = rows[0]?.messageId ?? null;
  return id === null ? undefined : Number(id);
}

export async function storeEcho(
  tx: Tx,
  senderId: number,
  queueId: string,
  localId: string,
  messageId: number,
): Promise<void> {
  await tx
    .updateTable('localEchoes')
    .set({ messageId: BigInt(messageId) })
    .where('senderId', '=', senderId)
    .where('queueId', '=', queueId)
    .where('localId', '=', localId)
    .execute();
}

/** How many went. */
export async function deleteOldEchoes(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM local_echoes WHERE at < now() - interval '1 day'`.execute(db);
  return Number(numAffectedRows);
}

/** Adds these bits to these people's flags on the message. */
export async function addFlags(
  tx: Tx,
  messageId: number,
  bits: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await sql`
    INSERT INTO message_flags (user_id, message_id, flags)
    SELECT user_id, ${messageId}, ${bits} FROM unnest(${[...userIds]}::int[]) AS user_id
    ON CONFLICT (user_id, message_id)
    DO UPDATE SET flags = message_flags.flags | excluded.flags`.execute(tx);
}

/** Removes these bits from everybody's flags on the message. */
export async function clearFlags(tx: Tx, messageId: number, bits: number): Promise<void> {
  await sql`
    DELETE FROM message_flags
     WHERE message_id = ${messageId} AND flags & ~${bits}::int = 0`.execute(tx);
  await sql`
    UPDATE message_flags SET flags = flags & ~${bits}::int
     WHERE message_id = ${messageId} AND flags & ${bits} <> 0`.execute(tx);
}

/** Finds the new first message of a channel after messages left it or were deleted. */
export async function renewFirstMessage(
  tx: Tx,
  channelId: number,
): Promise<{ readonly isChanged: boolean; readonly firstMessageId: number | null }> {
  const { rows } = await sql<{ before: bigint | null; after: bigint | null }>`
    WITH found AS (
      SELECT c.id, c.first_message_id AS before,
             (SELECT min(m.id) FROM messages m WHERE m.conversation_id = c.conversation_id) AS after
        FROM channels c WHERE c.id = ${channelId}
    ), changed AS (
      UPDATE channels SET first_message_id = found.after FROM found
       WHERE channels.id = found.id AND found.before IS DISTINCT FROM found.after
    )
    SELECT before, after FROM found`.execute(tx);
  const { before, after } = rows[0] ?? { before: null, after: null };
  return { isChanged: before !== after, firstMessageId: after === null ? null : Number(after) };
}

export async function hasTopic(db: Db, conversationId: number, topic: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM messages WHERE conversation_id = ${conversationId} AND lower(topic) = ${keyOf(conversationId, topic)}
     LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Whether the topic has messages besides these. */
export async function hasOthersInTopic(
  db: Db,
  conversationId: number,
  topic: string,
  messageIds: readonly number[],
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM messages
     WHERE conversation_id = ${conversationId} AND lower(topic) = ${keyOf(conversationId, topic)}
       AND id <> ALL (${[...messageIds]}::bigint[])
     LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** People who wrote or reacted in the topic, at most `limit`. */
export async function listParticipants(
  db: Db,
  conversationId: number,
  topic: string,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    WITH there AS (
      SELECT id, sender_id FROM messages
       WHERE conversation_id = ${conversationId} AND lower(topic) = ${keyOf(conversationId, topic)}
    )
    SELECT sender_id AS user_id FROM there
    UNION
    SELECT r.user_id FROM reactions r JOIN there ON there.id = r.message_id
    LIMIT ${limit}`.execute(db);
  return rows.map(({ userId }) => userId);
}

/** The newest message that the person has received anywhere. */
export async function findMaxMessageId(db: Db, userId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: bigint | null }>`
    SELECT max(last_id) AS id FROM (
      SELECT n.last_id FROM subscriptions s
        JOIN channels c ON c.id = s.channel_id
        JOIN conversation_counters n ON n.conversation_id = c.conversation_id
       WHERE s.user_id = ${userId} AND n.last_id > 0 AND s.received @> n.last_seq
      UNION ALL
      SELECT n.last_id FROM conversations d
        JOIN conversation_counters n ON n.conversation_id = d.id
       WHERE d.kind = 'direct' AND d.people @> ARRAY[${userId}]::int[] AND n.last_id > 0
      UNION ALL
      (SELECT f.message_id FROM message_flags f JOIN messages m ON m.id = f.message_id
        WHERE f.user_id = ${userId} AND f.flags & ${sql.lit(FLAG.called)} <> 0
          AND m.conversation_id = m.home_id
        ORDER BY f.message_id DESC LIMIT 1)
    ) AS newest`.execute(db);
  const id = rows[0]?.id ?? null;
  return id === null ? undefined : Number(id);
}

/** Whether the reader, a bot, was ever called to a message. */
export async function hasBeenCalled(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM message_flags
     WHERE user_id = ${userId} AND flags & ${sql.lit(FLAG.called)} <> 0 LIMIT 1`.execute(db);
  return rows.length > 0;
}

export interface Callee {
  readonly userId: number;
  readonly messageIds: readonly number[];
}

/** The bots that may read any of these messages because they were called to it, each with its messages. */
export async function listCalled(db: Db, messageIds: readonly number[]): Promise<Callee[]> {
  const { rows } = await sql<{ userId: number; messageIds: bigint[] }>`
    SELECT f.user_id, array_agg(f.message_id ORDER BY f.message_id) AS message_ids
      FROM message_flags f JOIN messages m ON m.id = f.message_id
     WHERE f.message_id = ANY (${[...messageIds]}::bigint[])
       AND f.flags & ${sql.lit(FLAG.called)} <> 0 AND m.conversation_id = m.home_id
     GROUP BY f.user_id ORDER BY f.user_id`.execute(db);
  return rows.map((row) => ({ userId: row.userId, messageIds: row.messageIds.map(Number) }));
}

/** The person's newest `limit` starred messages, ascending. */
export async function listStarred(db: Db, userId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ messageId: bigint }>`
    SELECT message_id FROM message_flags
     WHERE user_id = ${userId} AND flags & ${sql.lit(FLAG.starred)} <> 0
     ORDER BY message_id DESC LIMIT ${limit}`.execute(db);
  return rows.map(({ messageId }) => Number(messageId)).reverse();
}

/** People with flags on the message. */
export async function listFlagHolders(db: Db, messageId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    SELECT user_id FROM message_flags WHERE message_id = ${messageId} AND flags & ${sql.lit(SHOWN_BITS)} <> 0
     ORDER BY user_id LIMIT ${limit}`.execute(db);
  return rows.map(({ userId }) => userId);
}

/** Locks the counters of these channels as a sender does, in the order of their conversations. */
export async function lockCountersOf(tx: Db, channelIds: readonly number[]): Promise<void> {
  await sql`
    SELECT FROM conversation_counters n JOIN channels c ON c.conversation_id = n.conversation_id
     WHERE c.id = ANY (${[...channelIds]}::int[])
     ORDER BY n.conversation_id FOR UPDATE OF n`.execute(tx);
}

export async function hasMessages(db: Db, conversationId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM messages WHERE conversation_id = ${conversationId} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Whether anybody has written anything. */
export async function hasAnyMessage(db: Db): Promise<boolean> {
  const row = await db.selectFrom('messages').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

export interface RecentMessage {
  readonly homeId: number;
  readonly seq: number;
}

/** The newest messages of these conversations that are where they were sent to, the newest first. */
export async function listRecentAtHome(
  db: Db,
  conversationIds: readonly number[],
  limit: number,
): Promise<RecentMessage[]> {
  if (conversationIds.length === 0) return [];
  const { rows } = await sql<{ homeId: number; seq: bigint }>`
    SELECT m.home_id, m.seq
      FROM unnest(${[...conversationIds]}::int[]) AS c (id)
     CROSS JOIN LATERAL (
       SELECT id, home_id, seq FROM messages
        WHERE conversation_id = c.id AND home_id = c.id ORDER BY id DESC LIMIT ${limit}) AS m
     ORDER BY m.id DESC LIMIT ${limit}`.execute(db);
  return rows.map(({ homeId, seq }) => ({ homeId, seq: Number(seq) }));
}

/** Whether the message is there; it is not deleted until the transaction ends. */
export async function holdMessage(tx: Tx, messageId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('messages')
    .select('id')
    .where('id', '=', BigInt(messageId))
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** One at a time adds to the message: several in parallel would all find room. */
export async function lockMessage(tx: Tx, messageId: number): Promise<void> {
  await tx
    .selectFrom('messages')
    .select('id')
    .where('id', '=', BigInt(messageId))
    .forNoKeyUpdate()
    .execute();
}

/** Returns the ids of those that were there, in no order. */
export async function deleteMessages(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: bigint }>`
    DELETE FROM messages WHERE id = ANY (${[...ids]}::bigint[]) RETURNING id`.execute(tx);
  return rows.map(({ id }) => Number(id));
}

export async function listNewestOfTopic(
  db: Db,
  conversationId: number,
  topic: string,
  limit: number,
): Promise<{ readonly id: number; readonly placeSeq: number }[]> {
  const { rows } = await sql<{ id: bigint; placeSeq: bigint }>`
    SELECT id, place_seq FROM messages
     WHERE conversation_id = ${conversationId} AND lower(topic) = ${keyOf(conversationId, topic)}
     ORDER BY id DESC LIMIT ${limit}`.execute(db);
  return rows.map(({ id, placeSeq }) => ({ id: Number(id), placeSeq: Number(placeSeq) }));
}
