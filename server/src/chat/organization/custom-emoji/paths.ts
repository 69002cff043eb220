import { REALM_ID } from '../../limits.ts';

export const EMOJI_FOLDER = `/user_avatars/${REALM_ID}/emoji/images`;

/** For whoever does not want things to move. */
export const STILL_EMOJI_FOLDER = `${EMOJI_FOLDER}/still`;

/** Some clients go by how a file's name ends. */
export const emojiPath = (id: number, isMoving: boolean): string =>
  `${EMOJI_FOLDER}/${id}.${isMoving ? 'gif' : 'png'}`;

export const stillEmojiPath = (id: number): string => `${STILL_EMOJI_FOLDER}/${id}.png`;
