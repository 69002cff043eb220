// Makes thumbnails of pictures, and shows them in the messages that wait for them.
import type { Context } from '../../../platform/context.ts';
import {
  resizeImage,
  UnreadableImage,
  type Resized,
  type PictureShape,
} from '../../../platform/images/resize.ts';
import { finishPreviews } from '../../text/markdown/previews.ts';
import { rewriteRendered } from '../editing/replace-rendering.ts';
import { envUpload } from './preview.ts';
import {
  findAttachment,
  listAttachmentIdsIn,
  listAttachmentsById,
  listMessagesWith,
  lockAttachment,
  updateThumbnail,
  type AttachmentRow,
} from './store.ts';
import { movingKey, stillKey } from './thumbnail-keys.ts';

const STILL: PictureShape = {
  width: 840,
  height: 560,
  fit: 'inside',
  moves: false,
  format: 'webp',
};
const MOVING: PictureShape = { ...STILL, moves: true };
const PICTURE_BYTES_MAX = 100 * 1024 * 1024;
const FORM_BYTES_MAX = 64 * 1024 * 1024;

/** Makes the thumbnails of a picture and shows them in the messages that contain it. */
export async function makeThumbnails(ctx: Context, attachmentId: number): Promise<void> {
  const row = await findAttachment(ctx.db, attachmentId);
  if (row === undefined || row.thumbnail !== 'pending') return;
  const made = await makeForms(ctx, row);
  await ctx.inTransaction(async (tx) => {
    // A sender looks at this row after writing a message with the picture. With the lock, either the sender sees the
    // new state or the loop below sees the message.
    const locked = await lockAttachment(tx, attachmentId);
    if (locked === undefined) return;
    if (made === undefined) await updateThumbnail(tx, attachmentId, 'failed');
    else await updateThumbnail(tx, attachmentId, made.isMoving ? 'moving' : 'still', sizeOf(made));
  });
  for (let beforeId = Number.MAX_SAFE_INTEGER; ;) {
    const ids = await listMessagesWith(ctx.db, attachmentId, beforeId, BATCH);
    for (const id of ids) await showThumbnails(ctx, id);
    if (ids.length < BATCH) return;
    beforeId = ids.at(-1) ?? 0;
  }
}

const BATCH = 100;

const sizeOf = ({ width, height }: Resized) => ({ width, height });

/** Undefined if the picture cannot be decoded; a retry would fail too. */
async function makeForms(ctx: Context, row: AttachmentRow): Promise<Resized | undefined> {
  if (row.size > PICTURE_BYTES_MAX) return undefined;
  const source = await ctx.files.read(row.storageKey);
  if (source === undefined) return undefined;
  try {
    const made = await resizeImage(source, [STILL, MOVING]);
    const [still, moving] = made.images;
    for (const [key, image] of [
      [stillKey(row.storageKey), still],
      [movingKey(row.storageKey), moving],
    ] as const) {
      if (image !== undefined) await ctx.files.put(key, asChunks(image), FORM_BYTES_MAX);
    }
    return made;
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error;
    ctx.log.info({ attachmentId: row.id }, 'A thumbnail could not be made.');
    return undefined;
  } finally {
    source.destroy();
  }
}

async function* asChunks(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes;
}

/** Replaces the placeholders in a message by the thumbnails that are ready. */
export async function showThumbnails(ctx: Context, messageId: number): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const ids = await listAttachmentIdsIn(tx, [messageId]);
    for (const id of ids) await lockAttachment(tx, id, 'share');
    const ready = (await listAttachmentsById(tx, ids)).filter(
      ({ thumbnail }) => thumbnail !== 'pending',
    );
    await rewriteRendered(tx, ctx, messageId, (html) =>
      ready.reduce((text, row) => finishPreviews(text, envUpload(row)), html),
    );
  });
}
