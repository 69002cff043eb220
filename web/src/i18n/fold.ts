// Folds a text for comparing: what a person types finds what is written, whichever keyboard either came from.

const LETTERS: Readonly<Record<string, string>> = { ي: 'ی', ى: 'ی', ك: 'ک', ة: 'ه', ە: 'ه' };
/** The letters above, Persian and Arabic digits. */
const REPLACED = /[يىكةە۰-۹٠-٩]/g;
/** Marks over letters, the stretching line, the half-space and the marks of direction. */
const DROPPED = /[\p{M}\u0640\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069]/gu;

export const fold = (text: string): string =>
  text
    // Takes letters and their marks apart, so that the marks can go. Lower case may have marks of its own.
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(DROPPED, '')
    .replace(REPLACED, replacement)
    .replace(/\s+/g, ' ')
    .trim();

/** The last four bits of a digit are its value. */
const replacement = (letter: string): string =>
  LETTERS[letter] ?? String((letter.codePointAt(0) ?? 0) & 0xf);
