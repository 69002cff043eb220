// When a text has a word in it. Without I/O.

const TOKEN = /[\p{L}\p{N}]+/gu;
const LETTER_BEFORE = /[\p{L}\p{N}]$/u;
const LETTER_AFTER = /^[\p{L}\p{N}]/u;

/** The runs of letters and digits, in small letters, each once. */
export const tokensOf = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(TOKEN) ?? []),
];

/** What a text must at least contain to have the word; empty when the word is all signs. */
export const firstTokenOf = (word: string): string => word.toLowerCase().match(TOKEN)?.[0] ?? '';

/** Whether the word stands in the text by itself, and not within a longer one, whatever the case. */
export function hasWord(text: string, word: string): boolean {
  const [where, what] = [text.toLowerCase(), word.toLowerCase()];
  const [startsWithLetter, endsWithLetter] = [LETTER_AFTER.test(what), LETTER_BEFORE.test(what)];
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + 1)) {
    const end = at + what.length;
    // Two units on either side hold a character of any plane.
    const isOpen = !startsWithLetter || !LETTER_BEFORE.test(where.slice(Math.max(0, at - 2), at));
    const isClosed = !endsWithLetter || !LETTER_AFTER.test(where.slice(end, end + 2));
    if (isOpen && isClosed) return true;
  }
  return false;
}

/** The words as they are kept: without the space around them, none empty, none twice. */
export function cleanWords(given: readonly string[]): string[] {
  const words = new Map<string, string>();
  for (const one of given) {
    const word = one.trim();
    if (word !== '' && !words.has(word.toLowerCase())) words.set(word.toLowerCase(), word);
  }
  return [...words.values()];
}
