// What a name may be.
import { badName } from './errors.ts';

const NAME_CHARACTERS_MAX = 100;
const NAME_FORBIDDEN = /[*`\\>"@]/;
/** A mention is written `@**Name|id**`, so a name that ends like one would name somebody else. */
const NAME_LIKE_MENTION = /\|\d+$/;
/**
 * Characters that are not seen or that turn the text around would let one name look like another. The
 * zero-width non-joiner (U+200C) stays: Persian needs it.
 */
const NAME_INVISIBLE =
  /[\p{Cc}\p{Cs}\u{00AD}\u{200B}\u{200D}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{2069}\u{FEFF}]/u;

/** The name as it is stored, or a refusal that says what is wrong with it. */
export function checkFullName(text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '') throw badName('Name must not be empty!');
  if (Array.from(name).length > NAME_CHARACTERS_MAX) throw badName('Name too long!');
  if (NAME_FORBIDDEN.test(name) || NAME_INVISIBLE.test(name)) {
    throw badName('Invalid characters in name!');
  }
  if (NAME_LIKE_MENTION.test(name)) throw badName('Invalid format!');
  return name;
}
