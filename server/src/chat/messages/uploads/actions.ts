// Stores uploaded files, and deletes them.
import { buffer } from 'node:stream/consumers';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { FileTooLarge, newFileKey, NoRoomForFiles } from '../../../platform/files/files.ts';
import { randomAlphanumeric, randomHex } from '../../../platform/std/ids.ts';
import type { IncomingFile } from '../../http/form.ts';
import { REALM_ID } from '../../limits.ts';
import { SNIFFED_BYTES, sniff } from './content-type.ts';
import { fileTooLarge, noFile, noRoom, noSuchAttachment, severalFiles } from './errors.ts';
import { attachmentObject, attachmentRemoved, attachmentSaved } from './events.ts';
import { MAKE_THUMBNAIL, REMOVE_FILES } from './file-job-kinds.ts';
import { cleanName, pathName } from './name.ts';
import { findPictureSize, PICTURE_HEAD_BYTES, type PictureSize } from './picture.ts';
import { checkFileSize, checkSpace, fileBytesMax } from './quota.ts';
import {
  addSpace,
  deleteAttachment,
  deleteUnderWay,
  findAttachment,
  insertAttachment,
  insertUnderWay,
  lockSpace,
  lockUnderWay,
  readSpaceUsed,
  updateUnderWay,
  type AttachmentRow,
} from './store.ts';
import { thumbnailKeysOf } from './thumbnail-keys.ts';

/** Stores the one file of a request. When it throws, nothing of the file is left. */
export async function receiveFile(
  ctx: Context,
  owner: User,
  incoming: AsyncIterable<IncomingFile>,
  /** The length of the request body, which is a little more than the file's; 0 if unknown. */
  announcedBytes: number,
): Promise<AttachmentRow> {
  const key = newFileKey();
  let taken: { readonly filename: string; readonly size: number } | undefined;
  let isBegun = false;
  try {
    for await (const { filename, bytes } of incoming) {
      if (isBegun) throw severalFiles();
      isBegun = true;
      await beginUpload(ctx, owner, key, Math.min(announcedBytes, fileBytesMax(ctx.config)));
      taken = { filename, size: await ctx.files.put(key, bytes, fileBytesMax(ctx.config)) };
    }
    if (taken === undefined) throw noFile();
    return await finishUpload(ctx, owner, key, taken, cleanName(taken.filename));
  } catch (error) {
    if (isBegun) await abandonUpload(ctx, key);
    throw toRefusal(ctx, error);
  }
}

function toRefusal(ctx: Context, error: unknown): unknown {
  if (error instanceof FileTooLarge) return fileTooLarge(ctx.config.MAX_FILE_UPLOAD_SIZE_MIB);
  if (!(error instanceof NoRoomForFiles)) return error;
  ctx.log.error({ err: error }, 'An uploaded file could not be stored.');
  return noRoom();
}

/** Reserves space for an upload and records that it has begun. */
export function beginUpload(
  ctx: Context,
  owner: Pick<User, 'id'>,
  key: string,
  bytes: number,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await checkSpace(tx, ctx.config, owner.id, bytes);
    const createdAt = new Date(ctx.clock.now());
    await insertUnderWay(tx, { storageKey: key, ownerId: owner.id, size: bytes, createdAt });
  });
}

/** Removes everything of an upload. If that fails, the upkeep removes it later. */
export async function abandonUpload(ctx: Context, key: string): Promise<void> {
  try {
    await ctx.files.remove(key);
    await deleteUnderWay(ctx.db, key);
  } catch (error) {
    ctx.log.warn(
      { err: error },
      'An abandoned upload could not be removed; the upkeep will remove it.',
    );
  }
}

/** Turns stored bytes into an attachment. A repeated call returns the same one. */
export async function finishUpload(
  ctx: Context,
  owner: Pick<User, 'id'>,
  key: string,
  { size }: { readonly size: number },
  name: string,
  inPath = pathName(name),
): Promise<AttachmentRow> {
  checkFileSize(ctx.config, size);
  const { contentType, picture } = await describe(ctx, key, size, name);
  return ctx.inTransaction(async (tx) => {
    const underWay = await lockUnderWay(tx, key);
    if (underWay === undefined) throw new Error(`The upload ${key} is not under way any longer.`);
    if (underWay.attachmentId !== null) {
      const earlier = await findAttachment(tx, underWay.attachmentId);
      if (earlier !== undefined) return earlier;
    }
    await checkSpace(tx, ctx.config, owner.id, size, key);
    const row = await insertAttachment(tx, {
      ownerId: owner.id,
      name,
      pathId: `${REALM_ID}/${randomHex(1)}/${randomAlphanumeric(24)}/${inPath}`,
      storageKey: key,
      size,
      contentType,
      createdAt: new Date(ctx.clock.now()),
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      thumbnail: picture === undefined ? 'none' : 'pending',
    });
    await addSpace(tx, owner.id, size);
    // A resumable client may ask again, so its row stays. Other uploads need it no more.
    if (underWay.tus === null) await deleteUnderWay(tx, key);
    else await updateUnderWay(tx, key, { attachmentId: row.id });
    const spaceUsed = await readSpaceUsed(tx);
    tx.emit(attachmentSaved('add', attachmentObject(row, []), spaceUsed), { users: [owner.id] });
    if (picture !== undefined) await tx.enqueue(MAKE_THUMBNAIL, { attachmentId: row.id });
    return row;
  });
}

interface Description {
  readonly contentType: string;
  readonly picture: PictureSize | undefined;
}

async function describe(
  ctx: Context,
  key: string,
  size: number,
  name: string,
): Promise<Description> {
  const head = async (bytes: number) => {
    if (size === 0) return Buffer.alloc(0);
    const stream = await ctx.files.read(key, { start: 0, end: Math.min(bytes, size) - 1 });
    if (stream === undefined) throw new Error(`The file ${key} was stored and is not there.`);
    return buffer(stream);
  };
  const contentType = await sniff(await head(SNIFFED_BYTES), name);
  if (!/^image\/(?:png|jpeg|gif|webp|avif)$/.test(contentType)) {
    return { contentType, picture: undefined };
  }
  return { contentType, picture: findPictureSize(await head(PICTURE_HEAD_BYTES), contentType) };
}

/** Deletes a file of the actor. Messages that link to it stay as they are. */
export function removeOwnFile(ctx: Context, actor: User, id: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const row = await findAttachment(tx, id);
    if (row === undefined || row.ownerId !== actor.id) throw noSuchAttachment();
    if (!(await removeFile(tx, row))) throw noSuchAttachment();
  });
}

/** False if somebody else deleted it first. The bytes are removed after the commit. */
export async function removeFile(tx: Tx, row: AttachmentRow): Promise<boolean> {
  await lockSpace(tx);
  if (!(await deleteAttachment(tx, row.id))) return false;
  await addSpace(tx, row.ownerId, -row.size);
  await tx.enqueue(REMOVE_FILES, { keys: [row.storageKey, ...thumbnailKeysOf(row.storageKey)] });
  const spaceUsed = await readSpaceUsed(tx);
  tx.emit(attachmentRemoved(row.id, spaceUsed), { users: [row.ownerId] });
  return true;
}
