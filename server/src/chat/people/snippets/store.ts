// The rows of saved snippets.
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { SavedSnippets } from '../../../platform/db/schema.generated.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { listOwnIds, type OwnList } from '../../../platform/db/own-list.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import type { Snippet } from './events.ts';

export const SNIPPETS: OwnList = {
  entries: 'saved snippets',
  table: 'saved_snippets',
  isIn: sql<boolean>`true`,
  bytes: sql<number>`octet_length(title) + octet_length(content) + 100`,
  order: sql`id`,
};

const toSnippet = ({ id, title, content, createdAt }: Selectable<SavedSnippets>): Snippet => ({
  id,
  title,
  content,
  date_created: unixSeconds(createdAt),
});

/** The oldest first. */
export async function listSnippets(db: Db, userId: number): Promise<Snippet[]> {
  const rows = await db
    .selectFrom('savedSnippets')
    .selectAll()
    .where('id', '=', sql<number>`ANY (${await listOwnIds(db, SNIPPETS, userId)}::int[])`)
    .orderBy('id')
    .execute();
  return rows.map(toSnippet);
}

export async function countSnippets(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('savedSnippets')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertSnippet(
  tx: Tx,
  userId: number,
  snippet: { readonly title: string; readonly content: string; readonly createdAt: Date },
): Promise<Snippet> {
  const row = await tx
    .insertInto('savedSnippets')
    .values({ userId, ...snippet })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toSnippet(row);
}

/** Undefined unless it exists and belongs to the person. */
export async function findSnippet(
  tx: Tx,
  userId: number,
  id: number,
): Promise<Snippet | undefined> {
  if (!isRowId(id)) return undefined;
  const row = await tx
    .selectFrom('savedSnippets')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toSnippet(row);
}

export async function updateSnippet(tx: Tx, { id, title, content }: Snippet): Promise<void> {
  await tx.updateTable('savedSnippets').set({ title, content }).where('id', '=', id).execute();
}

export async function deleteSnippet(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('savedSnippets').where('id', '=', id).execute();
}
