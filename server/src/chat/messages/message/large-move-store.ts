// Moves that take several steps: what is still to do of each, and the messages of its next step.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { PropagateMode, Readable } from './move-store.ts';

export interface Place {
  readonly conversationId: number;
  readonly topic: string;
}

export interface NewLargeMove {
  readonly actorId: number;
  readonly at: Date;
  readonly from: Place;
  readonly to: Place;
  readonly propagateMode: Exclude<PropagateMode, 'change_one'>;
  readonly isResolveToggle: boolean;
  readonly tellsOldThread: boolean;
  readonly tellsNewThread: boolean;
  readonly joinsOthers: boolean;
  readonly readable: Readable;
  readonly firstId: number;
  readonly afterId: number;
  readonly throughId: number;
  /** How many messages have moved so far. */
  readonly moved: number;
}

export interface LargeMove extends NewLargeMove {
  readonly id: number;
}

export async function insertLargeMove(tx: Tx, move: NewLargeMove): Promise<number> {
  const { id } = await tx
    .insertInto('topicMoves')
    .values({
      actorId: move.actorId,
      at: move.at,
      conversationId: move.from.conversationId,
      topic: move.from.topic,
      toConversationId: move.to.conversationId,
      toTopic: move.to.topic,
      propagateMode: move.propagateMode,
      isResolveToggle: move.isResolveToggle,
      tellsOldThread: move.tellsOldThread,
      tellsNewThread: move.tellsNewThread,
      joinsOthers: move.joinsOthers,
      readable: move.readable,
      firstId: BigInt(move.firstId),
      afterId: BigInt(move.afterId),
      throughId: BigInt(move.throughId),
      moved: move.moved,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return Number(id);
}

/** Whether a move of several steps, from or to one of these topics, has not ended. */
export async function isBeingMoved(tx: Tx, places: readonly Place[]): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM topic_moves v
      JOIN unnest(${places.map(({ conversationId }) => conversationId)}::int[],
                  ${places.map(({ topic }) => topic)}::text[]) AS p (conversation_id, topic)
        ON (v.conversation_id, lower(v.topic)) = (p.conversation_id, lower(p.topic))
        OR (v.to_conversation_id, lower(v.to_topic)) = (p.conversation_id, lower(p.topic))
     LIMIT 1`.execute(tx);
  return rows.length > 0;
}

/** Undefined when it has ended. */
export async function findLargeMove(db: Db, id: number): Promise<LargeMove | undefined> {
  const row = await db
    .selectFrom('topicMoves')
    .selectAll()
    .where('id', '=', BigInt(id))
    .executeTakeFirst();
  return (
    row && {
      id,
      actorId: row.actorId,
      at: row.at,
      from: { conversationId: row.conversationId, topic: row.topic },
      to: { conversationId: row.toConversationId, topic: row.toTopic },
      propagateMode: row.propagateMode as LargeMove['propagateMode'],
      isResolveToggle: row.isResolveToggle,
      tellsOldThread: row.tellsOldThread,
      tellsNewThread: row.tellsNewThread,
      joinsOthers: row.joinsOthers,
      readable: row.readable,
      firstId: Number(row.firstId),
      afterId: Number(row.afterId),
      throughId: Number(row.throughId),
      moved: row.moved,
    }
  );
}

export async function advanceLargeMove(
  tx: Tx,
  id: number,
  { afterId, count }: { readonly afterId: number; readonly count: number },
): Promise<void> {
  await sql`
    UPDATE topic_moves SET after_id = ${afterId}, moved = moved + ${count}, stepped_at = now()
     WHERE id = ${id}`.execute(tx);
}

export async function deleteLargeMove(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('topicMoves').where('id', '=', BigInt(id)).execute();
}

/** Moves that nobody has worked on for a while, the oldest first. */
export async function listRestingMoves(
  db: Db,
  restingMs: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM topic_moves
     WHERE stepped_at < now() - ${restingMs} * interval '1 millisecond'
     ORDER BY id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => Number(id));
}

/** The newest of all messages; no message has a larger id. */
export async function findNewestId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: bigint | null }>`
    SELECT max(id) AS id FROM messages`.execute(db);
  return Number(rows[0]?.id ?? 0);
}
