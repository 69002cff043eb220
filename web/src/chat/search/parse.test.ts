import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Term } from '../narrow/terms.ts';
import { absorb, searchTerms, splitSearch } from './parse.ts';

const known = {
  findChannel: (name: string) => ({ general: 3, 'otc desk': 4 })[name],
  findPerson: (name: string) => ({ sara: 8, 'Reza Ahmadi': 9 })[name],
};

const term = (operator: string, operand: unknown, negated = false) => ({
  operator,
  operand,
  negated,
});

describe('what is typed into a search', () => {
  const cases: readonly [string, string, readonly unknown[], string][] = [
    ['a channel', 'channel:general ', [term('channel', 3)], ''],
    ['an old word', 'stream:general ', [term('channel', 3)], ''],
    ['a name with spaces', 'channel:"otc desk"', [term('channel', 4)], ''],
    ['a person', 'from:@sara wall ', [term('sender', 8)], 'wall '],
    ['people', 'dm:"Reza Ahmadi, sara" ', [term('dm', [8, 9])], ''],
    ['a negation', 'wall -has:link pulled ', [term('has', 'link', true)], 'wall pulled '],
    ['capitals', 'IS:Unread is:starred ', [term('is', 'unread'), term('is', 'starred')], ''],
    ['a topic with a quote', 'topic:"rfq 7" ', [term('topic', 'rfq 7')], ''],
    ['an address, which is no operator', 'https://a.example/x ', [], 'https://a.example/x '],
    ['a time, which is none either', 'at 10:30 ', [], 'at 10:30 '],
    ['a wrong number', 'id:12x ', [], 'id:12x '],
  ];
  it.each(cases)('%s', (_, text, terms, rest) => {
    const absorbed = absorb(text, known, false);
    expect(absorbed.terms).toEqual(terms);
    expect(absorbed.rest).toBe(rest);
  });

  it('waits for the end of the last word', () => {
    expect(absorb('is:un', known, false)).toMatchObject({ terms: [], rest: 'is:un' });
    expect(absorb('is:unread', known, false).terms).toEqual([]);
    expect(absorb('is:unread', known, true).terms).toEqual([term('is', 'unread')]);
  });

  it('says which name is not known, and leaves it in the box', () => {
    expect(absorb('sender:nobody wall', known, true)).toEqual({
      terms: [],
      rest: 'sender:nobody wall',
      problem: { operator: 'sender', operand: 'nobody' },
    });
  });

  it('never loses a word', () => {
    const word = fc.constantFrom('wall', 'is:unread', 'is:nothing', '-has:link', 'a:b', '::', '"');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const { terms, rest } = absorb(words.join(' '), known, true);
        const kept = rest.split(/\s+/).filter((one) => one !== '');
        expect(terms.length + kept.length).toBe(words.length);
      }),
    );
  });
});

describe('pills and words', () => {
  it('make one narrow, and come out of it again', () => {
    const pills: Term[] = [
      { operator: 'is', operand: 'unread', negated: false },
      { operator: 'search', operand: 'noise', negated: true },
    ];
    const terms = searchTerms(pills, ' big wall ');
    expect(terms.at(-1)).toEqual({ operator: 'search', operand: 'big wall', negated: false });
    expect(splitSearch(terms)).toEqual({ pills, text: 'big wall' });
  });

  it('have no search without words', () => {
    expect(searchTerms([], '   ')).toEqual([]);
  });
});
