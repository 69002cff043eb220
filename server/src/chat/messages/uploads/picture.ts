// The size of a picture, from its first bytes. Decoding happens in another process only.
import { findImage } from '../../organization/avatars/image.ts';

/** Enough for the metadata that cameras write before the size. */
export const PICTURE_HEAD_BYTES = 256 * 1024;
/** Larger pictures are treated as plain files, without a thumbnail. */
export const PIXELS_MAX = 100_000_000;

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export function findPictureSize(start: Buffer, contentType: string): PictureSize | undefined {
  const size = contentType === 'image/avif' ? findAvifSize(start) : findImage(start);
  if (size === undefined || size.width < 1 || size.height < 1) return undefined;
  const { width, height } = size;
  return width * height > PIXELS_MAX ? undefined : { width, height };
}

/** The largest size in the file; smaller ones belong to tiles and masks. */
function findAvifSize(start: Buffer): PictureSize | undefined {
  let largest: PictureSize | undefined;
  for (let at = start.indexOf('ispe'); at >= 0; at = start.indexOf('ispe', at + 4)) {
    if (at + 16 > start.length) break;
    const size = { width: start.readUInt32BE(at + 8), height: start.readUInt32BE(at + 12) };
    if (size.width * size.height > (largest?.width ?? 0) * (largest?.height ?? 0)) largest = size;
  }
  return largest;
}
