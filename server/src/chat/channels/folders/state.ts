// Folders in a client's initial state, and how events change that state.
import type { Db } from '../../../platform/db/pool.ts';
import type { RegisterPart } from '../../register-part.ts';
import { FOLDER_EVENTS, folderObject, type Folder, type FolderEvent } from './events.ts';
import { listFolders } from './store.ts';

/** In their order. */
export const readFolders = async (db: Db, includeArchived: boolean): Promise<Folder[]> =>
  (await listFolders(db, includeArchived)).map(folderObject);

function applyFolderEvent(folders: readonly Folder[], event: FolderEvent): Folder[] {
  switch (event.op) {
    case 'add':
      return [...folders, event.channel_folder];
    case 'update':
      return folders.map((folder) =>
        folder.id === event.channel_folder_id ? { ...folder, ...event.data } : folder,
      );
    default:
      return folders
        .map((folder) => ({ ...folder, order: event.order.indexOf(folder.id) + 1 }))
        .sort((a, b) => a.order - b.order);
  }
}

export const foldersPart = {
  load: { channel_folders: async ({ db }) => ({ channel_folders: await readFolders(db, true) }) },
  events: FOLDER_EVENTS,
  applyInTests: {
    channel_folder: (
      state: { readonly channel_folders: readonly Folder[] },
      event: FolderEvent,
    ) => ({ channel_folders: applyFolderEvent(state.channel_folders, event) }),
  },
} satisfies RegisterPart;
