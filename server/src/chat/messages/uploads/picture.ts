// How large a picture is, from its first bytes and without a decoder, which belongs into another process.
import { findImage } from '../../organization/avatars/image.ts';

/** Enough for the notes that cameras put before the size. */
export const PICTURE_HEAD_BYTES = 256 * 1024;
/** Larger ones are files like others: nobody gets a small form of them. */
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

/** The largest of the sizes that it names: others are of its tiles and masks. */
function findAvifSize(start: Buffer): PictureSize | undefined {
  let largest: PictureSize | undefined;
  for (let at = start.indexOf('ispe'); at >= 0; at = start.indexOf('ispe', at + 4)) {
    if (at + 16 > start.length) break;
    const size = { width: start.readUInt32BE(at + 8), height: start.readUInt32BE(at + 12) };
    if (size.width * size.height > (largest?.width ?? 0) * (largest?.height ?? 0)) largest = size;
  }
  return largest;
}
