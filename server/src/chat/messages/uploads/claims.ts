// Links messages to their files, in the transaction of the message, and sends events to the owners of the files.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { describeFiles, listNamedFiles } from './access.ts';
import { hasUnfinishedPreviews } from '../../text/markdown/previews.ts';
import { attachmentSaved, type Attachment } from './events.ts';
import { SHOW_THUMBNAILS } from './file-job-kinds.ts';
import {
  deleteReferences,
  holdAttachments,
  insertReferences,
  listAttachmentIdsIn,
  listAttachmentsById,
  listReferences,
  noteReferenced,
  readSpaceUsed,
} from './store.ts';

/**
 * The files with these paths that exist and that the sender may access now. Locks them against deletion until the
 * transaction ends. Rendering looked the same files up before the transaction, only to show them.
 */
export async function holdNamedFiles(
  tx: Tx,
  senderId: number,
  paths: readonly string[],
): Promise<number[]> {
  if (paths.length === 0) return [];
  const [sender] = await listUsersById(tx, [senderId]);
  if (sender === undefined) return [];
  const files = await listNamedFiles(tx, sender, paths);
  if (files.length === 0) return [];
  return holdAttachments(
    tx,
    files.map(({ id }) => id),
  );
}

/** Links the files of a new message. */
export async function claimFiles(
  tx: Tx,
  messageId: number,
  ids: readonly number[],
  html: string,
): Promise<void> {
  if (ids.length === 0) return;
  await insertReferences(tx, messageId, ids);
  await awaitPreviews(tx, messageId, html);
  await announce(tx, ids);
}

/** Links the files of an edited message; returns the actor's files that are in no message now. */
export async function replaceFiles(
  tx: Tx,
  actor: Pick<User, 'id' | 'role'>,
  messageId: number,
  ids: readonly number[],
  html: string,
): Promise<readonly Attachment[]> {
  await awaitPreviews(tx, messageId, html);
  const before = await listAttachmentIdsIn(tx, [messageId]);
  const added = ids.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !ids.includes(id));
  if (added.length === 0 && removed.length === 0) return [];
  await insertReferences(tx, messageId, added);
  await deleteReferences(tx, messageId, removed);
  await announce(tx, [...added, ...removed]);
  const left = new Set((await listReferences(tx, removed)).map((row) => row.attachmentId));
  const detached = (await listAttachmentsById(tx, removed)).filter(
    ({ id, ownerId }) => ownerId === actor.id && !left.has(id),
  );
  return describeFiles(tx, actor, detached);
}

/** Runs `remove`, which deletes these messages, and updates their files. */
export async function releaseFiles<T>(
  tx: Tx,
  messageIds: readonly number[],
  remove: () => Promise<T>,
): Promise<T> {
  const ids = await listAttachmentIdsIn(tx, messageIds);
  const result = await remove();
  if (ids.length > 0) await announce(tx, ids);
  return result;
}

/** Thumbnails may have been finished between rendering the text and writing the message, so a job checks again. */
async function awaitPreviews(tx: Tx, messageId: number, html: string): Promise<void> {
  if (hasUnfinishedPreviews(html)) await tx.enqueue(SHOW_THUMBNAILS, { messageId });
}

async function announce(tx: Tx, ids: readonly number[]): Promise<void> {
  await noteReferenced(tx, ids);
  const rows = await listAttachmentsById(tx, ids);
  const owners = await listUsersById(tx, [...new Set(rows.map(({ ownerId }) => ownerId))]);
  const spaceUsed = await readSpaceUsed(tx);
  for (const owner of owners) {
    const own = rows.filter(({ ownerId }) => ownerId === owner.id);
    for (const attachment of await describeFiles(tx, owner, own)) {
      tx.emit(attachmentSaved('update', attachment, spaceUsed), { users: [owner.id] });
    }
  }
}
