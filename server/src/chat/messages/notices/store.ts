import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

export interface Spot {
  readonly channelId: number;
  readonly conversationId: number;
  readonly name: string;
  readonly topicsPolicy: string;
  readonly isArchived: boolean;
}

export async function findSpot(db: Db, channelId: number): Promise<Spot | undefined> {
  return db
    .selectFrom('channels')
    .select(['id as channelId', 'conversationId', 'name', 'topicsPolicy', 'isArchived'])
    .where('id', '=', channelId)
    .executeTakeFirst();
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

export interface LastMessage {
  readonly id: number;
  readonly placeSeq: number;
  readonly senderId: number;
  readonly content: string;
  readonly sentAt: Date;
}

export async function findLastInTopic(
  db: Db,
  conversationId: number,
  topic: string,
): Promise<LastMessage | undefined> {
  const { rows } = await sql<
    Omit<LastMessage, 'id' | 'placeSeq'> & { id: bigint; placeSeq: bigint }
  >`
    SELECT id, place_seq, sender_id, content, sent_at FROM messages
     WHERE conversation_id = ${conversationId} AND lower(topic) = lower(${topic})
     ORDER BY id DESC LIMIT 1`.execute(db);
  const row = rows[0];
  return row && { ...row, id: Number(row.id), placeSeq: Number(row.placeSeq) };
}
