// Reads and writes custom emoji and their images.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { emojiPath, stillEmojiPath } from './paths.ts';

export interface EmojiRow {
  readonly id: number;
  readonly name: string;
  readonly authorId: number | null;
  readonly sourceUrl: string;
  /** Only for animated emoji. */
  readonly stillUrl: string | null;
  readonly isDeactivated: boolean;
}

const COLUMNS = ['id', 'name', 'authorId', 'sourceUrl', 'stillUrl', 'isDeactivated'] as const;

/** Serializes changes: names are looked up before they are written. */
export async function lockEmoji(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.custom_emoji'))`.execute(tx);
}

export async function listEmoji(db: Db): Promise<EmojiRow[]> {
  return db.selectFrom('customEmoji').select(COLUMNS).orderBy('id').execute();
}

/** Every one, in no order, with what it takes to react with it; there are few. */
export async function listEmojiBriefly(
  db: Db,
): Promise<Pick<EmojiRow, 'id' | 'name' | 'isDeactivated'>[]> {
  return db.selectFrom('customEmoji').select(['id', 'name', 'isDeactivated']).execute();
}

/** Active emoji with these names. */
export async function listEmojiNamed(db: Db, names: readonly string[]): Promise<EmojiRow[]> {
  return db
    .selectFrom('customEmoji')
    .select(COLUMNS)
    .where('isDeactivated', '=', false)
    .where('name', '=', sql<string>`ANY (${[...names]}::text[])`)
    .execute();
}

export interface EmojiImage {
  readonly contentType: string;
  readonly image: Buffer;
  /** The first frame of an animated emoji. */
  readonly still: Buffer | null;
}

export async function insertEmoji(
  tx: Tx,
  name: string,
  authorId: number,
  picture: EmojiImage,
): Promise<EmojiRow> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('custom_emoji', 'id'))::int AS id`.execute(tx);
  const { id } = rows[0] as { id: number };
  const isMoving = picture.still !== null;
  const sourceUrl = emojiPath(id, isMoving);
  const stillUrl = isMoving ? stillEmojiPath(id) : null;
  await sql`
    INSERT INTO custom_emoji (id, name, author_id, source_url, still_url) OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${name}, ${authorId}, ${sourceUrl}, ${stillUrl})`.execute(tx);
  await tx
    .insertInto('customEmojiImages')
    .values({ emojiId: id, ...picture })
    .execute();
  return { id, name, authorId, sourceUrl, stillUrl, isDeactivated: false };
}

export async function deactivateEmoji(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('customEmoji').set({ isDeactivated: true }).where('id', '=', id).execute();
}

export async function findEmojiImage(db: Db, id: number): Promise<EmojiImage | undefined> {
  return db
    .selectFrom('customEmojiImages')
    .select(['contentType', 'image', 'still'])
    .where('emojiId', '=', id)
    .executeTakeFirst();
}
