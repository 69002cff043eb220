// The URLs of custom emoji.
import { REALM_ID } from '../../limits.ts';

export const EMOJI_FOLDER = `/user_avatars/${REALM_ID}/emoji/images`;

/** Still pictures, for people who do not want animations. */
export const STILL_EMOJI_FOLDER = `${EMOJI_FOLDER}/still`;

/** Some clients rely on the file's extension. */
export const emojiPath = (id: number, isMoving: boolean): string =>
  `${EMOJI_FOLDER}/${id}.${isMoving ? 'gif' : 'png'}`;

export const stillEmojiPath = (id: number): string => `${STILL_EMOJI_FOLDER}/${id}.png`;
