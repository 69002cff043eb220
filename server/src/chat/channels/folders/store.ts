// The rows of channel folders.
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { ChannelFolders } from '../../../platform/db/schema.generated.ts';
import { isRowId } from '../../../platform/std/ids.ts';

export type FolderRow = Selectable<ChannelFolders>;

/** In their order. The limit on folders bounds the list. */
export async function listFolders(db: Db, includeArchived: boolean): Promise<FolderRow[]> {
  let query = db.selectFrom('channelFolders').selectAll().orderBy('order').orderBy('id');
  if (!includeArchived) query = query.where('isArchived', '=', false);
  return query.execute();
}

export async function countFolders(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('channelFolders')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lets one transaction at a time change folders, because names and order are read before they are written. */
export async function lockFolders(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.channel_folders'))`.execute(tx);
}

export async function findFolder(db: Db, id: number): Promise<FolderRow | undefined> {
  if (!isRowId(id)) return undefined;
  return db.selectFrom('channelFolders').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds a folder that is not archived, ignoring case. */
export async function findFolderByName(db: Db, name: string): Promise<FolderRow | undefined> {
  return db
    .selectFrom('channelFolders')
    .selectAll()
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('isArchived', '=', false)
    .executeTakeFirst();
}

export async function insertFolder(
  tx: Db,
  folder: { name: string; description: string; creatorId: number },
): Promise<FolderRow> {
  const { rows } = await sql<FolderRow>`
    WITH drawn AS (
      SELECT nextval(pg_get_serial_sequence('channel_folders', 'id'))::int AS id
    )
    INSERT INTO channel_folders (id, name, description, "order", creator_id)
    OVERRIDING SYSTEM VALUE
    SELECT id, ${folder.name}, ${folder.description}, id, ${folder.creatorId}::int FROM drawn
    RETURNING *`.execute(tx);
  return rows[0] as FolderRow;
}

export async function updateFolder(
  tx: Db,
  id: number,
  changes: Partial<Pick<FolderRow, 'name' | 'description' | 'isArchived'>>,
): Promise<void> {
  await tx.updateTable('channelFolders').set(changes).where('id', '=', id).execute();
}

/** Orders the folders as `order` lists them. */
export async function reorderFolders(tx: Db, order: readonly number[]): Promise<void> {
  await sql`
    UPDATE channel_folders f SET "order" = o.place
      FROM unnest(${order}::int[]) WITH ORDINALITY AS o (id, place) WHERE f.id = o.id`.execute(tx);
}
