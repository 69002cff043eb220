// Browsers no longer draw `mathvariant`, so ℝ would look like R. Letters with a shape of their own are written as the
// characters that Unicode has for them.

interface Alphabet {
  /** The characters for A and for a. */
  readonly capital: number;
  readonly small: number;
  /** Some were there before the others, at other places. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

const ALPHABETS: Readonly<Record<string, Alphabet>> = {
  'double-struck': {
    capital: 0x1d538,
    small: 0x1d552,
    elsewhere: { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
  },
  script: {
    capital: 0x1d49c,
    small: 0x1d4b6,
    elsewhere: {
      B: 'ℬ',
      E: 'ℰ',
      F: 'ℱ',
      H: 'ℋ',
      I: 'ℐ',
      L: 'ℒ',
      M: 'ℳ',
      R: 'ℛ',
      e: 'ℯ',
      g: 'ℊ',
      o: 'ℴ',
    },
  },
  fraktur: {
    capital: 0x1d504,
    small: 0x1d51e,
    elsewhere: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' },
  },
};

export function shapeLetters(text: string, variant: string | undefined): string {
  const alphabet = variant === undefined ? undefined : ALPHABETS[variant.replace(/^bold-/, '')];
  if (alphabet === undefined) return text;
  return text.replaceAll(/[A-Za-z]/g, (letter) => {
    const start = letter <= 'Z' ? alphabet.capital : alphabet.small;
    const place = letter.charCodeAt(0) - (letter <= 'Z' ? 'A' : 'a').charCodeAt(0);
    return alphabet.elsewhere[letter] ?? String.fromCodePoint(start + place);
  });
}
