import type { Selectable } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { SavedSnippets } from '../../platform/db/schema.generated.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import type { Snippet } from './events.ts';

const toSnippet = ({ id, title, content, createdAt }: Selectable<SavedSnippets>): Snippet => ({
  id,
  title,
  content,
  date_created: Math.floor(createdAt.getTime() / 1000),
});

/** The oldest first. */
export async function listSnippets(db: Db, userId: number): Promise<Snippet[]> {
  const rows = await db
    .selectFrom('savedSnippets')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(toSnippet);
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

/** Undefined unless it is there and the person's own. */
export async function findSnippet(
  tx: Tx,
  userId: number,
  id: number,
): Promise<Snippet | undefined> {
  if (id >= 2 ** 31) return undefined;
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
