// The URLs of custom emoji.
import { REALM_ID } from '../../limits.ts';

export const EMOJI_FOLDER = `/user_avatars/${REALM_ID}/emoji/images`;

/** For people who turned animation off. */
export const STILL_EMOJI_FOLDER = `${EMOJI_FOLDER}/still`;

/** Some clients judge a file by its extension. */
export const emojiPath = (id: number, isMoving: boolean): string =>
  `${EMOJI_FOLDER}/${id}.${isMoving ? 'gif' : 'png'}`;

export const stillEmojiPath = (id: number): string => `${STILL_EMOJI_FOLDER}/${id}.png`;
