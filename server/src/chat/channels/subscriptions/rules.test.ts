import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeColor, pickColor } from './colors.ts';
import { parsePropertyChange } from './rules.ts';

describe('colours', () => {
  it('become six lower-case digits', () => {
    expect(['#ABC', '#abcd', '#12345', '#A1B2C3'].map(normalizeColor)).toEqual([
      '#aabbcc',
      '#aabbcc',
      '#123450',
      '#a1b2c3',
    ]);
    for (const wrong of ['', 'red', '#12', '#1234567', '#ggg', 'abc', '#abc\n']) {
      expect(normalizeColor(wrong)).toBeUndefined();
    }
  });

  it('do not repeat while there are unused ones, and are always valid', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 30 }), (conversationId, turns) => {
        const used = new Set<string>();
        for (let turn = 0; turn < turns; turn += 1) {
          const color = pickColor(used, conversationId);
          expect(normalizeColor(color)).toBe(color);
          if (turn < 24) expect(used.has(color)).toBe(false);
          used.add(color);
        }
      }),
    );
  });
});

describe('properties', () => {
  it('a change of muting is sent under both of its names', () => {
    const told = [
      ['in_home_view', false],
      ['is_muted', true],
    ];
    expect(parsePropertyChange('is_muted', true)).toEqual({ column: 'isMuted', value: true, told });
    expect(parsePropertyChange('in_home_view', false)).toEqual({
      column: 'isMuted',
      value: true,
      told,
    });
  });
});
