import type { ImageType } from '../avatars/image.ts';
import { REALM_ID } from '../org/limits.ts';

/** What a picture's file is called at the end; some clients go by it. */
const EXTENSIONS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const satisfies Record<ImageType, string>;
export type ImageExtension = (typeof EXTENSIONS)[ImageType];

export const extensionOf = (type: ImageType): ImageExtension => EXTENSIONS[type];

export const EMOJI_FOLDER = `/user_avatars/${REALM_ID}/emoji/images`;

export const emojiPath = (id: number, extension: ImageExtension): string =>
  `${EMOJI_FOLDER}/${id}.${extension}`;
