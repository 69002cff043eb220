// A phrase that somebody chose. It heads every email to them, so that they can tell ours from a forged one. Pure.
import { Refusal } from '../../platform/http/refusal.ts';

export const PHRASE_CHARACTERS_MAX = 40;

/** The phrase as it is stored; empty for none. */
export function checkPhrase(text: string): string {
  const phrase = text.trim();
  if (phrase.length > PHRASE_CHARACTERS_MAX || Array.from(phrase).length > PHRASE_CHARACTERS_MAX) {
    throw badPhrase(`A phrase has at most ${PHRASE_CHARACTERS_MAX} characters.`);
  }
  if (/[\p{Cc}\p{Cs}\u{2028}\u{2029}]/u.test(phrase)) {
    throw badPhrase('A phrase is one line, without control characters.');
  }
  return phrase;
}

const badPhrase = (message: string) => new Refusal({ code: 'BAD_REQUEST', message, status: 400 });
