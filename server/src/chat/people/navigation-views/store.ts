// The rows of navigation views.
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { NavigationView } from './events.ts';

/** In the order in which they were added. */
export async function listViews(db: Db, userId: number): Promise<NavigationView[]> {
  const rows = await db
    .selectFrom('navigationViews')
    .select(['fragment', 'isPinned', 'name'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ fragment, isPinned, name }) => ({ fragment, is_pinned: isPinned, name }));
}

/** False when the fragment or the name is taken. */
export async function insertView(tx: Tx, userId: number, view: NavigationView): Promise<boolean> {
  const { fragment, is_pinned: isPinned, name } = view;
  const row = await tx
    .insertInto('navigationViews')
    .values({ userId, fragment, isPinned, name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateView(tx: Tx, userId: number, view: NavigationView): Promise<void> {
  await tx
    .updateTable('navigationViews')
    .set({ isPinned: view.is_pinned, name: view.name })
    .where('userId', '=', userId)
    .where('fragment', '=', view.fragment)
    .execute();
}

/** False when there was nothing to delete. */
export async function deleteView(tx: Tx, userId: number, fragment: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('navigationViews')
    .where('userId', '=', userId)
    .where('fragment', '=', fragment)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
