// What a person calls a passkey.
import { badLabel } from './errors.ts';

const LABEL_CHARACTERS_MAX = 64;

export function parseLabel(given: string): string {
  const label = given.trim();
  const length = Array.from(label).length;
  if (length < 1 || length > LABEL_CHARACTERS_MAX || /\p{C}/u.test(label)) {
    throw badLabel(LABEL_CHARACTERS_MAX);
  }
  return label;
}
