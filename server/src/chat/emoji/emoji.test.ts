import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import data from './emoji.generated.json' with { type: 'json' };
import {
  EMOJI_DATA,
  findEmoji,
  findEmojiCode,
  findEmojiName,
  isEmojiCode,
  isEmojiNamed,
} from './emoji.ts';
import { codeOf, nameEmoji } from './naming.ts';

const table: Record<string, string[]> = data.code_to_names;
const source = (unified: string, short_names: string[], name = '', category = 'Objects') => ({
  unified,
  name,
  short_names,
  category,
  sort_order: 0,
});

describe('the table', () => {
  it('gives every emoji a name, and every name to one emoji', () => {
    const names = Object.values(table).flat();
    expect(Object.keys(table).length).toBeGreaterThan(1800);
    expect(Object.values(table).every((list) => list.length > 0)).toBe(true);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9+_-]+$/.test(name))).toEqual([]);
    expect(JSON.parse(EMOJI_DATA)).toEqual(data);
  });

  it.each([
    ['smile', '1f642'],
    ['big_smile', '1f604'],
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['-1', '1f44e'],
    ['heart', '2764'],
    ['tada', '1f389'],
    ['octopus', '1f419'],
    ['check', '2705'],
    ['hash', '0023-20e3'],
    ['germany', '1f1e9-1f1ea'],
    ['woman_shrugging', '1f937-200d-2640'],
  ])('knows :%s: as %s', (name, code) => {
    expect(findEmojiCode(name)).toBe(code);
    expect(isEmojiCode(code)).toBe(true);
    expect(isEmojiNamed(code, name)).toBe(true);
    expect(isEmojiNamed('1f600', name)).toBe(false);
  });

  it('knows nothing by the names of JavaScript', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(findEmojiCode(name)).toBeUndefined();
      expect(isEmojiCode(name)).toBe(false);
    }
  });
});

describe('naming', () => {
  it('leaves the request for colour out of the code', () => {
    expect(codeOf('2764-FE0F')).toBe('2764');
    expect(codeOf('1F441-FE0F-200D-1F5E8-FE0F')).toBe('1f441-200d-1f5e8');
  });

  it('takes a name that our table gives from the one that had it', () => {
    const rows = Object.keys(table).map((code) => source(code.toUpperCase(), [`n-${code}`]));
    const named = nameEmoji([...rows, source('1F3FB', ['skin-tone-2'])]);
    expect(named['1f642']).toEqual(['smile', 'n_1f642']);
    expect(named['1f3fb']).toBeUndefined();
  });

  it('refuses a table that names what is no emoji', () => {
    expect(() => nameEmoji([source('1F600', ['grinning'])])).toThrow(/which is no emoji/);
  });
});

describe('emoji as characters', () => {
  it('are found, with and without the request for colour', () => {
    expect(findEmoji('a 🙂❤️').map(({ name, index }) => [name, index])).toEqual([
      ['smile', 2],
      ['heart', 4],
    ]);
  });

  it('are left alone when the text asks for letters, or the sequence has no name', () => {
    expect(findEmoji('❤︎ © ™ 1 # 👨🏿‍🦽 👍🏽')).toEqual([]);
  });

  it('that have a name are all found, whole', () => {
    for (const [code, [name]] of Object.entries(table)) {
      const points = code.split('-').map((hex) => Number.parseInt(hex, 16));
      const letters = points[0] !== undefined && points[0] < 0x2300 ? '\ufe0f' : '';
      const [first = 0, ...rest] = points;
      const text = String.fromCodePoint(first) + letters + String.fromCodePoint(...rest);
      expect(findEmoji(text), code).toMatchObject([{ index: 0, code, name }]);
      expect(findEmojiName(code)).toBe(name);
    }
  });

  it('never overlap, in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        let end = 0;
        for (const { index, length } of findEmoji(text)) {
          expect(index).toBeGreaterThanOrEqual(end);
          end = index + length;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
