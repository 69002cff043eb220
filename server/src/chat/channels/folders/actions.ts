// Changes folders, which group channels in clients. They give no rights.
import { noteAct, noteChange } from '../../../accounts/audit/actions.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { hasChannelIn } from '../../conversations/channel/access.ts';
import { renderDescription } from '../../conversations/channel/description.ts';
import { findInvisible } from '../../../platform/names/invisible.ts';
import { badRequest } from '../../http/errors.ts';
import { accessFolder } from './access.ts';
import { folderAdded, folderObject, foldersReordered, folderUpdated } from './events.ts';
import {
  countFolders,
  findFolderByName,
  insertFolder,
  listFolders,
  lockFolders,
  reorderFolders,
  updateFolder,
  type FolderRow,
} from './store.ts';

/** Every client gets all folders at registration. */
const FOLDERS_MAX = 1000;

export function createFolder(
  ctx: Context,
  actor: User,
  given: { name: string; description: string },
): Promise<number> {
  return ctx.inTransaction(async (tx) => {
    await lockFolders(tx);
    const name = await checkName(tx, given.name);
    if ((await countFolders(tx)) >= FOLDERS_MAX) {
      throw badRequest(`There cannot be more than ${FOLDERS_MAX} channel folders.`);
    }
    const folder = await insertFolder(tx, { ...given, name, creatorId: actor.id });
    tx.emit(folderAdded(folderObject(folder)), { everyone: true });
    noteAct(tx, { act: 'folder create', subject: name, after: termsOf(folder) });
    return folder.id;
  });
}

export interface FolderChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly is_archived?: boolean | undefined;
}

/** Emits one event for each changed property. */
export function editFolder(ctx: Context, id: number, changes: FolderChanges): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockFolders(tx);
    const folder = await accessFolder(tx, id);
    await edit(tx, folder, changes);
    noteChange(tx, {
      act: 'folder change',
      subject: folder.name,
      before: termsOf(folder),
      after: termsOf(await accessFolder(tx, id)),
    });
  });
}

/** The properties of a folder that go into the audit log. */
const termsOf = ({ id, name, description, isArchived }: FolderRow) => ({
  id,
  name,
  description,
  isArchived,
});

async function edit(tx: Tx, folder: FolderRow, changes: FolderChanges): Promise<void> {
  const { id } = folder;
  const { description, is_archived: isArchived } = changes;
  if (changes.name !== undefined && changes.name.trim() !== folder.name) {
    const name = await checkName(tx, changes.name, id);
    await updateFolder(tx, id, { name });
    tx.emit(folderUpdated(id, { name }), { everyone: true });
  }
  if (description !== undefined && description !== folder.description) {
    await updateFolder(tx, id, { description });
    const rendered_description = renderDescription(description);
    tx.emit(folderUpdated(id, { description, rendered_description }), { everyone: true });
  }
  if (isArchived === undefined || isArchived === folder.isArchived) return;
  if (isArchived && (await hasChannelIn(tx, id))) {
    throw badRequest('You need to remove all the channels from this folder to archive it.');
  }
  // Another folder may have taken the name while this one was archived.
  if (!isArchived) await checkName(tx, changes.name ?? folder.name, id);
  await updateFolder(tx, id, { isArchived });
  tx.emit(folderUpdated(id, { is_archived: isArchived }), { everyone: true });
}

/** `order` names every folder once, including archived ones. */
export function orderFolders(ctx: Context, order: readonly number[]): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockFolders(tx);
    const before = (await listFolders(tx, true)).map(({ id }) => id);
    const known = new Set(before);
    const isComplete =
      order.length === known.size &&
      new Set(order).size === known.size &&
      order.every((id) => known.has(id));
    if (!isComplete) throw badRequest('Invalid order mapping.');
    await reorderFolders(tx, order);
    tx.emit(foldersReordered(order), { everyone: true });
    noteChange(tx, {
      act: 'folder order',
      subject: `${order.length} folders`,
      before: { order: before },
      after: { order },
    });
  });
}

async function checkName(tx: Tx, given: string, ownId?: number): Promise<string> {
  const name = given.trim();
  if (name === '') throw badRequest("Channel folder name can't be empty.");
  const position = findInvisible(name);
  if (position !== undefined) {
    throw badRequest(`Invalid character in channel folder name, at position ${position}.`);
  }
  const same = await findFolderByName(tx, name);
  if (same !== undefined && same.id !== ownId) {
    throw badRequest('Channel folder name already in use');
  }
  return name;
}
