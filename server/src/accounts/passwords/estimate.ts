// Estimates how many guesses a password takes for an attacker who knows how people choose, and
// knows its owner. It needs dictionaries of some megabytes and up to a quarter of a second, so it
// is loaded and run in a separate thread.
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { onLatinKeys, PERSIAN_WORDS } from './persian.ts';
import type { Reason } from './reasons.ts';

export interface Estimate {
  readonly guesses: number;
  /** What makes it weak, if it is. */
  readonly reason: Reason;
}

/**
 * The characters after these are not needed for a strong password, and would cost quadratic time.
 */
const CHARACTERS_ESTIMATED = 32;
/** Ways to read digits as letters; trying all of them would take seconds. */
const SUBSTITUTIONS_MAX = 10;

const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english, persian: [...PERSIAN_WORDS] },
  graphs: adjacencyGraphs,
  maxLength: CHARACTERS_ESTIMATED,
  l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
});

/** `words` are the person's own: names, address, organization. */
export function estimate(password: string, words: readonly string[]): Estimate {
  const typed = onLatinKeys(password);
  const estimates = [estimateText(password, words)];
  if (typed !== undefined) estimates.push(estimateText(typed, words));
  const rest = withoutWords(password, words);
  // The person's own words protect nothing: the rest has to be enough by itself.
  if (rest !== undefined) {
    const { guesses } = rest === '' ? { guesses: 1 } : estimateText(rest, []);
    estimates.push({ guesses, reason: 'personal' });
  }
  return estimates.reduce((weakest, one) => (one.guesses < weakest.guesses ? one : weakest));
}

function estimateText(text: string, words: readonly string[]): Estimate {
  const { guesses, feedback } = estimator.check(text.slice(0, CHARACTERS_ESTIMATED), [...words]);
  return { guesses, reason: BY_WARNING[feedback.warning ?? ''] ?? 'simple' };
}

/** By the library's names for its warnings. */
const BY_WARNING: Readonly<Record<string, Reason>> = {
  straightRow: 'keys',
  keyPattern: 'keys',
  simpleRepeat: 'repeated',
  extendedRepeat: 'repeated',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  wordByItself: 'common',
  namesByThemselves: 'name',
  commonNames: 'name',
  userInputs: 'personal',
};

const AS_LETTERS: ReadonlyMap<string, string> = new Map(
  Array.from('4@310!$570', (sign, index): [string, string] => [sign, 'aaeloissto'[index] ?? sign]),
);
/** Character by character, so that positions stay the same. */
const plain = (text: string): string =>
  Array.from(text, (sign) => AS_LETTERS.get(sign) ?? Array.from(sign.toLowerCase())[0]).join('');

/** The password without these words; undefined when it has none of them. */
function withoutWords(password: string, words: readonly string[]): string | undefined {
  let signs = Array.from(password);
  const lettersOf = (): string => plain(signs.join(''));
  let isFound = false;
  for (const word of [...words].sort((a, b) => b.length - a.length).map(plain)) {
    const size = Array.from(word).length;
    for (let at = lettersOf().indexOf(word); at >= 0; at = lettersOf().indexOf(word)) {
      isFound = true;
      const start = Array.from(lettersOf().slice(0, at)).length;
      signs = [...signs.slice(0, start), ...signs.slice(start + size)];
    }
  }
  return isFound ? signs.join('') : undefined;
}
