// Finds folders, or refuses.
import type { Db } from '../../../platform/db/pool.ts';
import { badRequest } from '../../http/errors.ts';
import { findFolder, type FolderRow } from './store.ts';

export const invalidFolder = () => badRequest('Invalid channel folder ID');

/** The folder, archived or not. */
export async function accessFolder(db: Db, id: number): Promise<FolderRow> {
  const folder = await findFolder(db, id);
  if (folder === undefined) throw invalidFolder();
  return folder;
}

/** Checks that channels may be put into it. */
export async function checkFolder(db: Db, id: number): Promise<void> {
  if ((await accessFolder(db, id)).isArchived) throw invalidFolder();
}
