import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundDetails, differences } from './details.ts';
import { canonicalJson } from './entry.ts';

/** The most that the table accepts. */
const ENTRY_CHARACTERS_MAX = 65_536;

it('only differences are recorded, before and after', () => {
  expect(differences({ a: 1, b: [1], c: 'x' }, { a: 2, b: [1], d: null })).toEqual({
    before: { a: 1, c: 'x' },
    after: { a: 2, c: null },
  });
  expect(differences({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } })).toBeUndefined();
});

it('short values stay unchanged', () => {
  const details = { before: { name: 'x' }, after: { name: 'y', ids: [1, 2, 3] }, by: 1 };
  expect(boundDetails(details)).toBe(details);
});

it('any change fits into an entry, and the entry says that it was shortened', () => {
  const values = fc
    .record({
      names: fc.nat(200),
      length: fc.nat(4000),
      character: fc.constantFrom('d', '"', '\u0001', '😀'),
      isList: fc.boolean(),
    })
    .map(({ names, length, character, isList }) =>
      Object.fromEntries(
        Array.from({ length: names }, (_, index) => [
          `name ${index}`,
          isList ? Array.from({ length }, (_, id) => id) : character.repeat(length),
        ]),
      ),
    );
  fc.assert(
    fc.property(values, values, (before, after) => {
      const bounded = boundDetails({ before, after, by: 7, via: 'key' });
      const text = canonicalJson(bounded);
      expect(text.length).toBeLessThanOrEqual(ENTRY_CHARACTERS_MAX);
      expect(bounded).toMatchObject({ by: 7, via: 'key' });
      const isWhole = canonicalJson({ before, after, by: 7, via: 'key' }) === text;
      expect(isWhole || bounded['isShortened'] === true).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it('the size of the omitted part is recorded', () => {
  const after = {
    description: 'd'.repeat(20_000),
    ids: Array.from({ length: 9000 }, (_, id) => id),
  };
  expect(boundDetails({ after })).toEqual({
    after: { description: `${'d'.repeat(300)}… (20000 characters)`, ids: 'a list of 9000' },
    isShortened: true,
  });
});
