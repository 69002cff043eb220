// The queue of conversations by the time when their oldest message may be due, and what a look at one of them reads.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { JOIN_TITLE, NAME } from '../../conversations/topics/names.ts';

/**
 * Conversations that may have a message past its time, those that have waited longest first; at most `limit`. Each of
 * both rules has an index in the order of time, so this reads what is due and one row more.
 */
export async function listDue(
  db: Db,
  { nowMs, organizationDays, limit }: { nowMs: number; organizationDays: number; limit: number },
): Promise<number[]> {
  const beforeMs = organizationDays > 0 ? nowMs - organizationDays * DAY_MS : null;
  const { rows } = await sql<{ conversationId: number }>`
    SELECT conversation_id FROM (
      (SELECT conversation_id, oldest_ms - ${beforeMs}::bigint AS due FROM retention_queue
        WHERE days IS NULL AND oldest_ms < ${beforeMs}::bigint ORDER BY oldest_ms LIMIT ${limit})
      UNION ALL
      (SELECT conversation_id, oldest_ms + days * 86400000::bigint - ${nowMs}::bigint FROM retention_queue
        WHERE days > 0 AND oldest_ms + days * 86400000::bigint < ${nowMs}::bigint
        ORDER BY oldest_ms + days * 86400000::bigint LIMIT ${limit})) AS queued
     ORDER BY due, conversation_id LIMIT ${limit}`.execute(db);
  return rows.map(({ conversationId }) => conversationId);
}

export interface Kept {
  readonly conversationId: number;
  /** For how many days messages are kept. Null: as the organization has set it. */
  readonly days: number | null;
  readonly people: readonly number[] | null;
  readonly channelId: number | null;
  readonly name: string | null;
  readonly isProtected: boolean;
}

export async function findKept(db: Db, conversationId: number): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    SELECT d.id AS conversation_id, c.message_retention_days AS days, d.people, c.id AS channel_id, c.name,
           NOT coalesce(c.history_public_to_subscribers OR c.is_web_public, true) AS is_protected
      FROM conversations d
      LEFT JOIN channels c ON c.conversation_id = d.id
     WHERE d.id = ${conversationId}`.execute(db);
  return rows[0];
}

export interface Oldest {
  readonly id: number;
  readonly placeSeq: number;
  readonly topic: string;
  readonly sentMs: number;
}

/** The first messages of a conversation. Ids grow with time, so these are the oldest. */
export async function listOldest(db: Db, conversationId: number, limit: number): Promise<Oldest[]> {
  const { rows } = await sql<{ id: bigint; placeSeq: bigint; topic: string; sentAt: Date }>`
    SELECT m.id, m.place_seq, ${NAME} AS topic, m.sent_at
      FROM (SELECT id, conversation_id, place_seq, topic, sent_at FROM messages
             WHERE conversation_id = ${conversationId} ORDER BY id LIMIT ${limit}) AS m ${JOIN_TITLE}
     ORDER BY m.id`.execute(db);
  return rows.map((row) => ({
    id: Number(row.id),
    placeSeq: Number(row.placeSeq),
    topic: row.topic,
    sentMs: row.sentAt.getTime(),
  }));
}

/** Notes that no message of the conversation is older. The caller has locked its counter. */
export async function requeue(tx: Tx, conversationId: number, oldestMs: number): Promise<void> {
  await tx
    .updateTable('retentionQueue')
    .set({ oldestMs: BigInt(oldestMs) })
    .where('conversationId', '=', conversationId)
    .execute();
}
