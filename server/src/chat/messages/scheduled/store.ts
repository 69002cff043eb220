// Reads and writes the table of scheduled messages.
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { ScheduledMessages } from '../../../platform/db/schema.generated.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { listOwnIds, type OwnList } from '../../../platform/db/own-list.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import type { ScheduledMessage } from './events.ts';
import type { Destination } from './rules.ts';

export type ScheduledRow = Selectable<ScheduledMessages>;

export const SCHEDULED: OwnList = {
  entries: 'scheduled messages',
  table: 'scheduled_messages',
  isIn: sql<boolean>`sent_at IS NULL`,
  bytes: sql<number>`octet_length(content) + octet_length(rendered) + octet_length(topic) + 250`,
  order: sql`deliver_at, id`,
};

export interface NewScheduled {
  readonly userId: number;
  readonly destination: Destination;
  readonly topic: string;
  readonly content: string;
  readonly rendered: string;
  readonly client: string;
  readonly readBySender: boolean;
  readonly deliverAt: Date;
}

export const toScheduled = (row: ScheduledRow): ScheduledMessage => ({
  scheduled_message_id: row.id,
  // The table's checks guarantee a channel or people.
  ...(row.channelId === null
    ? { type: 'private', to: row.people ?? [] }
    : { type: 'stream', to: row.channelId, topic: row.topic }),
  content: row.content,
  rendered_content: row.rendered,
  scheduled_delivery_timestamp: unixSeconds(row.deliverAt),
  failed: row.failure !== null,
});

const addressOf = (destination: Destination) =>
  destination.kind === 'channel'
    ? { channelId: destination.channel, people: null }
    : { channelId: null, people: [...destination.userIds] };

export async function insertScheduled(tx: Tx, given: NewScheduled): Promise<ScheduledMessage> {
  const { destination, deliverAt, ...row } = given;
  const inserted = await tx
    .insertInto('scheduledMessages')
    .values({ ...row, ...addressOf(destination), deliverAt, nextTryAt: deliverAt })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toScheduled(inserted);
}

/** How many are waiting or have failed, counted no further than `limit`. */
export async function countScheduled(db: Db, userId: number, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count
      FROM (SELECT FROM scheduled_messages WHERE user_id = ${userId} AND sent_at IS NULL
             LIMIT ${limit}) AS counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Messages that are not sent yet, waiting or failed, ordered by time. */
export async function listScheduled(db: Db, userId: number): Promise<ScheduledMessage[]> {
  const rows = await db
    .selectFrom('scheduledMessages')
    .selectAll()
    .where('id', '=', sql<number>`ANY (${await listOwnIds(db, SCHEDULED, userId)}::int[])`)
    .orderBy('deliverAt')
    .orderBy('id')
    .execute();
  return rows.map(toScheduled);
}

/** Undefined unless it exists and belongs to the person. Locks the row until the transaction ends. */
export async function lockScheduled(
  tx: Tx,
  userId: number,
  id: number,
): Promise<ScheduledRow | undefined> {
  if (!isRowId(id)) return undefined;
  return tx
    .selectFrom('scheduledMessages')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export interface Changed {
  readonly destination: Destination;
  readonly topic: string;
  readonly content: string;
  readonly rendered: string;
  readonly deliverAt: Date;
}

/** Makes it waiting again, even if it had failed. */
export async function updateScheduled(
  tx: Tx,
  id: number,
  { destination, deliverAt, ...row }: Changed,
): Promise<ScheduledMessage> {
  const updated = await tx
    .updateTable('scheduledMessages')
    .set({
      ...row,
      ...addressOf(destination),
      deliverAt,
      nextTryAt: deliverAt,
      attempts: 0,
      failure: null,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toScheduled(updated);
}

export async function deleteScheduled(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('scheduledMessages').where('id', '=', id).execute();
}

/** The row, which the caller has locked, and whether it is more than `seconds` late. */
export async function readDue(
  tx: Tx,
  id: number,
  seconds: number,
): Promise<{ readonly row: ScheduledRow; readonly isTooLate: boolean }> {
  const { isTooLate, ...row } = await tx
    .selectFrom('scheduledMessages')
    .selectAll()
    .select(sql<boolean>`deliver_at < now() - ${seconds} * interval '1 second'`.as('isTooLate'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { row, isTooLate };
}

export async function markSent(tx: Tx, id: number, messageId: number): Promise<void> {
  await tx
    .updateTable('scheduledMessages')
    .set({ nextTryAt: null, sentAt: sql<Date>`now()`, messageId: BigInt(messageId) })
    .where('id', '=', id)
    .execute();
}

export async function markFailed(tx: Tx, id: number, failure: string): Promise<ScheduledMessage> {
  const updated = await tx
    .updateTable('scheduledMessages')
    .set({ nextTryAt: null, failure })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toScheduled(updated);
}

/** Those that were sent long ago; how many went. */
export async function deleteSent(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM scheduled_messages WHERE sent_at < now() - interval '1 day'`.execute(db);
  return Number(numAffectedRows);
}
