// Deletes all messages of a deactivated person, if an administrator asked for that. It runs as a job, because there may
// be many messages, and the work must finish even if a process dies.
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../../platform/db/pool.ts';
import { JOIN_TITLE, NAME } from '../../conversations/topics/names.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { defineJob } from '../../../platform/jobs/define.ts';
import { messagesDeleted } from '../message/events.ts';
import { deleteRows, removeFromChannel } from './remove.ts';
import { lockCounters } from '../message/store.ts';

/** Messages per transaction and event. */
const BATCH = 500;

export const eraseMessages = defineJob({
  name: 'erase-messages',
  input: Type.Object({
    userId: Type.Integer(),
    inPublicChannels: Type.Boolean(),
    inPrivateChannels: Type.Boolean(),
    inDirect: Type.Boolean(),
  }),
  async run(ctx, wanted) {
    let after = 0;
    for (;;) {
      const next = await findNext(ctx.db, wanted, after);
      if (next === undefined) return;
      const erased = await ctx.inTransaction((tx) => eraseBatch(tx, wanted.userId, next));
      // Somebody else deleted these messages meanwhile.
      if (erased === 0) after = next.messageId;
    }
  },
});

interface Wanted {
  readonly userId: number;
  readonly inPublicChannels: boolean;
  readonly inPrivateChannels: boolean;
  readonly inDirect: boolean;
}

interface Found {
  readonly messageId: number;
  readonly conversationId: number;
  readonly people: readonly number[] | null;
  readonly channelId: number | null;
  readonly name: string | null;
  readonly isProtected: boolean;
}

/** The next conversation with messages to delete. */
async function findNext(
  db: Db,
  { userId, inPublicChannels, inPrivateChannels, inDirect }: Wanted,
  after: number,
): Promise<Found | undefined> {
  const { rows } = await sql<Omit<Found, 'messageId'> & { messageId: bigint }>`
    SELECT m.id AS message_id, d.id AS conversation_id, d.people, c.id AS channel_id, c.name,
           NOT coalesce(c.history_public_to_subscribers OR c.is_web_public, true) AS is_protected
      FROM messages m
      JOIN conversations d ON d.id = m.conversation_id
      LEFT JOIN channels c ON c.conversation_id = d.id
     WHERE m.sender_id = ${userId} AND m.id > ${after}
       AND CASE WHEN c.id IS NULL THEN ${inDirect}::boolean
                WHEN c.invite_only THEN ${inPrivateChannels}::boolean
                ELSE ${inPublicChannels}::boolean END
     ORDER BY m.id LIMIT 1`.execute(db);
  const row = rows[0];
  return row && { ...row, messageId: Number(row.messageId) };
}

async function eraseBatch(tx: Tx, senderId: number, found: Found): Promise<number> {
  const { conversationId, channelId, name, isProtected, people } = found;
  await lockCounters(tx, [conversationId]);
  const { rows } = await sql<{ id: bigint; placeSeq: bigint; topic: string }>`
    SELECT m.id, m.place_seq, ${NAME} AS topic FROM messages m ${JOIN_TITLE}
     WHERE m.sender_id = ${senderId} AND m.conversation_id = ${conversationId} AND m.id >= ${found.messageId}
     ORDER BY m.id LIMIT ${BATCH}`.execute(tx);
  const own = rows.map((row) => ({
    id: Number(row.id),
    placeSeq: Number(row.placeSeq),
    topic: row.topic,
  }));
  if (channelId === null || name === null) {
    const ids = await deleteRows(
      tx,
      own.map(({ id }) => id),
    );
    if (ids.length > 0) tx.emit(messagesDeleted(ids, undefined), { users: [...(people ?? [])] });
    return ids.length;
  }
  for (const [topic, gone] of Map.groupBy(own, (message) => message.topic)) {
    await removeFromChannel(tx, { channelId, name, isProtected }, topic, gone);
  }
  return own.length;
}
