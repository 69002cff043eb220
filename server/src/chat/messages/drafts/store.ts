// Reads and writes the table of drafts.
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Drafts } from '../../../platform/db/schema.generated.ts';
import { listOwnIds, type OwnList } from '../../../platform/db/own-list.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import type { Draft } from './events.ts';

export interface DraftRow {
  readonly type: Draft['type'];
  readonly to: number[];
  readonly topic: string;
  readonly content: string;
  readonly editedAt: Date;
}

export const DRAFTS: OwnList = {
  entries: 'drafts',
  table: 'drafts',
  isIn: sql<boolean>`true`,
  bytes: sql<number>`octet_length(content) + octet_length(topic) + 150`,
  order: sql`edited_at DESC, id DESC`,
};

/** The table's checks guarantee that `type` is one of the three. */
const toDraft = ({ id, type, to, topic, content, editedAt }: Selectable<Drafts>): Draft => ({
  id,
  type: type as Draft['type'],
  to,
  topic,
  content,
  timestamp: unixSeconds(editedAt),
});

/** Returns the drafts in the order of `drafts`. */
export async function insertDrafts(
  tx: Db,
  userId: number,
  rows: readonly DraftRow[],
): Promise<Draft[]> {
  if (rows.length === 0) return [];
  const inserted = await tx
    .insertInto('drafts')
    .values(rows.map((row) => ({ ...row, userId })))
    .returningAll()
    .execute();
  // Ids are assigned in the order of the values.
  return inserted.sort((a, b) => a.id - b.id).map(toDraft);
}

/** Whether the draft exists and belongs to the user. Locks it until the transaction ends. */
export async function lockDraft(tx: Db, userId: number, id: number): Promise<boolean> {
  if (!isRowId(id)) return false;
  const row = await tx
    .selectFrom('drafts')
    .select('id')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateDraft(tx: Db, id: number, row: DraftRow): Promise<Draft> {
  const updated = await tx
    .updateTable('drafts')
    .set(row)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toDraft(updated);
}

export async function deleteDraft(tx: Db, userId: number, id: number): Promise<boolean> {
  if (!isRowId(id)) return false;
  const { numDeletedRows } = await tx
    .deleteFrom('drafts')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteDraftsOf(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('drafts').where('userId', '=', userId).execute();
}

/** Drafts of the user, the one edited longest ago first. */
export async function listDrafts(db: Db, userId: number): Promise<Draft[]> {
  const rows = await db
    .selectFrom('drafts')
    .selectAll()
    .where('id', '=', sql<number>`ANY (${await listOwnIds(db, DRAFTS, userId)}::int[])`)
    .orderBy('editedAt')
    .orderBy('id')
    .execute();
  return rows.map(toDraft);
}

/** At most `limit` drafts, the one edited last first. */
export async function listLatestDrafts(db: Db, userId: number, limit: number): Promise<Draft[]> {
  const rows = await db
    .selectFrom('drafts')
    .selectAll()
    .where(
      'id',
      '=',
      sql<number>`ANY (${(await listOwnIds(db, DRAFTS, userId)).slice(0, limit)}::int[])`,
    )
    .orderBy('editedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toDraft);
}

/** How many drafts a user has, counted no further than `limit`. */
export async function countDrafts(db: Db, userId: number, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count
      FROM (SELECT FROM drafts WHERE user_id = ${userId} LIMIT ${limit}) AS counted`.execute(db);
  return rows[0]?.count ?? 0;
}
