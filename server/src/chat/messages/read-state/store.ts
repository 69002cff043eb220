// Reads and writes watermarks and bitmaps, and the counters of conversations.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { Block, MarkChanges } from './marks.ts';

// Numbers of messages in a conversation stay far below 2^53, so they are exact as JavaScript numbers.

/** The watermarks of these homes, by home. Locks their rows in the order of ids. */
export async function lockMarks(
  tx: Tx,
  userId: number,
  homeIds: readonly number[],
): Promise<Map<number, number>> {
  const ids = [...homeIds];
  await sql`
    INSERT INTO read_marks (user_id, home_id)
    SELECT ${userId}, home_id FROM unnest(${ids}::int[]) AS home_id ORDER BY home_id
    ON CONFLICT DO NOTHING`.execute(tx);
  const rows = await tx
    .selectFrom('readMarks')
    .select(['homeId', 'readThrough'])
    .where('userId', '=', userId)
    .where('homeId', '=', sql<number>`ANY (${ids}::int[])`)
    .orderBy('homeId')
    .forUpdate()
    .execute();
  return new Map(rows.map(({ homeId, readThrough }) => [homeId, Number(readThrough)]));
}

/** The bitmaps of these blocks; null for a block without a row. */
export async function findBlocks(
  db: Db,
  userId: number,
  homeId: number,
  blocks: readonly number[],
): Promise<Map<number, Block>> {
  const found = new Map<number, Block>(blocks.map((block) => [block, null]));
  if (blocks.length === 0) return found;
  const rows = await db
    .selectFrom('readBlocks')
    .select(['block', 'bits'])
    .where('userId', '=', userId)
    .where('homeId', '=', homeId)
    .where('block', '=', sql<number>`ANY (${[...blocks]}::int[])`)
    .execute();
  for (const { block, bits } of rows) found.set(block, bits);
  return found;
}

/** Writes only what changed. */
export async function writeMarks(
  tx: Tx,
  userId: number,
  homeId: number,
  before: number,
  { readThrough, upserts, deletes }: MarkChanges,
): Promise<void> {
  if (readThrough !== before) {
    await tx
      .updateTable('readMarks')
      .set({ readThrough: BigInt(readThrough) })
      .where('userId', '=', userId)
      .where('homeId', '=', homeId)
      .execute();
  }
  if (deletes.length > 0) {
    await tx
      .deleteFrom('readBlocks')
      .where('userId', '=', userId)
      .where('homeId', '=', homeId)
      .where('block', '=', sql<number>`ANY (${[...deletes]}::int[])`)
      .execute();
  }
  if (upserts.size > 0) {
    const bits = [...upserts.values()].map((bytes) => Buffer.from(bytes));
    await sql`
      INSERT INTO read_blocks (user_id, home_id, block, bits)
      SELECT ${userId}, ${homeId}, block, bits
        FROM unnest(${[...upserts.keys()]}::int[], ${bits}::bytea[]) AS given (block, bits)
      ON CONFLICT (user_id, home_id, block) DO UPDATE SET bits = excluded.bits`.execute(tx);
  }
}

/** Marks everything sent to this home as read for these people. */
export async function markAllThroughHead(
  tx: Tx,
  userIds: readonly number[],
  homeId: number,
): Promise<void> {
  const wanted = sql`${[...userIds]}::int[]`;
  await sql`
    INSERT INTO read_marks (user_id, home_id, read_through)
    SELECT user_id, n.conversation_id, n.seq
      FROM unnest(${wanted}) AS user_id, conversation_counters n
     WHERE n.conversation_id = ${homeId} ORDER BY user_id
    ON CONFLICT (user_id, home_id) DO UPDATE SET read_through = excluded.read_through`.execute(tx);
  await sql`
    DELETE FROM read_blocks WHERE home_id = ${homeId} AND user_id = ANY (${wanted})`.execute(tx);
}

/**
 * Marks everything sent to these homes as read for the person. The caller has locked the person's marks, and nobody
 * can have read beyond the head, so no mark is lost.
 */
export async function markHomesThroughHead(
  tx: Tx,
  userId: number,
  homeIds: readonly number[],
): Promise<void> {
  const wanted = sql`${[...homeIds]}::int[]`;
  await sql`
    UPDATE read_marks w SET read_through = n.seq
      FROM conversation_counters n
     WHERE w.user_id = ${userId} AND w.home_id = ANY (${wanted}) AND n.conversation_id = w.home_id
       AND w.read_through < n.seq`.execute(tx);
  await sql`
    DELETE FROM read_blocks WHERE user_id = ${userId} AND home_id = ANY (${wanted})`.execute(tx);
}

/**
 * Returns when all sends to these conversations that had begun are committed. It waits for one conversation at a time
 * and holds each lock only during the statement, so others keep sending.
 */
export async function awaitSends(db: Db, conversationIds: readonly number[]): Promise<void> {
  const still = await sql<{ conversationId: number }>`
    SELECT conversation_id FROM conversation_counters
     WHERE conversation_id = ANY (${[...conversationIds]}::int[])
       FOR SHARE SKIP LOCKED`.execute(db);
  const quiet = new Set(still.rows.map(({ conversationId }) => conversationId));
  for (const busy of conversationIds.filter((id) => !quiet.has(id))) {
    await sql`
      SELECT FROM conversation_counters WHERE conversation_id = ${busy} FOR SHARE`.execute(db);
  }
}

/** Every conversation in which the person can have received something. */
export async function listConversations(db: Db, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT c.conversation_id AS id FROM subscriptions s JOIN channels c ON c.id = s.channel_id
     WHERE s.user_id = ${userId}
    UNION
    SELECT id FROM conversations WHERE kind = 'direct' AND people @> ARRAY[${userId}]::int[]
     ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The latest message number of each of these conversations. */
export async function listConversationHeads(
  db: Db,
  homeIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('conversationCounters')
    .select(['conversationId', 'seq'])
    .where('conversationId', '=', sql<number>`ANY (${[...homeIds]}::int[])`)
    .execute();
  return new Map(rows.map(({ conversationId, seq }) => [conversationId, Number(seq)]));
}

/**
 * The first message after `seq` that exists and that the person received. Numbers in between are holes, which never
 * count as unread.
 */
export async function findNextReceived(
  db: Db,
  userId: number,
  homeId: number,
  seq: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ seq: bigint }>`
    ${selectNextReceived(userId, sql`${homeId}::int`, sql`${seq}::bigint`)}`.execute(db);
  return rows[0] === undefined ? undefined : Number(rows[0].seq);
}

/** The same as a statement. */
export const selectNextReceived = (
  userId: number,
  homeId: RawBuilder<unknown>,
  seq: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
    SELECT found.seq
      FROM unnest(coalesce(
             (SELECT s.received FROM channels c
                JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = ${userId}
               WHERE c.conversation_id = ${homeId}),
             '{[1,)}'::int8multirange)) AS stretch,
           LATERAL (SELECT m.seq FROM messages m
                     WHERE m.home_id = ${homeId} AND m.seq > ${seq} AND m.seq >= lower(stretch)
                       AND (upper_inf(stretch) OR m.seq < upper(stretch))
                     ORDER BY m.seq LIMIT 1) AS found
     ORDER BY found.seq LIMIT 1`;

/** The numbers of messages that were sent there and have moved elsewhere. */
export async function listMovedAway(db: Db, homeId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('messages')
    .select('seq')
    .where('homeId', '=', homeId)
    .whereRef('conversationId', '<>', 'homeId')
    .execute();
  return rows.map(({ seq }) => Number(seq));
}

/** Messages that were sent elsewhere and have moved there. */
export async function listMovedIn(
  db: Db,
  conversationId: number,
): Promise<{ readonly homeId: number; readonly seq: number }[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['homeId', 'seq'])
    .where('conversationId', '=', conversationId)
    .whereRef('conversationId', '<>', 'homeId')
    .execute();
  return rows.map(({ homeId, seq }) => ({ homeId, seq: Number(seq) }));
}
