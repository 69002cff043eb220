import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isCloser,
  mayMatter,
  mergedVisibility,
  visibilityAfter,
  type Deed,
} from './automatic-rules.ts';

const DEEDS: readonly Deed[] = ['participate', 'send', 'initiate'];
const policy = fc.integer({ min: 1, max: 4 });
const state = fc.integer({ min: 0, max: 3 });

describe('an action in a topic', () => {
  it.each([
    ['participate', 1, 4, false, 3],
    ['participate', 2, 4, false, undefined],
    ['send', 2, 4, false, 3],
    ['send', 3, 4, false, undefined],
    ['initiate', 3, 4, false, 3],
    ['initiate', 4, 4, true, undefined],
    ['send', 3, 2, false, undefined],
    ['send', 3, 2, true, 2],
    ['initiate', 3, 2, true, 3],
    ['participate', 3, 2, true, undefined],
  ] as const)(
    '%s, follow from %i, unmute from %i, muted %s: %s',
    (deed, follow, unmute, muted, is) => {
      expect(visibilityAfter(deed, { follow, unmute }, muted)).toBe(is);
    },
  );

  it('sets more the more it involves, sets nothing for "never", and is never skipped by the quick check', () => {
    fc.assert(
      fc.property(policy, policy, fc.boolean(), (follow, unmute, isMuted) => {
        const results = DEEDS.map(
          (deed) => visibilityAfter(deed, { follow, unmute }, isMuted) ?? 0,
        );
        expect(results).toEqual([...results].sort((a, b) => a - b));
        if (follow === 4) expect(results).not.toContain(3);
        if (unmute === 4 || !isMuted) expect(results).not.toContain(2);
        for (const [index, deed] of DEEDS.entries()) {
          if (results[index] !== 0) expect(mayMatter(deed, { follow, unmute })).toBe(true);
        }
      }),
    );
  });

  it('never lowers the visibility', () => {
    fc.assert(
      fc.property(state, fc.constantFrom(2, 3), (current, next) => {
        expect(isCloser(current, next)).toBe(current < next);
      }),
    );
  });
});

describe('two topics that are merged', () => {
  it('get the higher visibility; muting one does not hide the other', () => {
    fc.assert(
      fc.property(state, state, (moved, there) => {
        const merged = mergedVisibility(moved, there);
        expect(merged).toBe(mergedVisibility(there, moved));
        if (moved >= 2 || there >= 2) expect(merged).toBe(Math.max(moved, there));
        if (moved === there) expect(merged).toBe(moved);
      }),
    );
    expect(mergedVisibility(1, 0)).toBe(0);
    expect(mergedVisibility(1, 1)).toBe(1);
  });
});
