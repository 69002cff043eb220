// Rules for the names of custom emoji. No I/O.
import { badRequest } from '../../http/errors.ts';

const NAME_CHARACTERS_MAX = 100;

/** The name as stored: trimmed, with underscores for inner spaces. */
export function checkEmojiName(given: string): string {
  const name = given.trim().replaceAll(' ', '_');
  if (name === '') throw badRequest('Emoji name is missing');
  if (!/^[a-z0-9_-]+$/.test(name)) {
    throw badRequest(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    );
  }
  if (!/[a-z0-9]$/.test(name)) {
    throw badRequest('Emoji names must end with either a letter or digit.');
  }
  if (name.length > NAME_CHARACTERS_MAX) {
    throw badRequest(`emoji_name is too long (limit: ${NAME_CHARACTERS_MAX} characters)`);
  }
  return name;
}

/** The distinct names between colons in a text, which rendering may have to look up. */
export const namesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(/:(?=([a-z0-9_-]{1,100}):)/g), ([, name = '']) => name)),
];
