// Reads and writes the table of reminders.
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Reminders } from '../../../platform/db/schema.generated.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { listOwnIds, type OwnList } from '../../../platform/db/own-list.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import type { Reminder } from './events.ts';

export const REMINDERS: OwnList = {
  entries: 'reminders',
  table: 'reminders',
  isIn: sql<boolean>`true`,
  bytes: sql<number>`octet_length(content) + octet_length(rendered) + 250`,
  order: sql`deliver_at, id`,
};

export interface ReminderRow {
  readonly userId: number;
  readonly messageId: number;
  readonly note: string;
  readonly content: string;
  readonly rendered: string;
  readonly deliverAt: Date;
}

const toReminder = (row: Selectable<Reminders>): Reminder => ({
  reminder_id: row.id,
  type: 'private',
  to: [row.userId],
  content: row.content,
  rendered_content: row.rendered,
  scheduled_delivery_timestamp: unixSeconds(row.deliverAt),
  failed: row.nextTryAt === null,
  // Message ids stay far below 2^53.
  reminder_target_message_id: Number(row.messageId),
});

export async function insertReminder(tx: Tx, row: ReminderRow): Promise<Reminder> {
  const inserted = await tx
    .insertInto('reminders')
    .values({ ...row, messageId: BigInt(row.messageId), nextTryAt: row.deliverAt })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toReminder(inserted);
}

/** Ordered by time. */
export async function listReminders(db: Db, userId: number): Promise<Reminder[]> {
  const rows = await db
    .selectFrom('reminders')
    .selectAll()
    .where('id', '=', sql<number>`ANY (${await listOwnIds(db, REMINDERS, userId)}::int[])`)
    .orderBy('deliverAt')
    .orderBy('id')
    .execute();
  return rows.map(toReminder);
}

/** How many the person has, counted no further than `limit`. */
export async function countReminders(db: Db, userId: number, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count
      FROM (SELECT FROM reminders WHERE user_id = ${userId} LIMIT ${limit}) AS counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** False unless it existed and belonged to the person. */
export async function deleteReminder(tx: Tx, userId: number, id: number): Promise<boolean> {
  if (!isRowId(id)) return false;
  const { numDeletedRows } = await tx
    .deleteFrom('reminders')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** A reminder that is due. The caller has locked its row. */
export async function readDue(
  tx: Tx,
  id: number,
): Promise<Pick<ReminderRow, 'userId' | 'messageId' | 'note' | 'deliverAt'>> {
  const row = await tx
    .selectFrom('reminders')
    .select(['userId', 'messageId', 'note', 'deliverAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...row, messageId: Number(row.messageId) };
}

export async function giveUp(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('reminders').set({ nextTryAt: null }).where('id', '=', id).execute();
}
