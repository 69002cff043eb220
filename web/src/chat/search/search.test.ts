import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Term } from '../narrow/terms.ts';
import { namesIn } from '../place/address.ts';
import { channel, person, stateOf } from '../testing/state.ts';
import { highlightsIn } from './highlight.ts';
import { knownIn } from './known.ts';
import { absorb, searchTerms, splitSearch } from './parse.ts';
import { printSearch } from './print.ts';
import { suggest } from './suggest.ts';

const state = stateOf({
  channels: [channel(3, 'general'), channel(4, 'otc desk'), channel(6, 'general chat')],
  people: [
    person(5, 'Mia'),
    person(8, 'Sara Karimi'),
    person(9, 'Reza Ahmadi'),
    person(10, 'Reza Ahmadi'),
    person(11, 'علی کاظمی'),
  ],
});
const names = namesIn(state);
const known = knownIn(state);

describe('names in a search', () => {
  it('are found by name, by a beginning that only one has, and by id', () => {
    expect(known.findPerson('sara')).toBe(8);
    expect(known.findPerson('sara karimi')).toBe(8);
    expect(known.findPerson('9')).toBe(9);
    expect(known.findPerson('me')).toBe(5);
    expect(known.findChannel('general')).toBe(3);
    expect(known.findChannel('gen')).toBeUndefined();
  });

  it('mean nobody if two have them', () => {
    expect(known.findPerson('Reza Ahmadi')).toBeUndefined();
  });

  it('are found with the letters of an Arabic keyboard', () => {
    expect(known.findPerson('علي كاظمي')).toBe(11);
  });
});

describe('a search as text', () => {
  const term = fc.oneof(
    fc.constantFrom<Term>(
      { operator: 'channel', operand: 4, negated: false },
      { operator: 'sender', operand: 8, negated: true },
      { operator: 'dm', operand: [5, 8], negated: false },
      { operator: 'is', operand: 'unread', negated: false },
      { operator: 'has', operand: 'link', negated: true },
      { operator: 'topic', operand: '', negated: false },
      { operator: 'topic', operand: 'rfq 7', negated: false },
      { operator: 'search', operand: 'noise', negated: true },
    ),
  );

  it('is read back as what was printed', () => {
    const words = fc.constantFrom('', 'wall', 'big wall');
    fc.assert(
      fc.property(fc.array(term, { maxLength: 5 }), words, (pills, text) => {
        const terms = searchTerms(pills, text);
        const read = absorb(printSearch(terms, names), known, true);
        expect(splitSearch(searchTerms(read.terms, read.rest))).toEqual(splitSearch(terms));
      }),
    );
  });
});

describe('suggestions', () => {
  const texts = (typed: string) => suggest(typed, state).map(({ text }) => text);

  it('are operators at first', () => {
    expect(texts('').slice(0, 3)).toEqual(['channel:', 'topic:', 'sender:']);
    expect(texts('wall -ha')).toEqual(['-has:']);
  });

  it('are names and words after an operator', () => {
    expect(texts('channel:gen')).toEqual(['channel:general ', 'channel:"general chat" ']);
    expect(texts('from:kar')).toEqual(['sender:"Sara Karimi" ']);
    expect(texts('is:m')).toEqual(['is:mentioned ', 'is:muted ']);
  });

  it('are none for what is no operator', () => {
    expect(texts('https://a')).toEqual([]);
    expect(texts('topic:x')).toEqual([]);
  });
});

describe('highlights', () => {
  it('find beginnings of words, whatever their case and keyboard', () => {
    expect(highlightsIn('The Wall, walls and firewall', ['wall'])).toEqual([
      [4, 8],
      [10, 14],
    ]);
    expect(highlightsIn('نرخ کالا', ['كالا'])).toEqual([[4, 8]]);
    expect(highlightsIn('a.b (a)', ['(', 'a.b'])).toEqual([[0, 3]]);
  });

  it('stay inside the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (text, words) => {
        for (const [from, to] of highlightsIn(text, words)) {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});
