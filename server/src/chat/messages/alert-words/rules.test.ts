import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanWords, firstTokenOf, hasWord, tokensOf } from './rules.ts';

describe('a word is in a text', () => {
  it.each([
    ['Lunch at noon?', 'lunch'],
    ['LUNCH!', 'Lunch'],
    ['(lunch)', 'lunch'],
    ['prelunch and lunch', 'lunch'],
    ['I like C++ a lot', 'c++'],
    ['c++11', 'c++'],
    ['the release candidate is out', 'release candidate'],
    ['سلام دنیا', 'دنیا'],
    ['all good :-)', ':-)'],
  ])('%j has %j', (text, word) => {
    expect(hasWord(text, word)).toBe(true);
  });

  it.each([
    ['brunch', 'unch'],
    ['lunches', 'lunch'],
    ['prelunch', 'lunch'],
    ['lunch2', 'lunch'],
    ['release the candidate', 'release candidate'],
    ['𝒜lunch', 'lunch'],
    ['', 'lunch'],
  ])('%j does not have %j', (text, word) => {
    expect(hasWord(text, word)).toBe(false);
  });
});

it('the first token of a word is among the tokens of every text that has the word', () => {
  const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.string(), word, fc.string(), (before, inner, after) => {
      const text = `${before} ${inner} ${after}`;
      const first = firstTokenOf(inner);
      if (!hasWord(text, inner) || first === '') return;
      expect(tokensOf(text)).toContain(first);
    }),
  );
});

it('words are trimmed, and kept once whatever their case', () => {
  expect(cleanWords([' Lunch ', 'lunch', '', '  ', 'tea'])).toEqual(['Lunch', 'tea']);
});
