import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMOJI_DATA,
  findEmoji,
  findEmojiCode,
  findEmojiCodeOrOlder,
  findEmojiName,
  isEmojiCode,
  isEmojiNamed,
} from './emoji.ts';

const table = (JSON.parse(EMOJI_DATA) as { code_to_names: Record<string, string[]> }).code_to_names;

describe('the table', () => {
  it('gives every emoji a name, and each name to one emoji', () => {
    const names = Object.values(table).flat();
    expect(Object.keys(table).length).toBeGreaterThan(1800);
    expect(Object.values(table).every((list) => list.length > 0)).toBe(true);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(3300);
    expect(names.filter((name) => !/^[\p{Ll}\p{N}+_-]+$/u.test(name))).toEqual([]);
  });

  it.each([
    ['smile', '1f604'],
    ['slight_smile', '1f642'],
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['-1', '1f44e'],
    ['heart', '2764'],
    ['tada', '1f389'],
    ['octopus', '1f419'],
    ['check', '2705'],
    ['hash', '0023-20e3'],
    ['flag_germany', '1f1e9-1f1ea'],
    ['woman_shrugging', '1f937-200d-2640'],
  ])('knows :%s: as %s', (name, code) => {
    expect(findEmojiCode(name)).toBe(code);
    expect(isEmojiCode(code)).toBe(true);
    expect(isEmojiNamed(code, name)).toBe(true);
    expect(isEmojiNamed('1f600', name)).toBe(false);
  });

  it("has no entries for JavaScript's built-in names", () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(findEmojiCode(name)).toBeUndefined();
      expect(isEmojiCode(name)).toBe(false);
    }
  });
});

describe('an obsolete name', () => {
  it('is accepted with its former code, and with no other', () => {
    expect(isEmojiNamed('1f604', 'big_smile')).toBe(true);
    expect(isEmojiNamed('1f642', 'smile')).toBe(true);
    expect(isEmojiNamed('1f604', 'smile')).toBe(true);
    expect(isEmojiNamed('1f642', 'big_smile')).toBe(false);
  });

  it('still means its emoji if no other has the name now, but means nothing in a text', () => {
    expect(findEmojiCodeOrOlder('big_smile')).toBe('1f604');
    expect(findEmojiCodeOrOlder('smile')).toBe('1f604');
    expect(findEmojiCode('big_smile')).toBeUndefined();
    expect(Object.values(table).flat()).not.toContain('big_smile');
  });
});

describe('emoji as characters', () => {
  it('are found, with and without the variation selector for colour', () => {
    expect(findEmoji('a 🙂❤️').map(({ name, index }) => [name, index])).toEqual([
      ['slight_smile', 2],
      ['heart', 4],
    ]);
  });

  it('are left alone when the text asks for plain text, or the sequence has no name', () => {
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
