import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete, rankCandidates, triggerAt, type Candidate } from './typeahead.ts';

const at = (text: string) => triggerAt(text, text.length);

describe('the trigger before the cursor', () => {
  it('is a person after @, silent after @_', () => {
    expect(at('hello @sa')).toMatchObject({ kind: 'person', query: 'sa', start: 6 });
    expect(at('@_sara ka')).toMatchObject({ query: 'sara ka', start: 0, isSilent: true });
    expect(at('سلام @سار')).toMatchObject({ kind: 'person', query: 'سار', start: 5 });
  });

  it('is a channel after #, and a topic after its name', () => {
    expect(at('see #btc')).toMatchObject({ kind: 'channel', query: 'btc', start: 4 });
    expect(at('see #**otc desk>fun')).toMatchObject({
      kind: 'topic',
      query: 'fun',
      channel: 'otc desk',
      start: 4,
    });
  });

  it('is an emoji after a colon and two letters', () => {
    expect(at('ok :thu')).toMatchObject({ kind: 'emoji', query: 'thu', start: 3 });
    expect(at('ok :t')).toBeUndefined();
    expect(at('at 10:30')).toBeUndefined();
  });

  it('is nothing in addresses, numbers and code', () => {
    expect(at('mail sara@example')).toBeUndefined();
    expect(at('issue#12')).toBeUndefined();
    expect(at('`@sa')).toBeUndefined();
    expect(at('```\n@sa')).toBeUndefined();
    expect(at('```\nx\n```\n@sa')).toMatchObject({ kind: 'person' });
  });

  it('never looks back further than a name is long', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.nat({ max: 200 }), (text, cursor) => {
        const found = triggerAt(text, Math.min(cursor, text.length));
        if (found !== undefined)
          expect(Math.min(cursor, text.length) - found.start).toBeLessThanOrEqual(64);
      }),
    );
  });
});

const person = (name: string, nearness = 0, isBot = false): Candidate<string> => ({
  value: name,
  names: [name],
  nearness,
  isBot,
});

describe('the order of candidates', () => {
  it('is exact, prefix, prefix of a word; then nearness; then people before bots', () => {
    const all = [
      person('Anna Sara', 9),
      person('Sarah', 1),
      person('Sarabot', 1, true),
      person('Sara', 0),
      person('Saranda', 5),
      person('Reza', 9),
    ];
    expect(rankCandidates(all, 'SARA', 10)).toEqual([
      'Sara',
      'Saranda',
      'Sarah',
      'Sarabot',
      'Anna Sara',
    ]);
  });

  it('finds Persian names from an Arabic keyboard, with or without half-spaces and marks', () => {
    const all = [person('علی کریمی'), person('می‌ترا'), person('José')];
    expect(rankCandidates(all, 'علي', 5)).toEqual(['علی کریمی']);
    expect(rankCandidates(all, 'كريمي', 5)).toEqual(['علی کریمی']);
    expect(rankCandidates(all, 'میترا', 5)).toEqual(['می‌ترا']);
    expect(rankCandidates(all, 'jose', 5)).toEqual(['José']);
  });

  it('gives no more than was asked for, and nothing that does not fit', () => {
    const names = fc.array(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 30 });
    fc.assert(
      fc.property(names, fc.string({ maxLength: 3 }), fc.nat({ max: 8 }), (all, query, max) => {
        const found = rankCandidates(
          all.map((name) => person(name)),
          query,
          max,
        );
        expect(found.length).toBeLessThanOrEqual(max);
        for (const name of found) expect(all).toContain(name);
      }),
    );
  });
});

it('A completion replaces what was typed and leaves one space after it.', () => {
  const trigger = triggerAt('hi @sa there', 6);
  if (trigger === undefined) throw new Error('There is a trigger.');
  expect(complete('hi @sa there', 6, trigger, '@**Sara**')).toEqual({
    text: 'hi @**Sara** there',
    cursor: 13,
  });
});
