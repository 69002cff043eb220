import { describe, expect, it } from 'vitest';
import { GRANTS, grantsAllow, parseGrant, type Grant } from './grants.ts';

describe('what a grant covers', () => {
  it.each<[Grant, readonly Grant[]]>([
    ['look', ['look']],
    ['support', ['look', 'support']],
    ['markets', ['look', 'markets']],
    ['treasury', ['look', 'treasury']],
    ['everything', GRANTS],
  ])('%s', (grant, covered) => {
    expect(GRANTS.filter((needed) => grantsAllow([grant], needed))).toEqual(covered);
  });

  it('is nothing without a grant', () => {
    expect(GRANTS.filter((needed) => grantsAllow([], needed))).toEqual([]);
  });

  it('adds up', () => {
    expect(grantsAllow(['support', 'markets'], 'treasury')).toBe(false);
    expect(grantsAllow(['support', 'markets'], 'markets')).toBe(true);
  });

  it('is known by its name only', () => {
    expect(parseGrant('treasury')).toBe('treasury');
    for (const text of ['', 'Treasury', 'treasury ', 'everything,look', 'constructor']) {
      expect(parseGrant(text)).toBeUndefined();
    }
  });
});
