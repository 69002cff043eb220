// The last message of a topic.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { keyOf } from '../../conversations/topics/names.ts';
import { PLANNED_EACH_TIME } from '../../../platform/db/prepared.ts';

export async function findNewestInTopic(
  db: Db,
  conversationId: number,
  topic: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT ${PLANNED_EACH_TIME} id FROM messages
     WHERE conversation_id = ${conversationId} AND lower(topic) = ${keyOf(conversationId, topic)}
     ORDER BY id DESC LIMIT 1`.execute(db);
  return rows[0] && Number(rows[0].id);
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
     WHERE conversation_id = ${conversationId} AND lower(topic) = ${keyOf(conversationId, topic)}
     ORDER BY id DESC LIMIT 1`.execute(db);
  const row = rows[0];
  return row && { ...row, id: Number(row.id), placeSeq: Number(row.placeSeq) };
}
