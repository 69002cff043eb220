// Makes the sizes and formats in which an uploaded picture is shown.
import { Refusal } from '../../../platform/http/refusal.ts';
import {
  resizeImage,
  TooManyImages,
  UnreadableImage,
  type Resized,
  type PictureShape,
} from '../../../platform/images/resize.ts';
import { notAnImage, parseImage } from './image.ts';

/** Files whose first bytes are not those of a picture, or of too large a one, are not decoded. */
export async function makeForms(bytes: Buffer, shapes: readonly PictureShape[]): Promise<Resized> {
  parseImage(bytes);
  try {
    return await resizeImage(bytes, shapes);
  } catch (error) {
    if (error instanceof UnreadableImage) throw notAnImage();
    if (error instanceof TooManyImages) {
      throw new Refusal({
        code: 'SERVICE_UNAVAILABLE',
        message: 'Too many pictures are being drawn; try again shortly.',
        status: 503,
        headers: { 'retry-after': '5' },
      });
    }
    throw error;
  }
}
