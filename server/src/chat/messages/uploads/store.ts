// Reads and writes attachments, their references in messages, the used space, and uploads under way.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { isRowId } from '../../../platform/std/ids.ts';

export type ThumbnailState = 'none' | 'pending' | 'still' | 'moving' | 'failed';

export interface AttachmentRow {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly pathId: string;
  readonly storageKey: string;
  /** Far below 2^53. */
  readonly size: number;
  readonly contentType: string;
  readonly createdAt: Date;
  readonly width: number | null;
  readonly height: number | null;
  readonly thumbnail: ThumbnailState;
}

const COLUMNS = [
  'id',
  'ownerId',
  'name',
  'pathId',
  'storageKey',
  'size',
  'contentType',
  'createdAt',
  'width',
  'height',
  'thumbnail',
] as const;

type RawRow = Omit<AttachmentRow, 'size' | 'thumbnail'> & {
  readonly size: bigint;
  readonly thumbnail: string;
};

const toRow = (row: RawRow): AttachmentRow => ({
  ...row,
  size: Number(row.size),
  thumbnail: row.thumbnail as ThumbnailState,
});

export async function findAttachment(db: Db, id: number): Promise<AttachmentRow | undefined> {
  if (!isRowId(id)) return undefined;
  const row = await db
    .selectFrom('attachments')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toRow(row);
}

export async function findAttachmentAt(db: Db, pathId: string): Promise<AttachmentRow | undefined> {
  const [row] = await listAttachmentsAt(db, [pathId]);
  return row;
}

export async function listAttachmentsAt(
  db: Db,
  pathIds: readonly string[],
): Promise<AttachmentRow[]> {
  const rows = await db
    .selectFrom('attachments')
    .select(COLUMNS)
    .where('pathId', '=', sql<string>`ANY (${[...pathIds]}::text[])`)
    .orderBy('id')
    .execute();
  return rows.map(toRow);
}

/** Locks them against deletion until the transaction ends; returns those that exist. */
export async function holdAttachments(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const rows = await tx
    .selectFrom('attachments')
    .select('id')
    .where('id', '=', sql<number>`ANY (${[...ids]}::int[])`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return rows.map(({ id }) => id);
}

export async function listAttachmentsById(
  db: Db,
  ids: readonly number[],
): Promise<AttachmentRow[]> {
  const rows = await db
    .selectFrom('attachments')
    .select(COLUMNS)
    .where('id', '=', sql<number>`ANY (${[...ids]}::int[])`)
    .orderBy('id')
    .execute();
  return rows.map(toRow);
}

/** The person's newest `limit` files, ascending. */
export async function listAttachmentsOf(
  db: Db,
  ownerId: number,
  limit: number,
): Promise<AttachmentRow[]> {
  const rows = await db
    .selectFrom('attachments')
    .select(COLUMNS)
    .where('ownerId', '=', ownerId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toRow).reverse();
}

export async function insertAttachment(
  tx: Tx,
  row: Omit<AttachmentRow, 'id'>,
): Promise<AttachmentRow> {
  const inserted = await tx
    .insertInto('attachments')
    .values({ ...row, size: BigInt(row.size), unreferencedSince: row.createdAt })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return toRow(inserted);
}

/** Deletes its references too. False if somebody else deleted it first. */
export async function deleteAttachment(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('attachments')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return false;
  await tx.deleteFrom('attachmentMessages').where('attachmentId', '=', id).execute();
  await tx.deleteFrom('attachments').where('id', '=', id).execute();
  return true;
}

/** Locks the row against changes until the transaction ends; `share` allows other such locks beside it. */
export async function lockAttachment(
  tx: Tx,
  id: number,
  how: 'alone' | 'share' = 'alone',
): Promise<AttachmentRow | undefined> {
  const query = tx.selectFrom('attachments').select(COLUMNS).where('id', '=', id);
  const row = await (how === 'alone' ? query.forUpdate() : query.forShare()).executeTakeFirst();
  return row && toRow(row);
}

export async function updateThumbnail(
  tx: Tx,
  id: number,
  thumbnail: ThumbnailState,
  size?: { readonly width: number; readonly height: number },
): Promise<void> {
  await tx
    .updateTable('attachments')
    .set({ thumbnail, ...size })
    .where('id', '=', id)
    .execute();
}

// References.

export interface Reference {
  readonly attachmentId: number;
  readonly messageId: number;
  readonly sentAt: Date;
}

export async function listReferences(db: Db, ids: readonly number[]): Promise<Reference[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ attachmentId: number; messageId: bigint; sentAt: Date }>`
    SELECT r.attachment_id, r.message_id, m.sent_at
      FROM attachment_messages r JOIN messages m ON m.id = r.message_id
     WHERE r.attachment_id = ANY (${[...ids]}::int[])
     ORDER BY r.attachment_id, r.message_id`.execute(db);
  return rows.map((row) => ({ ...row, messageId: Number(row.messageId) }));
}

/** Messages with the file and an id below `beforeId`, newest first. */
export async function listMessagesWith(
  db: Db,
  attachmentId: number,
  beforeId: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ messageId: bigint }>`
    SELECT message_id FROM attachment_messages
     WHERE attachment_id = ${attachmentId} AND message_id < ${beforeId}
     ORDER BY message_id DESC LIMIT ${limit}`.execute(db);
  return rows.map(({ messageId }) => Number(messageId));
}

/** The files of these messages, each once. */
export async function listAttachmentIdsIn(
  db: Db,
  messageIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT attachment_id AS id FROM attachment_messages
     WHERE message_id = ANY (${[...messageIds]}::bigint[]) ORDER BY 1`.execute(db);
  return rows.map(({ id }) => id);
}

export async function insertReferences(
  tx: Tx,
  messageId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    INSERT INTO attachment_messages (attachment_id, message_id)
    SELECT id, ${messageId} FROM unnest(${[...ids]}::int[]) AS id
    ON CONFLICT DO NOTHING`.execute(tx);
}

export async function deleteReferences(
  tx: Tx,
  messageId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    DELETE FROM attachment_messages
     WHERE message_id = ${messageId} AND attachment_id = ANY (${[...ids]}::int[])`.execute(tx);
}

/** Records whether these files are in a message, and if not, since when. */
export async function noteReferenced(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`
    UPDATE attachments a SET unreferenced_since =
      CASE WHEN EXISTS (SELECT FROM attachment_messages r WHERE r.attachment_id = a.id) THEN NULL
      ELSE coalesce(unreferenced_since, now()) END
     WHERE id = ANY (${[...ids]}::int[])`.execute(tx);
}

/** Files that have been in no message since before `before`. */
export async function listUnreferenced(
  db: Db,
  before: Date,
  limit: number,
): Promise<AttachmentRow[]> {
  const rows = await db
    .selectFrom('attachments')
    .select(COLUMNS)
    .where('unreferencedSince', '<', before)
    .orderBy('unreferencedSince')
    .limit(limit)
    .execute();
  return rows.map(toRow);
}

/** Whether an unsent text names the file: a draft of the owner, or a scheduled message. */
export async function isNamedElsewhere(
  db: Db,
  { ownerId, pathId }: Pick<AttachmentRow, 'ownerId' | 'pathId'>,
): Promise<boolean> {
  // Only the random part: the rest of the address may be written in several ways.
  const random = pathId.split('/')[2] ?? pathId;
  const { rows } = await sql`
    SELECT FROM drafts WHERE user_id = ${ownerId} AND position(${random} IN content) > 0
    UNION ALL
    SELECT FROM scheduled_messages WHERE position(${random} IN content) > 0
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

// Space.

/** Makes reservations one after the other: each reads the used space before it takes more. */
export async function lockSpace(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.upload_space'))`.execute(tx);
}

export interface Space {
  /** Bytes of this person's files and unfinished uploads, except the upload `exceptKey`. */
  readonly own: number;
  readonly all: number;
  readonly unfinished: number;
}

export async function readSpace(db: Db, ownerId: number, exceptKey = ''): Promise<Space> {
  const { rows } = await sql<{ own: string; all: string; unfinished: number }>`
    WITH used AS (
      SELECT owner_id, bytes, 0 AS unfinished FROM upload_space
      UNION ALL
      SELECT owner_id, size, 1 FROM uploads_under_way
       WHERE attachment_id IS NULL AND storage_key <> ${exceptKey}
    )
    SELECT coalesce(sum(bytes) FILTER (WHERE owner_id = ${ownerId}), 0)::text AS own,
           coalesce(sum(bytes), 0)::text AS all,
           coalesce(sum(unfinished) FILTER (WHERE owner_id = ${ownerId}), 0)::int AS unfinished
      FROM used`.execute(db);
  const { own = '0', all = '0', unfinished = 0 } = rows[0] ?? {};
  return { own: Number(own), all: Number(all), unfinished };
}

/** Bytes of all files, as the API reports them. */
export async function readSpaceUsed(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    SELECT coalesce(sum(bytes), 0)::text AS bytes FROM upload_space`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

export async function addSpace(tx: Tx, ownerId: number, bytes: number): Promise<void> {
  await sql`
    INSERT INTO upload_space (owner_id, bytes) VALUES (${ownerId}, greatest(${bytes}::bigint, 0))
    ON CONFLICT (owner_id) DO UPDATE SET bytes = upload_space.bytes + ${bytes}::bigint`.execute(tx);
}

// Uploads under way.

export interface UnderWay {
  readonly storageKey: string;
  readonly ownerId: number;
  readonly size: number;
  readonly tus: unknown;
  readonly attachmentId: number | null;
  readonly createdAt: Date;
}

export async function insertUnderWay(
  tx: Tx,
  row: Omit<UnderWay, 'tus' | 'attachmentId'>,
): Promise<void> {
  await tx
    .insertInto('uploadsUnderWay')
    .values({ ...row, size: BigInt(row.size) })
    .execute();
}

const UNDER_WAY = ['storageKey', 'ownerId', 'size', 'tus', 'attachmentId', 'createdAt'] as const;

export async function findUnderWay(db: Db, storageKey: string): Promise<UnderWay | undefined> {
  const row = await db
    .selectFrom('uploadsUnderWay')
    .select(UNDER_WAY)
    .where('storageKey', '=', storageKey)
    .executeTakeFirst();
  return row && { ...row, size: Number(row.size) };
}

export async function lockUnderWay(tx: Tx, storageKey: string): Promise<UnderWay | undefined> {
  const row = await tx
    .selectFrom('uploadsUnderWay')
    .select(UNDER_WAY)
    .where('storageKey', '=', storageKey)
    .forUpdate()
    .executeTakeFirst();
  return row && { ...row, size: Number(row.size) };
}

export async function listUnderWay(db: Db, before: Date, limit: number): Promise<UnderWay[]> {
  const rows = await db
    .selectFrom('uploadsUnderWay')
    .select(UNDER_WAY)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

export async function updateUnderWay(
  db: Db,
  storageKey: string,
  change: { readonly tus?: unknown; readonly attachmentId?: number },
): Promise<void> {
  await db
    .updateTable('uploadsUnderWay')
    .set({
      ...('tus' in change && { tus: JSON.stringify(change.tus) }),
      ...(change.attachmentId !== undefined && { attachmentId: change.attachmentId }),
    })
    .where('storageKey', '=', storageKey)
    .execute();
}

export async function deleteUnderWay(db: Db, storageKey: string): Promise<void> {
  await db.deleteFrom('uploadsUnderWay').where('storageKey', '=', storageKey).execute();
}
