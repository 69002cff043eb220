import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groundOf, initialsOf } from './avatar.tsx';

test('Initials are the first letters of the first and the last word; Persian names have one.', () => {
  expect(initialsOf('Sara Karimi')).toBe('SK');
  expect(initialsOf('  ada  king  lovelace ')).toBe('AL');
  expect(initialsOf('fills')).toBe('F');
  expect(initialsOf('سارا کریمی')).toBe('س');
  expect(initialsOf('(desk) 7')).toBe('D7');
  expect(initialsOf('— …')).toBe('');
});

test('Every name has at most two letters, and every id a ground.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer(), (name, id) => {
      expect(initialsOf(name).length).toBeLessThanOrEqual(8);
      expect(groundOf(id)).toMatch(/^#[0-9a-f]{6}$/u);
    }),
  );
});
