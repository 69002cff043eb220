// Decides whether a text contains a word. Without I/O.

const TOKEN = /[\p{L}\p{N}]+/gu;
const LETTER_BEFORE = /[\p{L}\p{N}]$/u;
const LETTER_AFTER = /^[\p{L}\p{N}]/u;

/** Runs of letters and digits in lower case, each once. */
export const tokensOf = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(TOKEN) ?? []),
];

/** A token that every text with this word contains; empty when the word has no letters or digits. */
export const firstTokenOf = (word: string): string => word.toLowerCase().match(TOKEN)?.[0] ?? '';

/** Whether the word occurs in the text as a whole word, ignoring case. */
export function hasWord(text: string, word: string): boolean {
  const [where, what] = [text.toLowerCase(), word.toLowerCase()];
  const [startsWithLetter, endsWithLetter] = [LETTER_AFTER.test(what), LETTER_BEFORE.test(what)];
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + 1)) {
    const end = at + what.length;
    // Two UTF-16 units hold any character.
    const isOpen = !startsWithLetter || !LETTER_BEFORE.test(where.slice(Math.max(0, at - 2), at));
    const isClosed = !endsWithLetter || !LETTER_AFTER.test(where.slice(end, end + 2));
    if (isOpen && isClosed) return true;
  }
  return false;
}

/** The words as they are stored: trimmed, not empty, without duplicates. */
export function cleanWords(given: readonly string[]): string[] {
  const words = new Map<string, string>();
  for (const one of given) {
    const word = one.trim();
    if (word !== '' && !words.has(word.toLowerCase())) words.set(word.toLowerCase(), word);
  }
  return [...words.values()];
}
