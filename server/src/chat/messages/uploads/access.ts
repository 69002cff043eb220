// Who may access a file: its owner, and everybody who may now read a message that contains it.
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { findReadable } from '../message/access.ts';
import { readRights } from '../../rights/permissions/access.ts';
import type { Rights } from '../../rights/permissions/rights.ts';
import { attachmentObject, type Attachment } from './events.ts';
import {
  findAttachment,
  findAttachmentAt,
  listAttachmentsAt,
  listAttachmentsOf,
  listMessagesWith,
  listReferences,
  readSpaceUsed,
  type AttachmentRow,
} from './store.ts';

export { findAttachment, findAttachmentAt, readSpaceUsed, type AttachmentRow };

type Someone = Pick<User, 'id' | 'role'>;

/** Messages checked at once. Almost always the newest one decides. */
const LOOKED_AT = 200;

export async function mayHave(
  db: Db,
  who: Someone | Rights,
  { id, ownerId }: Pick<AttachmentRow, 'id' | 'ownerId'>,
): Promise<boolean> {
  if (ownerId === who.id) return true;
  const rights = 'organization' in who ? who : await readRights(db, who);
  for (let beforeId = Number.MAX_SAFE_INTEGER; ;) {
    const messageIds = await listMessagesWith(db, id, beforeId, LOOKED_AT);
    const { ids } = await findReadable(db, rights, messageIds);
    if (ids.length > 0) return true;
    if (messageIds.length < LOOKED_AT) return false;
    beforeId = messageIds.at(-1) ?? 0;
  }
}

/** The most files in one text. Further ones stay plain links. */
const FILES_MAX = 50;

/** The files named in a text that its author may access. So nobody gains access by guessing a name. */
export async function listNamedFiles(
  db: Db,
  author: Someone | Rights,
  paths: readonly string[],
): Promise<AttachmentRow[]> {
  if (paths.length === 0) return [];
  const found = await listAttachmentsAt(db, paths.slice(0, FILES_MAX));
  const theirs: AttachmentRow[] = [];
  for (const row of found) if (await mayHave(db, author, row)) theirs.push(row);
  return theirs;
}

/** The most files in one answer; clients get all of them at once. */
const LISTED_MAX = 10_000;

/** The person's files, oldest first. */
export async function listOwnFiles(db: Db, owner: Someone): Promise<Attachment[]> {
  return describeFiles(db, owner, await listAttachmentsOf(db, owner.id, LISTED_MAX));
}

/** Files as their owner sees them, with the messages that the owner may read. */
export async function describeFiles(
  db: Db,
  owner: Someone,
  rows: readonly AttachmentRow[],
): Promise<Attachment[]> {
  const references = await listReferences(
    db,
    rows.map(({ id }) => id),
  );
  if (references.length === 0) return rows.map((row) => attachmentObject(row, []));
  const rights = await readRights(db, owner);
  const { ids } = await findReadable(db, rights, [
    ...new Set(references.map(({ messageId }) => messageId)),
  ]);
  const readable = new Set(ids);
  const byFile = Map.groupBy(
    references.filter(({ messageId }) => readable.has(messageId)),
    ({ attachmentId }) => attachmentId,
  );
  return rows.map((row) =>
    attachmentObject(
      row,
      (byFile.get(row.id) ?? []).map(({ messageId, sentAt }) => ({ id: messageId, sentAt })),
    ),
  );
}
