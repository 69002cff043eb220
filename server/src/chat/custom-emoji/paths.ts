import type { ImageType } from '../avatars/image.ts';

/** What a picture's file is called at the end; some clients go by it. */
const EXTENSIONS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const satisfies Record<ImageType, string>;
export type ImageExtension = (typeof EXTENSIONS)[ImageType];

export const extensionOf = (type: ImageType): ImageExtension => EXTENSIONS[type];

/** The number is the organization's, of which there is one. */
export const EMOJI_FOLDER = '/user_avatars/1/emoji/images';

export const emojiPath = (id: number, extension: ImageExtension): string =>
  `${EMOJI_FOLDER}/${id}.${extension}`;
