// Deletes messages that are past the retention time of their channel or of the organization: in small batches, each
// with its event. Read state stays exact, because a deleted message never counts as unread.
import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { messagesDeleted } from '../message/events.ts';
import { deleteRows, removeFromChannel } from './remove.ts';
import { lockCounters } from '../message/store.ts';

/** Messages per transaction. */
const BATCH = 500;
/** Batches per run. The next run continues. */
const BATCHES_MAX = 40;
const CONVERSATIONS_MAX = 100;

interface Due {
  readonly conversationId: number;
  readonly days: number;
  readonly people: readonly number[] | null;
  readonly channelId: number | null;
  readonly name: string | null;
  readonly isProtected: boolean;
}

/** Deletes messages past their time; returns how many. */
export async function applyRetention(ctx: Context): Promise<number> {
  const days = Number((await readOrganizationSettings(ctx.db))['message_retention_days']);
  let deleted = 0;
  let batches = 0;
  for (const due of await listDue(ctx, days)) {
    for (let count = BATCH; count === BATCH && batches < BATCHES_MAX; batches += 1) {
      count = await ctx.inTransaction((tx) => deleteBatch(tx, due, ctx.clock.now()));
      deleted += count;
    }
  }
  return deleted;
}

/** Conversations whose oldest message is past its time. Ids grow with time, so the oldest has the smallest id. */
async function listDue(ctx: Context, organizationDays: number): Promise<Due[]> {
  const now = new Date(ctx.clock.now());
  const { rows } = await sql<Due>`
    SELECT d.id AS conversation_id, kept.days, d.people, c.id AS channel_id, c.name,
           NOT coalesce(c.history_public_to_subscribers OR c.is_web_public, true) AS is_protected
      FROM conversations d
      LEFT JOIN channels c ON c.conversation_id = d.id
      CROSS JOIN LATERAL (
        SELECT coalesce(c.message_retention_days, ${organizationDays}::int) AS days) AS kept
      CROSS JOIN LATERAL (
        SELECT m.sent_at FROM messages m WHERE m.conversation_id = d.id ORDER BY m.id LIMIT 1
      ) AS oldest
     WHERE kept.days > 0 AND oldest.sent_at < ${now}::timestamptz - kept.days * interval '1 day'
     ORDER BY d.id LIMIT ${CONVERSATIONS_MAX}`.execute(ctx.db);
  return rows;
}

interface Old {
  readonly id: number;
  readonly placeSeq: number;
  readonly topic: string;
}

async function deleteBatch(tx: Tx, due: Due, nowMs: number): Promise<number> {
  await lockCounters(tx, [due.conversationId]);
  const before = new Date(nowMs - due.days * DAY_MS);
  const { rows } = await sql<{ id: bigint; placeSeq: bigint; topic: string }>`
    SELECT id, place_seq, topic FROM (
      SELECT id, place_seq, topic, sent_at FROM messages
       WHERE conversation_id = ${due.conversationId} ORDER BY id LIMIT ${BATCH}) AS oldest
     WHERE sent_at < ${before} ORDER BY id`.execute(tx);
  const old = rows.map((row): Old => ({
    id: Number(row.id),
    placeSeq: Number(row.placeSeq),
    topic: row.topic,
  }));
  const { channelId, name, isProtected, people } = due;
  if (channelId === null || name === null) {
    const ids = await deleteRows(
      tx,
      old.map(({ id }) => id),
    );
    if (ids.length > 0) tx.emit(messagesDeleted(ids, undefined), { users: [...(people ?? [])] });
    return ids.length;
  }
  for (const [topic, gone] of Map.groupBy(old, (message) => message.topic)) {
    await removeFromChannel(tx, { channelId, name, isProtected }, topic, gone);
  }
  return old.length;
}
